/// The member names that a reader of one object wants, laid out for finding them: each has a slot of its own in a
/// table, by a hash of its length and of its first and last bytes.
///
/// Make one for each list of names, and keep it.
package struct MemberNames: Sendable {
    /// The most names that a list may have: one for each bit of a set.
    package static let maximumCount = 64

    /// The names, in their order.
    package let names: [String]
    private let keys: [Key]
    /// The names' bytes, one behind the other, and where each begins.
    private let bytes: [UInt8]
    private let starts: [Int]
    /// The number of a name in the list; 255 for an empty slot.
    private let slots: [UInt8]
    private let multiplier: UInt64
    private let longest: Int

    /// A name's length, and its first and last eight bytes. Only names of more than sixteen bytes have others.
    private struct Key: Equatable {
        let count: Int
        let first: UInt64
        let last: UInt64

        /// - Parameter name: the name's range in the text, whose bytes behind it may be read.
        @inline(__always)
        init(_ text: Span<UInt8>, _ name: Range<Int>) {
            count = name.count
            if count >= 8 {
                first = Self.word(text, at: name.lowerBound)
                last = Self.word(text, at: name.upperBound - 8)
            } else if text.count - name.lowerBound >= 8 {
                first = Self.word(text, at: name.lowerBound) & (1 << UInt64(8 * count) - 1)
                last = 0
            } else {
                var word: UInt64 = 0
                for index in name.reversed() { word = word << 8 | UInt64(text[index]) }
                (first, last) = (word, 0)
            }
        }

        @inline(__always)
        private static func word(_ text: Span<UInt8>, at start: Int) -> UInt64 {
            UInt64(
                littleEndian: unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
        }

        /// The slot, of 256.
        @inline(__always)
        func slot(_ multiplier: UInt64) -> Int {
            let mixed = first &* multiplier
            let all = (mixed >> 32 ^ mixed ^ (last &+ UInt64(count))) &* multiplier
            return Int(truncatingIfNeeded: all >> 56)
        }
    }

    /// - Parameter names: different names, `maximumCount` at most, each of 64 bytes at most.
    package init(_ names: [String]) {
        precondition(names.count <= Self.maximumCount, "more names than a set has bits")
        precondition(names.allSatisfy { $0.utf8.count <= 64 }, "a name is too long")
        self.names = names
        var (keys, bytes, starts): ([Key], [UInt8], [Int]) = ([], [], [])
        for name in names {
            let name = Array(name.utf8)
            keys.append(Key(name.span, 0..<name.count))
            starts.append(bytes.count)
            bytes += name
        }
        (self.keys, self.bytes, self.starts) = (keys, bytes, starts)
        longest = keys.map(\.count).max() ?? 0
        (multiplier, slots) = Self.table(of: keys)
    }

    /// Finds a multiplier that gives each name a slot of its own. With 45 names in 256 slots, one of sixty does.
    ///
    /// The lists are constants of their modules: no input reaches the trap.
    private static func table(of keys: [Key]) -> (UInt64, [UInt8]) {
        // The fraction of the golden ratio, whose multiples are spread evenly.
        var multiplier: UInt64 = 0x9e37_79b9_7f4a_7c15
        for _ in 0..<1 << 20 {
            var slots = [UInt8](repeating: .max, count: 256)
            var isPerfect = true
            for (index, key) in keys.enumerated() where isPerfect {
                isPerfect = slots[key.slot(multiplier)] == .max
                slots[key.slot(multiplier)] = UInt8(index)
            }
            if isPerfect { return (multiplier, slots) }
            multiplier = multiplier &* 0x9e37_79b9_7f4a_7c15 | 1
        }
        preconditionFailure("two names have the same length and the same ends")
    }

    /// The number of a name in the list; `nil` for another name.
    package func index(of name: String) -> Int? {
        let name = Array(name.utf8)
        return index(of: 0..<name.count, in: name.span)
    }

    /// The number of a name in the list, its escapes resolved; `nil` for another name.
    @inline(__always)
    func index(of name: JSONString, in text: Span<UInt8>) -> Int? {
        name.hasEscapes ? escapedIndex(of: name, in: text) : index(of: name.range, in: text)
    }

    @inline(__always)
    private func index(of name: Range<Int>, in text: Span<UInt8>) -> Int? {
        guard name.count <= longest else { return nil }
        let key = Key(text, name)
        let index = Int(slots[key.slot(multiplier)])
        guard index < keys.count, keys[index] == key else { return nil }
        if name.count > 16, !isSame(index, name, in: text) { return nil }
        return index
    }

    private func isSame(_ index: Int, _ name: Range<Int>, in text: Span<UInt8>) -> Bool {
        let wanted = bytes.span.extracting(starts[index]..<starts[index] + name.count)
        return ByteScanning.starts(text.extracting(name), with: wanted)
    }

    /// An escape takes two to six bytes for one, so that a long name cannot be one of these.
    private func escapedIndex(of name: JSONString, in text: Span<UInt8>) -> Int? {
        guard name.range.count <= 6 * longest else { return nil }
        var resolved = InlineArray<64, UInt8>(repeating: 0)
        var count = 0
        let fits = name.forEachByte(in: text) { byte in
            guard count < longest else { return false }
            resolved[count] = byte
            count += 1
            return true
        }
        return fits ? index(of: 0..<count, in: resolved.span) : nil
    }
}
