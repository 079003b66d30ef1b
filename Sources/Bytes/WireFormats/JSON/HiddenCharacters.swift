/// Characters that are invisible, move a terminal's cursor or change the direction of text. Messages that quote
/// the input escape them as JSON does (RFC 8259, section 7).
package enum HiddenCharacters {
    /// The text with each hidden character in the form `\u001b`.
    package static func escaped(in text: String) -> String {
        guard text.utf8.contains(where: { !isVisibleASCII($0) }) else { return text }
        var output: [UInt8] = []
        for scalar in text.unicodeScalars {
            if isHidden(scalar) { appendEscape(of: scalar, to: &output) } else { append(scalar, to: &output) }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Whether a character is hidden: C0, DEL, C1, format characters (including bidirectional and zero-width
    /// ones), U+2028, U+2029, private-use and unassigned characters.
    static func isHidden(_ scalar: UnicodeScalar) -> Bool {
        if scalar.isASCII { return !isVisibleASCII(UInt8(scalar.value)) }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return true
        default: return false
        }
    }

    /// Appends a character as escapes of its UTF-16 units, in hexadecimal.
    static func appendEscape(of scalar: UnicodeScalar, to output: inout [UInt8]) {
        for unit in scalar.utf16 {
            let bytes = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
            output.append(contentsOf: ("\\u" + hexadecimal(bytes)).utf8)
        }
    }

    static func append(_ scalar: UnicodeScalar, to output: inout [UInt8]) {
        output.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }

    private static func isVisibleASCII(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7f }
}
