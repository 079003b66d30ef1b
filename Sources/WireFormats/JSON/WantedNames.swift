/// The member names that a reader of one object wants, laid out for finding them: by length, then byte by byte.
///
/// A hostile text has a hundred thousand names. Swift strings would be compared with each of them.
struct WantedNames {
    /// The names, in their order.
    let names: [String]
    private let bytes: [UInt8]
    private let ranges: [Range<Int>]
    /// One bit for each length that occurs; the last one stands for all longer lengths too.
    private let lengths: UInt64
    private let shortest: Int
    private let longest: Int

    init(_ names: [String]) {
        self.names = names
        var (bytes, ranges, lengths, longest): ([UInt8], [Range<Int>], UInt64, Int) = ([], [], 0, 0)
        for name in names {
            let start = bytes.count
            bytes.append(contentsOf: name.utf8)
            ranges.append(start..<bytes.count)
            lengths |= Self.bit(of: bytes.count - start)
            longest = max(longest, bytes.count - start)
        }
        (self.bytes, self.ranges, self.lengths, self.longest) = (bytes, ranges, lengths, longest)
        shortest = ranges.map(\.count).min() ?? 0
    }

    private static func bit(of length: Int) -> UInt64 { 1 << UInt64(min(length, 63)) }

    /// Which of the names this is, its escapes resolved; `nil` for another one.
    @inline(__always)
    func index(of name: JSONString, in text: Span<UInt8>) -> Int? {
        if name.hasEscapes { return escapedIndex(of: name, in: text) }
        guard lengths & Self.bit(of: name.range.count) != 0 else { return nil }
        return plainIndex(of: name.range, in: text)
    }

    private func plainIndex(of name: Range<Int>, in text: Span<UInt8>) -> Int? {
        for (index, range) in ranges.enumerated() where range.count == name.count {
            var offset = 0
            while offset < range.count, bytes[range.lowerBound + offset] == text[name.lowerBound + offset] {
                offset += 1
            }
            if offset == range.count { return index }
        }
        return nil
    }

    /// An escape takes two to six bytes for one, so that neither a short nor a long name can be one of these.
    private func escapedIndex(of name: JSONString, in text: Span<UInt8>) -> Int? {
        guard name.range.count > shortest, name.range.count <= 6 * longest else { return nil }
        for (index, range) in ranges.enumerated() where name.equals(bytes, in: range, text: text) {
            return index
        }
        return nil
    }
}
