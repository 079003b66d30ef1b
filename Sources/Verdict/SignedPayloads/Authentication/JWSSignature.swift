internal import P256Verification

/// The signature of an ES256 JWS: `r` and `s`, each of 32 bytes, big endian (RFC 7518, section 3.4).
struct JWSSignature {
    private let bytes: [UInt8]

    /// Checks length and range. A high `s` is legal: ECDSA does not require the lower of the two values, and
    /// about half of the App Store's own signatures have the higher one.
    init(_ bytes: [UInt8]) throws(PayloadError) {
        guard bytes.count == 64 else { throw PayloadError(.signatureLength(bytes.count)) }
        let (r, s) = (Words256(bigEndian: bytes.span, at: 0), Words256(bigEndian: bytes.span, at: 32))
        guard Scalar.isInRange(r) else { throw PayloadError(.signatureNumber("r")) }
        guard Scalar.isInRange(s) else { throw PayloadError(.signatureNumber("s")) }
        self.bytes = bytes
    }

    /// Lends `r` and `s`.
    func withNumbers<Result>(_ body: (_ r: Span<UInt8>, _ s: Span<UInt8>) -> Result) -> Result {
        let span = bytes.span
        return body(span.extracting(0..<32), span.extracting(32..<64))
    }
}
