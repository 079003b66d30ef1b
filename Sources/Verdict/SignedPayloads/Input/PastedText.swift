internal import AppReceipts
internal import WireFormats

/// A text that a person pasted to look at: the payloads in it, and the rest that was left out.
///
/// It forgives the usual damage of a text between two people: quotation marks, the lines and marks of a mail, `Bearer`, a log
/// line around the token, an answer of the App Store Server API. It is for inspections alone. A verdict is on exact bytes:
/// see `PastedInput(body:)`. Only whole payloads are taken out, unchanged except for line breaks inside.
package struct PastedText: Sendable {
    /// Why the payloads are not the whole text.
    package enum Surroundings: Hashable, Sendable {
        /// White space, also that of Unicode, and byte order marks.
        case space
        /// Quotation marks, and commas behind them.
        case quotationMarks
        /// `Bearer`, as in an HTTP header.
        case bearer
        /// Other members of a JSON document.
        case document
        /// Any other text.
        case text
    }

    /// The first payloads, in their order: at most `mostPayloads`.
    package let payloads: [PastedInput]
    /// The payload to show if only one is shown.
    package var first: PastedInput { payloads.first ?? .empty }
    /// How many payloads there are in all.
    package let payloadCount: Int
    /// The kind of text that was left out around the payloads; `nil` if nothing was.
    package let surroundings: Surroundings?
    /// Whether lines were joined in which a mail had broken a payload.
    package let isJoined: Bool
    /// How many lines that are not empty have no payload, if others have several.
    package let otherLines: Int

    /// A person looks at a few. A program that has more gives them as lines of a batch.
    package static let mostPayloads = 1_000

    /// - Parameter content: the text, or the bytes of a file. `nil` if there are only line breaks.
    package init?(_ content: [UInt8]) {
        let lines = Self.lines(of: content)
        guard let first = lines.first else { return nil }
        if let alone = Self.aloneOrLines(content, lines) {
            self.init(alone)
        } else if let inside = Self.members(of: content) {
            self.init(inside, nil, .document)
        } else if let found = PayloadSearch.all(in: content) {
            self.init(found, in: content, lines)
        } else {
            // The verdict on this names its kind.
            let rest = Self.notFound(content, first)
            self.init([rest.payload], rest.isWhole ? 1 : lines.count)
        }
    }

    private init(
        _ payloads: [PastedInput], _ count: Int? = nil, _ surroundings: Surroundings? = nil,
        isJoined: Bool = false, otherLines: Int = 0
    ) {
        self.payloads = Array(payloads.prefix(Self.mostPayloads))
        payloadCount = count ?? payloads.count
        self.surroundings = surroundings
        (self.isJoined, self.otherLines) = (isJoined, otherLines)
    }

    private init(_ found: [PayloadSearch.Found], in content: [UInt8], _ lines: [Range<Int>]) {
        var places = found.map(\.place)[...]
        let others = lines.count { line in
            while let place = places.first, place.upperBound <= line.lowerBound { places.removeFirst() }
            return places.first.map { !$0.overlaps(line) } ?? true
        }
        self.init(
            found.map(\.payload), nil, Self.surroundings(of: found, in: content),
            isJoined: found.contains(where: \.isJoined), otherLines: found.count > 1 ? others : 0)
    }

    // MARK: - As it is

    /// One payload, or a payload on each line, with nothing around them that a verdict would refuse.
    private static func aloneOrLines(_ content: [UInt8], _ lines: [Range<Int>]) -> [PastedInput]? {
        let isReceipt = PastedInput.isReceipt(content)
        // An object may have several lines, as stored bodies of webhooks often do.
        if !isReceipt, let object = oneObject(in: content), hasToken(object) {
            return [PastedInput(.object, object)]
        }
        // The base64 of one receipt may have several lines, of which only the first begins like a receipt.
        let areReceipts = lines.allSatisfy { ReceiptText.isLikely(content.span.extracting($0)) }
        if isReceipt, lines.count == 1 || !areReceipts, isReceiptAlone(content) {
            return [PastedInput(.receipt, content)]
        }
        var payloads: [PastedInput] = []
        for line in lines {
            let payload = PastedInput(alone: Array(content[line]))
            guard isAlone(payload) else { return nil }
            payloads.append(payload)
        }
        return payloads
    }

    /// The content, if it is a JSON object, without the white space around it; otherwise `nil`.
    private static func oneObject(in content: [UInt8]) -> [UInt8]? {
        let text = PastedInput.trimmed(content[...])
        guard JSONObject.isBegun(by: text.span) else { return nil }
        return (try? JSONObject(text.span, wanted: MemberNames([]))).map { _ in text }
    }

    private static func hasToken(_ object: [UInt8]) -> Bool {
        (try? TokenEnvelope.token(in: object.span)) != nil
    }

    private static func isReceiptAlone(_ content: [UInt8]) -> Bool {
        content.count > 1 && content[0] == 0x30 && content[1] >= 0x80
            || content.allSatisfy { PayloadSearch.isBase64($0) || PastedInput.isWhiteSpace($0) }
    }

    private static func isAlone(_ payload: PastedInput) -> Bool {
        switch payload.kind {
        case .object: hasToken(payload.bytes)
        case .receipt: isReceiptAlone(payload.bytes)
        case .token:
            PastedInput.beginsLikeToken(payload.bytes)
                && payload.bytes.allSatisfy { PayloadSearch.isBase64URL($0) || $0 == UInt8(ascii: ".") }
                && payload.bytes.count { $0 == UInt8(ascii: ".") } == 2
        }
    }

    /// The input that stands for a text without payloads: the whole of it, or its first line.
    private static func notFound(
        _ content: [UInt8], _ line: Range<Int>
    ) -> (payload: PastedInput, isWhole: Bool) {
        if PastedInput.isReceipt(content) { return (PastedInput(.receipt, content), true) }
        if let object = oneObject(in: content) { return (PastedInput(.object, object), true) }
        let first = Array(content[line])
        return (PastedInput(JSONObject.isBegun(by: first.span) ? .object : .token, first), false)
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

    // MARK: - Inside other text

    /// The tokens and receipts in the members of JSON documents, one document behind the other; `nil` if there are none.
    private static func members(of content: [UInt8]) -> [PastedInput]? {
        let first = content.first { !PastedInput.isWhiteSpace($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        var (tokens, payloads) = (JSONTokens(content), [PastedInput]())
        do throws(JSONError) {
            while let token = try tokens.next() {
                // A document without a member that holds a token stands for itself.
                if token.member != nil { payloads.append(PastedInput(alone: token.bytes)) }
            }
        } catch {
            return nil
        }
        return payloads.isEmpty ? nil : payloads
    }

    /// The kind of text around payloads that were found in a text; `nil` if nothing is around them.
    private static func surroundings(
        of found: [PayloadSearch.Found], in content: [UInt8]
    ) -> Surroundings? {
        guard let first = found.first, let last = found.last else { return nil }
        guard found.count == 1 else { return .text }
        let sides = [content[..<first.place.lowerBound], content[last.place.upperBound...]]
        guard sides.contains(where: { !$0.isEmpty }) else { return nil }
        // Longer text is more than marks.
        guard sides.allSatisfy({ $0.count <= 64 }) else { return .text }
        let texts = sides.map { String(decoding: $0, as: UTF8.self) }
        let marks = texts.map { $0.filter { !isSpace($0) && $0 != ">" } }
        if marks == ["", ""] { return .space }
        if ["bearer", "authorization:bearer"].contains(marks[0].lowercased()), marks[1].isEmpty {
            return .bearer
        }
        let isQuoted = marks.joined().allSatisfy { "\"'`“”„‟‘’‚‛«»‹›,;".contains($0) }
        return isQuoted ? .quotationMarks : .text
    }

    /// Whether a character is white space, or the invisible mark with which some editors begin a file.
    private static func isSpace(_ character: Character) -> Bool {
        character.isWhitespace || ["\u{feff}", "\u{200b}", "\u{2060}"].contains(character)
    }
}

extension PastedText {
    /// The changes to the text (parts left out, lines joined), in sentences for the person who pasted it; empty if it was
    /// not changed.
    package var notes: [String] {
        var notes: [String] = []
        let (one, several) = (payloadCount == 1, "\(payloadCount) payloads")
        if isJoined { notes.append("Joined the lines in which \(one ? "it was" : "they were") broken.") }
        switch surroundings {
        case nil: break
        case .space where isJoined: break
        case .space: notes.append("Left out the white space around it. A program must send it without.")
        case .quotationMarks:
            notes.append("Left out the quotation marks around it. A program must send it without.")
        case .bearer: notes.append("Left out \"Bearer\" before it. A program must send it without.")
        case .document:
            let what = one ? "one payload" : several
            notes.append("Took \(what) out of a JSON document. The rest of the document is not verified.")
        case .text:
            let what = one ? "it" : several
            notes.append(
                "Took \(what) out of the text around, such as a log line. That text is not verified.")
        }
        if otherLines > 0 { notes.append("Left out the other lines (\(otherLines)): no payload is in them.") }
        return notes
    }
}
