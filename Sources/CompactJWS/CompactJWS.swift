internal import WireFormats

/// A signed payload in the JWS compact serialization (RFC 7515, section 7.1), taken apart but not believed.
///
/// It holds ranges into the token, not copies. Only `init(_:)` makes one, so whoever holds one knows that the
/// token has three segments of strict base64url.
package struct CompactJWS: Sendable {
    /// Where the protected header stands, still encoded.
    package let header: Range<Int>
    /// Where the payload stands, still encoded.
    package let payload: Range<Int>
    /// Where the signature stands, still encoded.
    package let signature: Range<Int>
    /// The payload's bytes.
    package let payloadBytes: [UInt8]
    /// The signature's bytes, of any number.
    package let signatureBytes: [UInt8]

    /// The bytes that the signature covers: the header, the dot, the payload, all as they came.
    package var signingInput: Range<Int> { header.lowerBound..<payload.upperBound }

    /// Takes a token apart. The header is left encoded: one that was met before need not be read again.
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
        var (count, first, second) = (0, 0, 0)
        for index in 0..<token.count where token[index] == UInt8(ascii: ".") {
            count += 1
            if count == 1 { first = index }
            if count == 2 { second = index }
        }
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
