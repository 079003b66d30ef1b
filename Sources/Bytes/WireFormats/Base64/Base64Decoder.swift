internal import CTextScanning

/// Decodes base64 or base64url (RFC 4648, sections 4 and 5) into existing memory. It takes 64 or 32 characters at a
/// time if the processor can, and uses tables for the rest.
///
/// It accepts the same texts as `Base64.decode`. For any other text it only reports that the text is wrong;
/// `Base64.decode` gives the reason.
package struct Base64Decoder: Sendable {
    private let alphabet: Base64.Alphabet
    /// The width of the widest vectors to use, in bits.
    private let widestVectors: UInt32

    /// One entry for each position in a group of four and each character. It holds the character's six bits
    /// at their place in the group's three bytes, the first byte lowest, or `wrong` if the character is not
    /// in the alphabet.
    private let tables: [UInt32]

    /// A bit above the three bytes.
    private static let wrong: UInt32 = 1 << 31

    /// Makes a decoder of one alphabet: the standard one with padding, or the URL one without.
    package init(alphabet: Base64.Alphabet, widestVectors: UInt32 = 512) {
        var tables = [UInt32](repeating: Self.wrong, count: 4 * 256)
        let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        let characters = alphanumerics + (alphabet == .url ? "-_" : "+/")
        for (value, character) in characters.utf8.enumerated() {
            for place in 0..<4 {
                let group = UInt32(value) << UInt32(18 - 6 * place)
                tables[place * 256 + Int(character)] = group.byteSwapped >> 8
            }
        }
        self.tables = tables
        self.alphabet = alphabet
        self.widestVectors = widestVectors
    }

    /// The number of bytes that a valid text of this length and padding decodes to; `nil` if no valid text
    /// has this length.
    @inline(__always)
    package func byteCount(of text: Span<UInt8>) -> Int? {
        guard let characters = characterCount(of: text) else { return nil }
        return characters * 3 / 4
    }

    /// The number of characters before the padding of a valid text; `nil` if no valid text has this length.
    ///
    /// At most two characters are taken as padding. Extra or misplaced padding characters remain in the text,
    /// and decoding then refuses them, because they are in no alphabet.
    @inline(__always)
    private func characterCount(of text: Span<UInt8>) -> Int? {
        let count = text.count
        switch alphabet {
        case .url: return count & 3 == 1 ? nil : count
        case .standard:
            guard count & 3 == 0 else { return nil }
            guard count > 0, text[count - 1] == UInt8(ascii: "=") else { return count }
            return text[count - 2] == UInt8(ascii: "=") ? count - 2 : count - 1
        }
    }

    /// Decodes the text into a new array; `nil` if it is wrong.
    package func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard let count = byteCount(of: text) else { return nil }
        var isRight = false
        let decoded = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            isRight = unsafe decode(text, to: output)
            initialized = isRight ? count : 0
        }
        return isRight ? decoded : nil
    }

    /// Decodes the text to an offset in the output, which must have room for it.
    ///
    /// - Returns: whether the text is valid.
    package func decode(_ text: Span<UInt8>, into output: inout [UInt8], at start: Int) -> Bool {
        guard start >= 0, start <= output.count else { return false }
        return unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe decode(text, to: UnsafeMutableBufferPointer(rebasing: output[start...]))
        }
    }

    /// Decodes the text to the beginning of memory that need not be initialized. A valid text initializes
    /// every byte.
    private func decode(_ text: Span<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard let characters = characterCount(of: text) else { return false }
        let text = text.extracting(..<characters)
        let count = characters * 3 / 4
        guard output.count >= count else { return false }
        guard count > 0, let target = output.baseAddress else { return text.count == 0 }
        let done = unsafe decodeBlocks(of: text, to: target, count)
        // The last whole group comes last. Each store writes four bytes for three, and only another group
        // after it guarantees room for the fourth.
        let groups = max(done / 4, text.count / 4 - 1)
        var wrong = unsafe decodeGroups(done / 4..<groups, of: text, to: target)
        var (source, next) = (groups * 4, groups * 3)
        while source < text.count {
            var group: UInt32 = 0
            let characters = min(4, text.count - source)
            for place in 0..<characters { group |= tables[place * 256 + Int(text[source + place])] }
            wrong |= group
            for place in 0..<characters - 1 {
                unsafe (target + next + place).initialize(
                    to: UInt8(truncatingIfNeeded: group >> UInt32(8 * place)))
            }
            // The bits of a character after the last byte must be zero, so that every byte string has one
            // text.
            let rest = (group & ~Self.wrong) >> UInt32(8 * (characters - 1))
            if characters < 4, rest != 0 { return false }
            source += characters
            next += characters - 1
        }
        return wrong & Self.wrong == 0
    }

    /// Decodes as many whole groups as the vector code can. Returns the number of characters.
    @inline(__always)
    private func decodeBlocks(
        of text: Span<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ room: Int
    ) -> Int {
        unsafe text.withUnsafeBufferPointer { text in
            guard let source = text.baseAddress else { return 0 }
            return unsafe text_scanning_decode_base64(
                source, text.count, alphabet == .url, widestVectors, target, room)
        }
    }

    /// Decodes whole groups that have room for one more byte after them. Returns a value whose `wrong` bit
    /// says whether any group was wrong.
    ///
    /// The memory is addressed without checks. The caller has made sure of four characters and three bytes
    /// for each group, and the tables have 256 entries for each position.
    @inline(__always)
    private func decodeGroups(
        _ groups: Range<Int>, of text: Span<UInt8>, to target: UnsafeMutablePointer<UInt8>
    ) -> UInt32 {
        var wrong: UInt32 = 0
        unsafe text.withUnsafeBufferPointer { text in
            unsafe tables.withUnsafeBufferPointer { tables in
                guard let source = text.baseAddress, let table = tables.baseAddress else { return }
                for group in groups {
                    let characters = unsafe source + group &* 4
                    let bits =
                        unsafe table[Int(characters[0])] | table[256 &+ Int(characters[1])]
                        | table[512 &+ Int(characters[2])] | table[768 &+ Int(characters[3])]
                    wrong |= bits
                    unsafe UnsafeMutableRawPointer(target + group &* 3).storeBytes(
                        of: bits.littleEndian, as: UInt32.self)
                }
            }
        }
        return wrong
    }
}
