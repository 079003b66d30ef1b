package import Minting

// Encodings that are not DER, each for one reason.
extension DER {
    /// The same value with one byte more in its length than necessary (X.690, forbidden by 10.1).
    package static func longerLength(_ definite: [UInt8]) -> [UInt8] {
        guard let tag = definite.first else { return definite }
        let contents = contents(definite)
        // Big endian, without leading zero bytes.
        let digits = Array(
            (0..<8).map { UInt8(truncatingIfNeeded: contents.count >> (56 - 8 * $0)) }.drop { $0 == 0 })
        let padded = contents.count < 0x80 ? digits : [0] + digits
        return [tag, 0x80 | UInt8(padded.count)] + padded + contents
    }

    /// An OCTET STRING in two constructed pieces (X.690, 8.7.3; forbidden by 10.2).
    package static func constructedOctetString(_ bytes: [UInt8]) -> [UInt8] {
        let half = bytes.count / 2
        return value(tag: 0x24, octetString(Array(bytes[..<half])) + octetString(Array(bytes[half...])))
    }
}
