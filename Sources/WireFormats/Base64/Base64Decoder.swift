internal import CTextScanning

/// Decodes base64 or base64url (RFC 4648, sections 4 and 5) into memory that is there already: 32 characters at
/// a time where the processor can, and the rest by tables.
///
/// It accepts what `Base64.decode` accepts, and says of anything else only that it is wrong; why, the other
/// says.
package struct Base64Decoder: Sendable {
    private let alphabet: Base64.Alphabet

    /// For each place in a group of four and each character, the character's six bits where they belong in the
    /// group's three bytes, the first byte lowest; `wrong` where it has none.
    private let tables: [UInt32]

    /// A bit above the three bytes.
    private static let wrong: UInt32 = 1 << 31

    /// A decoder of one alphabet: of the standard one with padding, of the other without.
    package init(alphabet: Base64.Alphabet) {
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
    }

    /// How many bytes the text stands for if it is right, by its length and padding alone; `nil` if no right text
    /// has this length.
    @inline(__always)
    package func byteCount(of text: Span<UInt8>) -> Int? {
        guard let characters = characterCount(of: text) else { return nil }
        return characters * 3 / 4
    }

    /// How many characters the text has before its padding, if it is right; `nil` if no right text has this
    /// length.
    ///
    /// At most two are taken for padding. Where one is too many or in another place, a padding character is left
    /// to decode, and is in no alphabet.
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

    /// Decodes the text into an array of its own; `nil` if it is wrong.
    package func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard let count = byteCount(of: text) else { return nil }
        var isRight = false
        let decoded = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            isRight = unsafe decode(text, to: output)
            initialized = isRight ? count : 0
        }
        return isRight ? decoded : nil
    }

    /// Decodes the text to the place in the output, which must have room for it.
    ///
    /// - Returns: whether the text is right.
    package func decode(_ text: Span<UInt8>, into output: inout [UInt8], at start: Int) -> Bool {
        guard start >= 0, start <= output.count else { return false }
        return unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe decode(text, to: UnsafeMutableBufferPointer(rebasing: output[start...]))
        }
    }

    /// Decodes the text to the beginning of memory that need not be initialized; all bytes of a right text are
    /// stored.
    private func decode(_ text: Span<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard let characters = characterCount(of: text) else { return false }
        let text = text.extracting(..<characters)
        let count = characters * 3 / 4
        guard output.count >= count else { return false }
        guard count > 0, let target = output.baseAddress else { return text.count == 0 }
        let done = unsafe decodeBlocks(of: text, to: target, count)
        // The last whole group is left to the end: four bytes are stored for three, and only where another
        // group follows do they surely have room.
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
            // What a character has beyond the last byte must be zero: every byte string has one text.
            let rest = (group & ~Self.wrong) >> UInt32(8 * (characters - 1))
            if characters < 4, rest != 0 { return false }
            source += characters
            next += characters - 1
        }
        return wrong & Self.wrong == 0
    }

    /// Decodes whole groups, as many as can be decoded many at a time; returns how many characters they were.
    @inline(__always)
    private func decodeBlocks(
        of text: Span<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ room: Int
    ) -> Int {
        unsafe text.withUnsafeBufferPointer { text in
            guard let source = text.baseAddress else { return 0 }
            return unsafe text_scanning_decode_base64(source, text.count, alphabet == .url, target, room)
        }
    }

    /// Decodes whole groups behind which there is room for a byte more; returns what tells whether any was
    /// wrong.
    ///
    /// The memory is addressed without checks: four characters and three bytes for each group are there, as
    /// the caller has found, and the tables have 256 entries for each place.
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
