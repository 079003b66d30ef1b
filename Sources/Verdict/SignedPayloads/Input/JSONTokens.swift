internal import AppReceipts
package import WireFormats

/// Takes the tokens out of JSON documents of any shape, one document behind the other: answers of the App Store Server
/// API, stored objects, exports.
///
/// A token is a string that begins like one and has two dots, or any value of a member that is named for a token or
/// a receipt. A document without tokens stands for itself, so that a verdict names its kind. An answer of the App Store
/// Server API whose list is empty is the exception: it has no token.
package struct JSONTokens: Sendable {
    package struct Token: Sendable {
        package let bytes: [UInt8]
        /// The line on which it ends, from 1.
        package let line: Int
        /// The path of the member that holds it; `nil` for a whole document.
        package let member: String?
    }

    private static let names = Set(TokenEnvelope.members + TokenEnvelope.receiptMembers)

    private let text: [UInt8]
    private var reader: JSONReader
    private var path = JSONPath()
    private var documentStart = 0
    private var hasToken = false
    /// How many steps of paths were written until now, for tests.
    package var writtenSteps: Int { path.writtenSteps }
    /// How many lines end before a byte.
    private var lines = (count: 0, before: 0)

    package init(_ text: [UInt8]) {
        self.text = text
        reader = JSONReader(0..<text.count)
    }

    /// The next token; `nil` at the end.
    ///
    /// - Throws: why the text is not JSON.
    package mutating func next() throws(JSONError) -> Token? {
        let text = text
        while skipWhiteSpaceBetweenDocuments() {
            guard let event = try reader.next(in: text.span) else { return nil }
            let token = enter(event)
            if token != nil { hasToken = true }
            guard reader.depth == 0 else {
                if let token { return token }
                continue
            }
            let document = documentStart..<reader.position
            let isEmpty = !hasToken
            (documentStart, hasToken) = (reader.position, false)
            reader = JSONReader(reader.position..<text.count)
            if let token { return token }
            if isEmpty, MistakenInput(object: text.span.extracting(document)) != .serverAPIAnswer {
                return Token(bytes: Array(text[document]), line: line(at: document.upperBound), member: nil)
            }
        }
        return nil
    }

    /// - Returns: whether anything follows.
    private mutating func skipWhiteSpaceBetweenDocuments() -> Bool {
        guard reader.depth == 0 else { return true }
        while documentStart < text.count, [0x20, 0x09, 0x0a, 0x0d].contains(text[documentStart]) {
            documentStart += 1
        }
        return documentStart < text.count
    }

    /// Follows the path to a value.
    ///
    /// - Returns: the value if it is a token, or in the place of one.
    private mutating func enter(_ event: JSONEvent) -> Token? {
        switch event {
        case .name(let name):
            path.move(toName: name.value(in: text.span))
            return nil
        case .endObject, .endArray:
            path.close()
            return nil
        default: break
        }
        path.moveToNextElement()
        switch event {
        case .beginObject: path.open(.name(""))
        case .beginArray: path.open(.index(-1))
        case .string(let string): return token(in: string)
        case .number(let range): return wrong(text[range])
        case .true: return wrong("true".utf8)
        case .false: return wrong("false".utf8)
        default: break
        }
        return nil
    }

    /// A value that is not a string, in the place of a token, so that it gets a verdict.
    private mutating func wrong(_ written: some Sequence<UInt8>) -> Token? {
        guard isNamedForToken else { return nil }
        return Token(bytes: Array(written), line: line(at: reader.position), member: path.written())
    }

    private mutating func token(in string: JSONString) -> Token? {
        let isNamed = isNamedForToken
        let written = text[string.range]
        guard isNamed || string.hasEscapes || written.starts(with: "eyJ".utf8) else { return nil }
        let bytes = string.bytes(in: text.span)
        let isToken = bytes.starts(with: "eyJ".utf8) && bytes.count { $0 == UInt8(ascii: ".") } == 2
        guard isNamed || isToken else { return nil }
        return Token(bytes: bytes, line: line(at: string.range.upperBound), member: path.written())
    }

    /// Whether the present member should hold a token, so that one that is damaged gets a verdict too.
    private var isNamedForToken: Bool {
        switch path.last {
        case .name(let name)?: return Self.names.contains(name)
        case .index?:
            guard case .name(let name)? = path.parent else { return false }
            return name == "signedTransactions"
        case nil: return false
        }
    }

    private mutating func line(at place: Int) -> Int {
        lines.count += text[lines.before..<max(place, lines.before)].count { $0 == UInt8(ascii: "\n") }
        lines.before = max(place, lines.before)
        return lines.count + 1
    }
}
