internal import AppReceipts
internal import WireFormats

/// What a person or a program gave in place of one payload. Every door tells a receipt from a token here, and trims here.
///
/// White space is ASCII's space, tab, CR and LF, which JSON allows around a document (RFC 8259, section 2) and base64url
/// does not. A byte order mark or a space of Unicode is part of the text, and the verdict names it.
///
/// | | around a token | around an object | several lines |
/// |---|---|---|---|
/// | `init(pasted:)`, for an inspection | empty lines, LF or CRLF | white space | the first is meant |
/// | `init(body:)`, for a verdict | CR and LF at the end | before it; CR and LF at the end | refused |
/// | a line of a batch (`LineScanner`) | LF or CRLF at the end | LF or CRLF at the end | a verdict for each |
///
/// So a space beside a token is refused everywhere, and an inspection never finds good what a verdict refuses.
///
/// A receipt keeps what is around it, because it is a file: its bytes may end in those of white space, and the reader of
/// base64 passes over the lines' ends.
package struct PastedInput: Hashable, Sendable {
    /// What the input begins like. A verdict says whether it is that.
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
    /// How many lines that are not empty the input had, if each could be a payload. The payload is the first one then.
    package let lineCount: Int

    private init(_ kind: Kind, _ bytes: [UInt8], lineCount: Int = 1) {
        (self.kind, self.bytes, self.lineCount) = (kind, bytes, lineCount)
    }

    /// The payload that is meant, for a person to look at; `nil` if there are only line breaks.
    package init?(pasted content: [UInt8]) {
        let lines = Self.lines(of: content)
        guard let firstLine = lines.first else { return nil }
        let isReceipt = Self.isReceipt(content)
        // An object may have several lines, as stored bodies of webhooks often do.
        if !isReceipt, let object = Self.oneObject(in: content) {
            self.init(.object, object)
            return
        }
        let first = Array(content[firstLine])
        guard isReceipt else {
            self.init(JSONObject.isBegun(by: first.span) ? .object : .token, first, lineCount: lines.count)
            return
        }
        // The base64 of one receipt may have several lines, of which only the first begins like a receipt.
        let areReceipts =
            lines.count > 1 && lines.allSatisfy { ReceiptText.isLikely(content.span.extracting($0)) }
        self.init(.receipt, areReceipts ? first : content, lineCount: areReceipts ? lines.count : 1)
    }

    /// The payload of a request's body, for a verdict: what shells and editors put around it is removed. `nil` if there are
    /// only line breaks.
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

    /// What an argument is if it is itself a payload; `nil` if it is the name of a file.
    package static func kind(ofArgument argument: [UInt8]) -> Kind? {
        let text = trimmed(argument[...])
        if JSONObject.isBegun(by: text.span) { return .object }
        if ReceiptText.isLikely(argument: text) { return .receipt }
        return beginsLikeToken(text) && text.count { $0 == UInt8(ascii: ".") } == 2 ? .token : nil
    }

    private static func isReceipt(_ content: [UInt8]) -> Bool {
        // Decided without a look at the rest.
        !beginsLikeToken(content) && ReceiptText.isLikely(file: content)
    }

    /// A header is an object with a name, whose first two bytes give these in base64.
    private static func beginsLikeToken(_ text: [UInt8]) -> Bool { text.starts(with: "eyJ".utf8) }

    /// The JSON object that the content is, without the white space around it; `nil` if it is none.
    private static func oneObject(in content: [UInt8]) -> [UInt8]? {
        let text = trimmed(content[...])
        guard JSONObject.isBegun(by: text.span) else { return nil }
        return (try? JSONObject(text.span, wanted: MemberNames([]))).map { _ in text }
    }

    /// The lines that are not empty, of any length.
    private static func lines(of text: [UInt8]) -> [Range<Int>] {
        var scanner = LineScanner(LineLimits(maximumTokenBytes: .max))
        var lines: [Range<Int>] = []
        while let line = scanner.next(in: text.span, to: text.count, isAtEnd: true) {
            lines.append(line.place)
        }
        return lines
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard let first = text.firstIndex(where: { !isWhiteSpace($0) }),
            let last = text.lastIndex(where: { !isWhiteSpace($0) })
        else { return [] }
        return Array(text[first...last])
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }
}

extension BatchLine {
    /// The one line that stands for data that other programs pack lines in: its verdict says how to unpack them. `nil` if
    /// the data is lines.
    package init?(packed data: Span<UInt8>) {
        guard MistakenInput(beginningOf: data)?.isPacked == true else { return nil }
        self = .content(0..<min(data.count, MistakenInput.packedBytes))
    }
}
