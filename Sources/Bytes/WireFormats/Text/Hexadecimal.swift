// Digits, and bytes as two of them. Any byte may enter: the answer for one that is not a digit is `nil`, not an error.

/// Whether a byte is a decimal digit in ASCII. Digits of other scripts are not numbers in any format here.
@inlinable @inline(__always)
package func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

/// The value of a hexadecimal digit in either case; `nil` for any other byte.
@inlinable @inline(__always)
package func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// The byte that two hexadecimal digits name. A sign is not a digit: Swift's `UInt8("+f", radix: 16)` is 15.
package func byte(hexadecimal high: UInt8, _ low: UInt8) -> UInt8? {
    guard let high = hexadecimalDigit(high), let low = hexadecimalDigit(low) else { return nil }
    return high << 4 | low
}

/// Bytes in lower-case hexadecimal, two digits each.
package func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}
