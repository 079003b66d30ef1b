internal import WireFormats

/// A receipt in the form in which it is sent: base64, which apps post to a server, or the bytes of its file.
package enum ReceiptText {
    /// Whether a text without dots begins like the base64 of a receipt. All receipts are longer than 127
    /// bytes, and so begin with 30 80 to 30 84.
    @inline(__always)
    package static func isLikely(_ text: Span<UInt8>) -> Bool {
        text.count >= 4 && text[0] == UInt8(ascii: "M") && text[1] == UInt8(ascii: "I")
    }

    /// Whether a file seems to be a receipt of either kind, in any form that a message can name.
    package static func isLikely(file: [UInt8]) -> Bool {
        if file.count > 1, file[0] == 0x30, file[1] >= 0x80 { return true }
        let text = file.drop { $0 <= 0x20 }
        // Base64 of receipts; the same in quotation marks, in PEM boundaries, or encoded twice; hexadecimal.
        let beginnings = ["MI", "\"MI", "'MI", "-----BEGIN", "TUlJ", "3080", "3082"]
        return beginnings.contains { text.starts(with: $0.utf8) } || TransactionReceipt.isLikely(file)
    }

    /// Whether an argument is the base64 of a receipt, not the name of a file. Few names of files are this long and have no
    /// dot.
    package static func isLikely(argument: [UInt8]) -> Bool {
        argument.count > 128 && isLikely(argument.span) && MistakenInput.isBase64(argument[...], besides: [])
    }

    /// The receipt's bytes, given as they are or in strict base64 with padding (RFC 4648, section 4).
    ///
    /// - Parameter text: the bytes or the base64, with nothing before or after.
    package static func decode(_ text: Span<UInt8>) throws(ReceiptError) -> [UInt8] {
        // A SEQUENCE begins with 30; its base64 begins with an M.
        if text.count > 0, text[0] == 0x30, text.count < 2 || text[1] >= 0x80 { return bytes(of: text) }
        let decoded = try decodeBase64(text)
        guard decoded.first != 0x30 else { return decoded }
        if let mistaken = MistakenInput(text: bytes(of: text)) ?? MistakenInput(decoded: decoded) {
            throw .mistaken(mistaken)
        }
        return decoded
    }

    private static let decoder = Base64Decoder(alphabet: .standard)

    private static func decodeBase64(_ text: Span<UInt8>) throws(ReceiptError) -> [UInt8] {
        if let decoded = decoder.decode(text) { return decoded }
        // The other decoder gives the reason for the failure.
        do throws(Base64Error) {
            return try Base64.decode(text, in: 0..<text.count, alphabet: .standard)
        } catch {
            if let mistaken = MistakenInput(text: bytes(of: text)) { throw .mistaken(mistaken) }
            if case .invalidLength = error { try explainLength(of: text) }
            throw .base64(error)
        }
    }

    /// Explains a length that no base64 encoder writes. It throws the cause if the receipt's own length shows
    /// it.
    private static func explainLength(of text: Span<UInt8>) throws(ReceiptError) {
        var count = text.count
        while count > 0, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        let whole = 0..<count / 4 * 4
        guard isLikely(text), let decoded = try? Base64.decode(text, in: whole, alphabet: .standard),
            let stated = SignedData.statedLength(decoded.span)
        else { return }
        let found = count * 3 / 4
        if stated > found { throw .truncated(stated: stated, found: found) }
        throw .mistaken(.missingPadding)
    }

    /// How long a receipt's base64 is, by its first eight characters; `nil` if they do not state it.
    package static func statedCharacters(beginning text: Span<UInt8>) -> Int? {
        guard text.count >= 8,
            let start = try? Base64.decode(text, in: 0..<8, alphabet: .standard),
            let length = SignedData.statedLength(start.span)
        else { return nil }
        return (length + 2) / 3 * 4
    }

    /// The receipt in a file: its bytes or its base64. Base64 may be broken into lines (RFC 2045, section
    /// 6.8) and have white space around it.
    package static func decode(file: [UInt8]) throws(ReceiptError) -> [UInt8] {
        if file.count > 1, file[0] == 0x30, file[1] >= 0x80 { return file }
        let trimmed = trimmed(file[...])
        guard !isSeveral(Array(trimmed)) else { throw .mistaken(.several) }
        // Lines may be indented.
        let joined = trimmed.split { $0 == 0x0a || $0 == 0x0d }.flatMap(Self.trimmed)
        do throws(ReceiptError) {
            return try decode(joined.span)
        } catch {
            // The text with its line breaks may show more.
            guard case .base64 = error, let mistaken = MistakenInput(text: Array(trimmed)) else {
                throw error
            }
            throw .mistaken(mistaken)
        }
    }

    /// Removes the ASCII white space around a text.
    static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isInk: (UInt8) -> Bool = { $0 != 0x20 && !(0x09...0x0d).contains($0) }
        guard let first = text.firstIndex(where: isInk), let last = text.lastIndex(where: isInk) else {
            return []
        }
        return text[first...last]
    }

    /// Whether there are several receipts, one on each line. A line that begins like a receipt may also
    /// continue another one. But this is unlikely after a line that is a complete receipt.
    private static func isSeveral(_ text: [UInt8]) -> Bool {
        let lines = text.split(maxSplits: 1) { $0 == 0x0a || $0 == 0x0d }
        guard lines.count == 2, lines[1].starts(with: "MI".utf8),
            let first = try? decode(Array(lines[0]).span), first.first == 0x30
        else { return false }
        let element = try? BERElement(first.span, at: 0, limit: first.count, allowsIndefiniteLength: true)
        return element?.end == first.count
    }

    static func bytes(of text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(text)
        return bytes
    }
}
