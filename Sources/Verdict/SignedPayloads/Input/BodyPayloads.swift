package import WireFormats

/// The payloads of a body that may hold several.
///
/// | The body begins with | It is read as |
/// |---|---|
/// | `{`, `[` or `"` | JSON of any shape, one document behind the other; each token in it is a payload |
/// | a receipt's bytes or base64 | one payload |
/// | anything else | lines, each a payload |
///
/// If the text is not JSON, and its first line is a whole object, it is lines too: a damaged line then gets a verdict of its
/// own.
package struct BodyPayloads: Sendable {
    /// Where a payload stood.
    package struct Place: Sendable {
        /// The line on which it ends, from 1.
        package let line: Int
        /// The path of the member that held it; `nil` for a line or a whole document.
        package let member: String?
    }

    /// Why a body has no payloads that can be read.
    package enum Failure: Error, Hashable, Sendable {
        /// There are only line breaks.
        case empty
        /// There are more than the caller takes.
        case tooMany
        /// The text begins like JSON, but is not valid JSON.
        case notJSON(JSONError)
    }

    /// The bytes of the payloads.
    package private(set) var buffer: [UInt8] = []
    /// The payloads, in their order.
    package private(set) var lines: [BatchLine] = []
    /// The place of each payload.
    package private(set) var places: [Place] = []

    private let limits: LineLimits
    private let maximum: Int

    /// - Parameters:
    ///   - body: the bytes that came.
    ///   - limits: how long a payload may be. A longer one has a verdict, too.
    ///   - maximum: how many payloads the caller takes.
    package init(_ body: [UInt8], _ limits: LineLimits, atMost maximum: Int) throws(Failure) {
        (self.limits, self.maximum) = (limits, maximum)
        guard let input = PastedInput(body: body) else { throw .empty }
        if input.kind == .receipt {
            append(input.bytes, Place(line: 1, member: nil))
            return
        }
        guard Self.beginsLikeJSON(body) else {
            try addLines(of: body)
            return
        }
        do throws(JSONError) {
            try addTokens(of: body)
        } catch {
            guard Self.isFirstLineObject(body) else { throw .notJSON(error) }
            (buffer, lines, places) = ([], [], [])
            try addLines(of: body)
        }
        guard lines.count <= maximum else { throw .tooMany }
    }

    private static func beginsLikeJSON(_ body: [UInt8]) -> Bool {
        let first = body.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        return first.map { [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains($0) } ?? false
    }

    private static func isFirstLineObject(_ body: [UInt8]) -> Bool {
        var scanner = LineScanner(LineLimits(maximumTokenBytes: .max))
        guard let line = scanner.next(in: body.span, to: body.count, isAtEnd: true) else { return false }
        let text = body.span.extracting(line.place)
        return (try? JSONObject(text, wanted: MemberNames([]))) != nil
    }

    private mutating func addTokens(of body: [UInt8]) throws(JSONError) {
        var tokens = JSONTokens(body)
        // One more than is taken says that there are too many.
        while lines.count <= maximum, let token = try tokens.next() {
            append(token.bytes, Place(line: token.line, member: token.member))
        }
    }

    private mutating func addLines(of body: [UInt8]) throws(Failure) {
        buffer = body
        var scanner = LineScanner(limits)
        while let line = scanner.next(in: body.span, to: body.count, isAtEnd: true) {
            guard lines.count < maximum else { throw .tooMany }
            lines.append(line)
            places.append(Place(line: scanner.number, member: nil))
        }
    }

    private mutating func append(_ bytes: [UInt8], _ place: Place) {
        let start = buffer.count
        buffer += bytes
        lines.append(BatchLine(start..<buffer.count, of: buffer.span, limits))
        places.append(place)
    }
}
