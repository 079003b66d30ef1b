internal import AppReceipts
internal import WireFormats

/// The input of a program or a person in place of one payload. Here every door separates receipts from tokens, and trims.
///
/// White space is ASCII's space, tab, CR and LF, which JSON allows around a document (RFC 8259, section 2) and base64url
/// does not. A byte order mark or a space of Unicode is part of the text, and the verdict names it.
///
/// | | around a token | around an object | several lines |
/// |---|---|---|---|
/// | `PastedText`, for an inspection | anything: it names the rest | anything | each is a payload |
/// | `init(body:)`, for a verdict | CR and LF at the end | before it; CR and LF at the end | refused |
/// | a line of a batch (`LineScanner`) | LF or CRLF at the end | LF or CRLF at the end | a verdict for each |
///
/// So a verdict is on exact bytes, and a space beside a token is refused. A person who pastes a token with such a space
/// sees the token's content, and a note that the space was left out.
///
/// A receipt keeps the bytes around it, because it is a file: its bytes may end in those of white space, and the reader of
/// base64 passes over the lines' ends.
package struct PastedInput: Hashable, Sendable {
    /// The kind that the input begins like. A verdict says whether it is of that kind.
    package enum Kind: Hashable, Sendable {
        /// A compact JWS, or any text in its place.
        case token
        /// A JSON object around a token.
        case object
        /// An app receipt: its bytes, or their base64.
        case receipt
    }

    package let kind: Kind
    /// The payload.
    package let bytes: [UInt8]

    /// A text in a token's place that is empty.
    package static let empty = PastedInput(.token, [])

    init(_ kind: Kind, _ bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

    /// A payload with nothing around it: a line, or the value of a member.
    init(alone bytes: [UInt8]) {
        let isReceipt = ReceiptText.isLikely(bytes.span)
        self.init(JSONObject.isBegun(by: bytes.span) ? .object : isReceipt ? .receipt : .token, bytes)
    }

    /// The payload of a request's body, for a verdict, without the line breaks of shells and editors around it. `nil` if the
    /// body has only line breaks.
    package init?(body: [UInt8]) {
        var end = body.count
        while end > 0, body[end - 1] == 0x0a || body[end - 1] == 0x0d { end -= 1 }
        guard end > 0 else { return nil }
        let ink = body[..<end].firstIndex { !Self.isWhiteSpace($0) } ?? 0
        let isObject = body[ink] == UInt8(ascii: "{")
        let start = isObject ? ink : 0
        let bytes = start == 0 && end == body.count ? body : Array(body[start..<end])
        guard !Self.isReceipt(bytes) else {
            self.init(.receipt, body)
            return
        }
        self.init(isObject ? .object : .token, bytes)
    }

    /// The kind of an argument that is itself a payload; `nil` if it is the name of a file.
    package static func kind(ofArgument argument: [UInt8]) -> Kind? {
        let text = trimmed(argument[...])
        if JSONObject.isBegun(by: text.span) { return .object }
        if ReceiptText.isLikely(argument: text) { return .receipt }
        return beginsLikeToken(text) && text.count { $0 == UInt8(ascii: ".") } == 2 ? .token : nil
    }

    static func isReceipt(_ content: [UInt8]) -> Bool {
        // Decided without a look at the rest.
        !beginsLikeToken(content) && ReceiptText.isLikely(file: content)
    }

    /// A header is an object with a name, whose first two bytes give these in base64.
    static func beginsLikeToken(_ text: [UInt8]) -> Bool { text.starts(with: "eyJ".utf8) }

    static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard let first = text.firstIndex(where: { !isWhiteSpace($0) }),
            let last = text.lastIndex(where: { !isWhiteSpace($0) })
        else { return [] }
        return Array(text[first...last])
    }

    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }
}

extension MistakenInput {
    /// The format that other programs pack lines in, if data begins like one; `nil` if the data is lines.
    package init?(packed data: Span<UInt8>) {
        guard let format = MistakenInput(beginningOf: data), format.isPacked else { return nil }
        self = format
    }
}

extension BatchLine {
    /// The one line that stands for packed data: its verdict says how to unpack them. `nil` if the data is lines.
    package init?(packed data: Span<UInt8>) {
        guard MistakenInput(packed: data) != nil else { return nil }
        self = .content(0..<min(data.count, MistakenInput.packedBytes))
    }
}
