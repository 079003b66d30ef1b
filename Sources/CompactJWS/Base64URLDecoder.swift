internal import CTextScanning

/// Decodes base64url (RFC 7515, section 2) into memory that is there already: 32 characters at a time where the
/// processor can, and the rest by tables.
///
/// It accepts what `Base64.decode` accepts, and says of anything else only that it is wrong; why, the other
/// says.
package struct Base64URLDecoder: Sendable {
    /// For each place in a group of four and each character, the character's six bits where they belong in the
    /// group's three bytes, the first byte lowest; `wrong` where it has none.
    private let tables: [UInt32]

    /// A bit above the three bytes.
    private static let wrong: UInt32 = 1 << 31

    package init() {
        var tables = [UInt32](repeating: Self.wrong, count: 4 * 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (value, character) in alphabet.utf8.enumerated() {
            for place in 0..<4 {
                let group = UInt32(value) << UInt32(18 - 6 * place)
                tables[place * 256 + Int(character)] = group.byteSwapped >> 8
            }
        }
        self.tables = tables
    }

    /// How many bytes so many characters stand for; `nil` if no text has that many.
    @inline(__always)
    package static func byteCount(of characters: Int) -> Int? {
        characters & 3 == 1 ? nil : characters * 3 / 4
    }

    /// Decodes the text to the place in the output, which must have room for it.
    ///
    /// - Returns: whether the text is right.
    package func decode(_ text: Span<UInt8>, into output: inout [UInt8], at start: Int) -> Bool {
        guard let count = Self.byteCount(of: text.count), start >= 0, output.count - start >= count else {
            return false
        }
        let done = decodeBlocks(of: text, into: &output, start..<start + count)
        // The last whole group is left to the end: four bytes are stored for three, and only where another
        // group follows do they surely have room.
        let groups = max(done / 4, text.count / 4 - 1)
        var wrong = decodeGroups(done / 4..<groups, of: text, into: &output, at: start)
        var (source, target) = (groups * 4, start + groups * 3)
        while source < text.count {
            var group: UInt32 = 0
            let characters = min(4, text.count - source)
            for place in 0..<characters { group |= tables[place * 256 + Int(text[source + place])] }
            wrong |= group
            for place in 0..<characters - 1 {
                output[target + place] = UInt8(truncatingIfNeeded: group >> UInt32(8 * place))
            }
            // What a character has beyond the last byte must be zero: every byte string has one text.
            let rest = (group & ~Self.wrong) >> UInt32(8 * (characters - 1))
            if characters < 4, rest != 0 { return false }
            source += characters
            target += characters - 1
        }
        return wrong & Self.wrong == 0
    }

    /// Decodes whole groups, as many as can be decoded many at a time; returns how many characters they were.
    @inline(__always)
    private func decodeBlocks(of text: Span<UInt8>, into output: inout [UInt8], _ range: Range<Int>) -> Int {
        unsafe text.withUnsafeBufferPointer { text in
            unsafe output.withUnsafeMutableBufferPointer { output in
                guard let source = text.baseAddress, let target = output.baseAddress else { return 0 }
                return unsafe text_scanning_decode_base64(
                    source, text.count, true, target + range.lowerBound, range.count)
            }
        }
    }

    /// Decodes whole groups behind which there is room for a byte more; returns what tells whether any was
    /// wrong.
    ///
    /// The memory is addressed without checks: four characters and three bytes for each group are there, as
    /// the caller has found, and the tables have 256 entries for each place.
    @inline(__always)
    private func decodeGroups(
        _ groups: Range<Int>, of text: Span<UInt8>, into output: inout [UInt8], at start: Int
    ) -> UInt32 {
        var wrong: UInt32 = 0
        unsafe text.withUnsafeBufferPointer { text in
            unsafe tables.withUnsafeBufferPointer { tables in
                unsafe output.withUnsafeMutableBytes { output in
                    guard let source = text.baseAddress, let table = tables.baseAddress,
                        let target = output.baseAddress
                    else { return }
                    for group in groups {
                        let characters = unsafe source + group &* 4
                        let bits =
                            unsafe table[Int(characters[0])] | table[256 &+ Int(characters[1])]
                            | table[512 &+ Int(characters[2])] | table[768 &+ Int(characters[3])]
                        wrong |= bits
                        unsafe (target + start + group &* 3).storeBytes(
                            of: bits.littleEndian, as: UInt32.self)
                    }
                }
            }
        }
        return wrong
    }
}
