/// A number in JSON's notation (RFC 8259, section 6), read digit by digit without rounding or overflow.
package struct DecimalNumber {
    private let isNegative: Bool
    /// The digits without sign, point, exponent and leading zeros.
    private let digits: [UInt8]
    /// The number of digits before the decimal point. If it is negative or exceeds the number of digits,
    /// zeros fill the gap.
    private let pointPosition: Int

    /// Reads a number that a JSON reader has found well formed. The time is linear in its length.
    package init(_ text: Span<UInt8>, in range: Range<Int>) {
        var digits: [UInt8] = []
        var pointPosition = 0
        var (hasPoint, exponent, exponentIsNegative, inExponent) = (false, 0, false, false)
        for index in range {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "."): hasPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): inExponent = true
            case UInt8(ascii: "-"): if inExponent { exponentIsNegative = true }
            case UInt8(ascii: "+"): break
            case _ where inExponent:
                // An exponent beyond any possible number of digits in memory acts like infinity.
                exponent = min(exponent * 10 + Int(byte - UInt8(ascii: "0")), 1 << 48)
            default:
                if byte != UInt8(ascii: "0") || !digits.isEmpty {
                    digits.append(byte - UInt8(ascii: "0"))
                    if !hasPoint { pointPosition += 1 }
                } else if hasPoint {
                    pointPosition -= 1
                }
            }
        }
        isNegative = range.isEmpty ? false : text[range.lowerBound] == UInt8(ascii: "-")
        self.digits = digits
        self.pointPosition = pointPosition + (exponentIsNegative ? -exponent : exponent)
    }

    /// A number that a JSON reader has found well formed, if it is an integer of 64 bits.
    package static func integer(_ text: Span<UInt8>, in range: Range<Int>) -> Int64? {
        if let whole = whole(text, in: range) { return whole }
        let number = DecimalNumber(text, in: range)
        return number.hasFraction ? nil : number.floor
    }

    /// A number that is written as at most eighteen digits, read at once; `nil` for any other.
    ///
    /// It is inlinable, because every verdict reads a date.
    @inlinable @inline(__always)
    package static func whole(_ text: Span<UInt8>, in range: Range<Int>) -> Int64? {
        guard range.count <= 18 else { return nil }
        var whole: Int64 = 0
        for index in range {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            whole = whole &* 10 &+ Int64(digit)
        }
        return whole
    }

    /// The largest integer that is not above the number; `nil` if that is beyond 64 bits.
    package var floor: Int64? {
        guard !digits.isEmpty else { return 0 }
        // The greatest has nineteen digits.
        guard pointPosition <= 19 else { return nil }
        var whole: Int64 = 0
        for index in 0..<max(0, pointPosition) {
            let digit = index < digits.count ? Int64(digits[index]) : 0
            let (shifted, overflows) = whole.multipliedReportingOverflow(by: 10)
            let (sum, overflowsAgain) = shifted.addingReportingOverflow(digit)
            guard !overflows, !overflowsAgain else { return nil }
            whole = sum
        }
        guard isNegative else { return whole }
        return hasFraction ? -whole - 1 : -whole
    }

    private var hasFraction: Bool {
        digits.dropFirst(max(0, pointPosition)).contains { $0 != 0 }
    }
}
