/// 256 bits as four words, the least significant first.
package struct Words256: Hashable, Comparable, Sendable {
    package var word0, word1, word2, word3: UInt64

    @inline(__always)
    package init(_ word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
        self.word0 = word0
        self.word1 = word1
        self.word2 = word2
        self.word3 = word3
    }

    /// The 32 bytes at an offset, the most significant first (SEC 1, section 2.3.8).
    @inline(__always)
    package init(bigEndian bytes: Span<UInt8>, at offset: Int) {
        self.init(
            Self.word(bytes, offset + 24), Self.word(bytes, offset + 16), Self.word(bytes, offset + 8),
            Self.word(bytes, offset))
    }

    @inline(__always)
    private static func word(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in offset..<offset + 8 { word = word &<< 8 | UInt64(bytes[index]) }
        return word
    }

    @inline(__always)
    package static func < (a: Words256, b: Words256) -> Bool {
        if a.word3 != b.word3 { return a.word3 < b.word3 }
        if a.word2 != b.word2 { return a.word2 < b.word2 }
        if a.word1 != b.word1 { return a.word1 < b.word1 }
        return a.word0 < b.word0
    }

    /// Whether all bits are 0.
    @inline(__always)
    package var isZero: Bool { word0 | word1 | word2 | word3 == 0 }

    /// Subtracts modulo 2^256; returns the borrow, 0 or 1.
    package mutating func subtract(_ other: Words256) -> UInt64 {
        var borrow: UInt64 = 0
        func difference(_ a: UInt64, _ b: UInt64) -> UInt64 {
            let wide = UInt128(a) &- UInt128(b) &- UInt128(borrow)
            borrow = UInt64(truncatingIfNeeded: wide &>> 64) & 1
            return UInt64(truncatingIfNeeded: wide)
        }
        word0 = difference(word0, other.word0)
        word1 = difference(word1, other.word1)
        word2 = difference(word2, other.word2)
        word3 = difference(word3, other.word3)
        return borrow
    }

    /// Adds modulo 2^256; returns the carry, 0 or 1.
    package mutating func add(_ other: Words256) -> UInt64 {
        var carry: UInt64 = 0
        func sum(_ a: UInt64, _ b: UInt64) -> UInt64 {
            let wide = UInt128(a) &+ UInt128(b) &+ UInt128(carry)
            carry = UInt64(truncatingIfNeeded: wide &>> 64)
            return UInt64(truncatingIfNeeded: wide)
        }
        word0 = sum(word0, other.word0)
        word1 = sum(word1, other.word1)
        word2 = sum(word2, other.word2)
        word3 = sum(word3, other.word3)
        return carry
    }
}
