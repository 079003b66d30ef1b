/// The signature of an ES256 JWS: `r` and `s`, each of 32 bytes, big endian (RFC 7518, section 3.4).
struct JWSSignature {
    private let bytes: [UInt8]

    /// The order of P-256's base point (SP 800-186, section 3.2.1.3), big endian.
    static let groupOrder: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]

    /// Checks length and range. A high `s` is legal: ECDSA does not require the lower of the two values, and
    /// about half of the App Store's own signatures have the higher one.
    init(_ bytes: [UInt8]) throws(VerificationError) {
        guard bytes.count == 64 else { throw VerificationError(.signatureLength(bytes.count)) }
        guard Self.isInRange(bytes[..<32]) else { throw VerificationError(.signatureNumber("r")) }
        guard Self.isInRange(bytes[32...]) else { throw VerificationError(.signatureNumber("s")) }
        self.bytes = bytes
    }

    /// Lends `r` and `s`.
    func withNumbers<Result>(_ body: (_ r: Span<UInt8>, _ s: Span<UInt8>) -> Result) -> Result {
        let span = bytes.span
        return body(span.extracting(0..<32), span.extracting(32..<64))
    }

    /// Whether a number is in 1…n−1 (FIPS 186-5, section 6.4.2, step 1).
    private static func isInRange(_ number: ArraySlice<UInt8>) -> Bool {
        number.contains { $0 != 0 } && number.lexicographicallyPrecedes(groupOrder)
    }
}
