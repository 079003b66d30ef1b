/// A fault of a JSON text, with the offset of its byte.
///
/// The grammar is RFC 8259 to the letter: no byte order mark, no comments, no trailing commas, no control
/// characters or invalid UTF-8 in strings, no escape of half a surrogate pair.
package struct JSONError: Error, Hashable, Sendable {
    /// The rule of the grammar that was broken.
    package enum Problem: Hashable, Sendable {
        /// The text ended, and this was expected.
        case unexpectedEnd(expected: Expectation)
        /// This byte stands where something else was expected.
        case unexpectedByte(UInt8, expected: Expectation)
        /// Something follows the end of the document.
        case trailingData
        /// A string holds bytes that are not UTF-8 (RFC 3629).
        case invalidUTF8
        /// A string holds a control character that must be escaped (RFC 8259, section 7).
        case controlCharacter(UInt8)
        /// A backslash is not followed by one of the escapes of RFC 8259, section 7.
        case invalidEscape
        /// An escape names one half of a surrogate pair, and the other half is missing.
        case loneSurrogate
        /// A number breaks the grammar of RFC 8259, section 6.
        case invalidNumber
        /// Arrays and objects are nested deeper than this many levels.
        case nestingTooDeep(limit: Int)
        /// A member name occurs twice in one object.
        case duplicateName(String)
    }

    /// The part of the grammar that is allowed at a place.
    package enum Expectation: String, Hashable, Sendable {
        /// Any JSON value.
        case value = "a value"
        /// The name of a member, in quotes.
        case memberName = "a member name in quotes"
        /// The colon between a name and its value.
        case colon = "a colon"
        /// A comma, or the end of the object.
        case commaOrObjectEnd = "a comma or '}'"
        /// A comma, or the end of the array.
        case commaOrArrayEnd = "a comma or ']'"
        /// The quote that ends a string.
        case closingQuote = "the closing quote of a string"
        /// An object; no other value is accepted.
        case object = "an object"
    }

    /// The rule that was broken.
    package let problem: Problem
    /// Where, in bytes from the beginning of the JSON text.
    package let offset: Int

    package init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    /// The fault and its offset, as part of a sentence.
    package var description: String { "\(problem) at byte \(offset)" }
}

extension JSONError.Problem: CustomStringConvertible {
    /// The fault, as part of a sentence.
    package var description: String {
        switch self {
        case .unexpectedEnd(let expected): "the text ends where \(expected.rawValue) was expected"
        case .unexpectedByte(let byte, let expected): "\(named(byte)) instead of \(expected.rawValue)"
        case .trailingData: "data after the end of the document"
        case .invalidUTF8: "invalid UTF-8"
        case .controlCharacter(let byte): "unescaped control character \(named(byte))"
        case .invalidEscape: "an invalid escape"
        case .loneSurrogate: "an escaped surrogate without its other half"
        case .invalidNumber: "a malformed number"
        case .nestingTooDeep(let limit): "nesting deeper than \(limit) levels"
        case .duplicateName(let name): "a second member named \"\(name.abbreviated())\""
        }
    }
}

/// A byte for people: its character if it is visible, its value otherwise.
package func named(_ byte: UInt8) -> String {
    if byte > 0x20, byte < 0x7f { return "'\(Character(UnicodeScalar(byte)))'" }
    return "byte 0x" + hexadecimal([byte])
}

extension String {
    /// The string, cut to the length of a message. Input may put a megabyte into a name.
    package func abbreviated(to limit: Int = 128) -> String {
        guard unicodeScalars.count > limit else { return self }
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: unicodeScalars.prefix(limit))
        return String(kept) + "…"
    }
}
