/// How a scalar is split into digits for tables with windows of a given width.
///
/// Every digit is odd. So there are no zeros to test for, no carries, and no point at infinity in a table.
/// The method is by M. Joye and M. Tunstall, "Exponent recoding and regular exponentiation algorithms"
/// (2009). For an odd u and k windows of w bits, let v = (u - 1) / 2 + 2^(wk - 1) and v_i its i-th group of w
/// bits. Then u is the sum of (2 v_i - (2^w - 1)) 2^(wi). An even u is replaced by n - u, which is odd, and
/// the point by its negative. So 0 becomes n, and the sum ends at infinity by an addition that is not
/// skipped.
package struct WindowRecoding: Sendable, Hashable {
    /// The bits in a window: 5 to 16.
    package let bits: Int

    package init(bits: Int) { self.bits = min(max(bits, 5), 16) }

    /// The number of windows of a scalar.
    package var windows: Int { (256 + bits - 1) / bits }

    /// The number of points of a window in a table: the odd multiples 1, 3, … 2^bits - 1.
    package var entries: Int { 1 << (bits - 1) }

    /// A digit: the index of a point in the table, and whether to negate it.
    package struct Digit {
        private let packed: UInt32

        @inline(__always)
        package init(index: Int, isNegative: Bool) {
            packed = UInt32(truncatingIfNeeded: index) << 1 | (isNegative ? 1 : 0)
        }

        /// The index in the whole table.
        @inline(__always) package var index: Int { Int(packed >> 1) }
        @inline(__always) package var isNegative: Bool { packed & 1 == 1 }
    }

    /// Passes the digits of a scalar below n to a closure, the lowest window's first.
    @inline(__always)
    package func forEachDigit(of scalar: Words256, _ body: (Int, Digit) -> Void) {
        var odd = scalar
        let isEven = scalar.word0 & 1 == 0
        if isEven {
            odd = Scalar.order
            _ = odd.subtract(scalar)
        }
        // v has up to 270 bits: 16 windows of 16 bits have 256, and 18 of 15 bits have 270.
        var value: InlineArray<6, UInt64> = [
            odd.word0 &>> 1 | odd.word1 &<< 63, odd.word1 &>> 1 | odd.word2 &<< 63,
            odd.word2 &>> 1 | odd.word3 &<< 63, odd.word3 &>> 1, 0, 0,
        ]
        // (u - 1) / 2 is below 2^255, and wk - 1 is at least 255, so the bit is free.
        let top = bits &* windows &- 1
        value[top &>> 6] |= 1 &<< UInt64(top & 63)
        let (mask, half) = (UInt64(1 &<< bits &- 1), UInt64(1 &<< (bits &- 1)))
        for window in 0..<windows {
            let position = window &* bits
            let (word, offset) = (position &>> 6, UInt64(position & 63))
            let pair = value[word] &>> offset | (value[word &+ 1] &<< 1) &<< (63 &- offset)
            let digit = pair & mask
            let isNegative = digit & half == 0
            let entry = (isNegative ? ~digit : digit) & (half &- 1)
            body(
                window,
                Digit(index: window &* entries &+ Int(entry), isNegative: isNegative != isEven))
        }
    }
}
