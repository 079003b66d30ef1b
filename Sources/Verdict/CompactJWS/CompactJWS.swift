internal import WireFormats

/// A compact JWS (RFC 7515, section 7.1), split into its segments but not verified.
///
/// It holds ranges into the token, not copies. Only `init(_:)` makes a value of this type. So the token is
/// known to have three segments of strict base64url.
package struct CompactJWS: Sendable {
    /// The range of the protected header, still encoded.
    package let header: Range<Int>
    /// The range of the payload, still encoded.
    package let payload: Range<Int>
    /// The range of the signature, still encoded.
    package let signature: Range<Int>
    package let payloadBytes: [UInt8]
    /// The signature's bytes, of any length.
    package let signatureBytes: [UInt8]

    /// The range that the signature covers: header, dot and payload, as they are encoded in the token.
    package var signingInput: Range<Int> { header.lowerBound..<payload.upperBound }

    /// Splits a token. The header stays encoded, because the caller may know it already.
    package init(_ token: Span<UInt8>) throws(CompactJWSError) {
        let dots = Self.dots(in: token)
        guard dots.count == 2 else { throw .segmentCount(dots.count + 1) }
        header = 0..<dots.first
        payload = (dots.first + 1)..<dots.second
        signature = (dots.second + 1)..<token.count
        payloadBytes = try Self.decode(.payload, token, payload)
        signatureBytes = try Self.decode(.signature, token, signature)
    }

    /// Reads the protected header.
    package func readHeader(of token: Span<UInt8>) throws(CompactJWSError) -> JOSEHeader {
        try JOSEHeader(try Self.decode(.header, token, header))
    }

    /// The number of dots in the token, and where the first two are.
    private static func dots(in token: Span<UInt8>) -> (count: Int, first: Int, second: Int) {
        let dot = UInt8(ascii: ".")
        guard let first = ByteScanning.firstIndex(of: dot, in: token, from: 0) else { return (0, 0, 0) }
        guard let second = ByteScanning.firstIndex(of: dot, in: token, from: first + 1) else {
            return (1, first, 0)
        }
        // The compiler vectorises a loop without an exit.
        var count = 2
        for index in second + 1..<token.count { count &+= token[index] == dot ? 1 : 0 }
        return (count, first, second)
    }

    private static func decode(
        _ segment: CompactJWSError.Segment, _ token: Span<UInt8>, _ range: Range<Int>
    ) throws(CompactJWSError) -> [UInt8] {
        do throws(Base64Error) {
            return try Base64.decode(token, in: range, alphabet: .url)
        } catch {
            throw .base64url(segment, error, segmentOffset: range.lowerBound)
        }
    }
}
