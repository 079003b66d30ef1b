internal import AppReceipts
internal import WireFormats

/// Finds tokens and receipts in any text, such as a log or a mail, in time that is linear in its length.
///
/// A line break inside a payload is passed over, with the marks that a mail puts around it, because mails break long
/// words. A token ends with its signature: 64 bytes (RFC 7518, section 3.4), so the next line does not belong to it. A
/// receipt states its length.
struct PayloadSearch {
    struct Found {
        let payload: PastedInput
        /// The payload's place in the text.
        let place: Range<Int>
        /// Whether it was broken into lines.
        let isJoined: Bool
    }

    /// 64 bytes in base64url, without padding.
    private static let signatureCharacters = 86
    /// Shorter base64 is not a receipt: see `ReceiptText.isLikely(argument:)`.
    private static let leastReceipt = 129

    private let text: [UInt8]
    /// Everything before this was looked at, so that no byte is looked at more than twice.
    private var place = 0

    /// The payloads in the text's order; `nil` if there are none.
    static func all(in text: [UInt8]) -> [Found]? {
        // The base64 of a certificate or a key begins as that of a receipt does.
        let beginning = MistakenInput(beginningOf: PastedInput.trimmed(text[...]).span)
        let mayHaveReceipts = beginning != .certificate && beginning != .privateKey
        var (search, found) = (PayloadSearch(text: text), [Found]())
        while search.place < text.count {
            search.skipEscape()
            if search.begins(with: "eyJ", at: search.place) {
                search.takeToken().map { found.append($0) }
            } else if mayHaveReceipts, search.begins(with: "MI", at: search.place) {
                search.takeReceipt().map { found.append($0) }
            } else {
                search.place = search.end(ofWordAt: search.place)
            }
        }
        return found.isEmpty ? nil : found
    }

    private init(text: [UInt8]) { self.text = text }

    // MARK: - Payloads

    /// Passes over a token.
    ///
    /// - Returns: `nil` if it only starts like a token.
    private mutating func takeToken() -> Found? {
        let start = place
        var (bytes, dots, signature, isJoined) = ([UInt8](), 0, 0, false)
        while true {
            while place < text.count, Self.isBase64URL(text[place]) || dots < 2 && isDot(place) {
                if isDot(place) { dots += 1 } else if dots == 2 { signature += 1 }
                bytes.append(text[place])
                place += 1
            }
            guard dots < 2 || signature < Self.signatureCharacters, let next = nextLine(after: place),
                isTokenContinued(at: next, isWhole: dots == 2)
            else { break }
            (place, isJoined) = (next, true)
        }
        guard dots == 2, isEnd else { return nil }
        return Found(payload: PastedInput(.token, bytes), place: start..<place, isJoined: isJoined)
    }

    /// Passes over the base64 of a receipt.
    ///
    /// - Returns: `nil` if it only starts like a receipt.
    private mutating func takeReceipt() -> Found? {
        let start = place
        let stated = ReceiptText.statedCharacters(beginning: Array(text[start...].prefix(8)).span) ?? .max
        var (bytes, isJoined) = ([UInt8](), false)
        while true {
            while place < text.count, Self.isBase64(text[place]), bytes.count < stated {
                bytes.append(text[place])
                place += 1
            }
            guard bytes.count < stated, let next = nextLine(after: place), next < text.count,
                Self.isBase64(text[next]), !begins(with: "eyJ", at: next)
            else { break }
            (place, isJoined) = (next, true)
        }
        let isCut = bytes.count < stated && place < text.count && text[place] == UInt8(ascii: "\\")
        guard bytes.count >= Self.leastReceipt, isEnd, !isCut else { return nil }
        return Found(payload: PastedInput(.receipt, bytes), place: start..<place, isJoined: isJoined)
    }

    /// Whether a line goes on with a token.
    ///
    /// - Parameter isWhole: whether all three segments have begun.
    private func isTokenContinued(at place: Int, isWhole: Bool) -> Bool {
        guard place < text.count else { return false }
        guard Self.isBase64URL(text[place]) else { return !isWhole && isDot(place) }
        // Another token begins here, after one that is cut off.
        return !begins(with: "eyJ", at: place)
            || text[place..<end(ofWordAt: place)].count { $0 == UInt8(ascii: ".") } < 2
    }

    // MARK: - Places

    static func isBase64URL(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    static func isBase64(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26 || "+/=".utf8.contains(byte)
    }

    private func isDot(_ place: Int) -> Bool { text[place] == UInt8(ascii: ".") }

    private func begins(with beginning: String, at place: Int) -> Bool {
        text[place...].starts(with: beginning.utf8)
    }

    /// The end of the word here: of base64url and dots, or of a single other character.
    private func end(ofWordAt start: Int) -> Int {
        var place = start
        while place < text.count, Self.isBase64URL(text[place]) || isDot(place) { place += 1 }
        return max(place, start + 1)
    }

    /// Passes over the rest of an escape before a word, such as `\n` or `%22`.
    private mutating func skipEscape() {
        guard place > 0 else { return }
        if text[place - 1] == UInt8(ascii: "\\"), "nrt".utf8.contains(text[place]) {
            place += text.count - place > 1 ? 1 : 0
        } else if text[place - 1] == UInt8(ascii: "%"), text.count - place > 2,
            text[place...].prefix(2).allSatisfy({ hexadecimalDigit($0) != nil })
        {
            place += 2
        }
    }

    /// Whether a payload may end here. No character may follow that damage would leave, such as padding.
    private var isEnd: Bool {
        guard place < text.count else { return true }
        guard text[place] == UInt8(ascii: "%") else {
            return !Self.isBase64URL(text[place]) && !"=+/~.".utf8.contains(text[place])
        }
        let escape = text[(place + 1)...].prefix(2)
        // Those of base64's characters and of a dot belong to the payload.
        return escape.count == 2 && escape.allSatisfy { hexadecimalDigit($0) != nil }
            && !["2B", "2F", "3D", "2E"].contains(String(decoding: escape, as: UTF8.self).uppercased())
    }

    /// Where the text of the next line begins, behind the marks of a mail; `nil` if the line goes on here.
    private func nextLine(after end: Int) -> Int? {
        var place = skipping(" \t", from: end)
        // Quoted-printable marks a line that goes on (RFC 2045, section 6.7).
        if place < text.count, text[place] == UInt8(ascii: "=") { place += 1 }
        guard place < text.count, text[place] == 0x0d || text[place] == 0x0a else { return nil }
        place += text[place] == 0x0d && place + 1 < text.count && text[place + 1] == 0x0a ? 2 : 1
        return skipping("> \t", from: place)
    }

    private func skipping(_ marks: String, from start: Int) -> Int {
        var place = start
        while place < text.count, marks.utf8.contains(text[place]) { place += 1 }
        return place
    }
}
