public import SignedPayloads
internal import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A payload as it was signed: the token it came in, its parts, and what verifying it found.
public struct SignedContent: Sendable {
    /// The compact JWS (RFC 7515, section 7.1).
    public let jwsRepresentation: String
    /// The payload's JSON, byte for byte as it was signed.
    public let payloadData: Data
    /// Why the payload is not verified, with both sides of the comparison; `nil` if it is.
    public let verificationError: SignedPayloads.VerificationError?
    /// The signed payloads inside that were verified with it; empty where it is not verified itself.
    let nested: [VerifiedPayload.Nested]

    /// A payload that is verified, and with it those inside.
    init(jws: String, payload: VerifiedPayload) {
        jwsRepresentation = jws
        payloadData = Data(payload.json)
        verificationError = nil
        nested = payload.nested
    }

    /// A payload that is not verified.
    init(jws: String, payload: [UInt8], error: SignedPayloads.VerificationError) {
        jwsRepresentation = jws
        payloadData = Data(payload)
        verificationError = error
        nested = []
    }

    /// The protected header's JSON; empty where the token has none that can be decoded.
    public var headerData: Data { decodedSegment(0) }

    /// The signature's bytes: `r || s` (RFC 7518, section 3.4), 64 in every valid one.
    public var signatureData: Data { decodedSegment(2) }

    /// The bytes that the signature covers: the ASCII of the header and the payload, still encoded, and the dot
    /// between them (RFC 7515, section 5.2).
    public var signedData: Data {
        let text = jwsRepresentation.utf8
        return Data(text[..<(text.lastIndex(of: UInt8(ascii: ".")) ?? text.startIndex)])
    }

    private var segments: [Substring.UTF8View] {
        jwsRepresentation.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            $0
        }
    }

    private func decodedSegment(_ index: Int) -> Data {
        let segments = segments
        guard segments.count == 3 else { return Data() }
        let text = Array(segments[index])
        let bytes = try? Base64.decode(text.span, in: 0..<text.count, alphabet: .url)
        return Data(bytes ?? [])
    }
}

/// An ECDSA signature on P-256, as CryptoKit's `P256.Signing.ECDSASignature` represents one.
public struct ECDSASignature: Hashable, Sendable {
    /// `r || s`, 32 bytes each, the most significant first (RFC 7518, section 3.4); whatever an unverified value
    /// came with.
    public let rawRepresentation: Data

    /// - Parameter rawRepresentation: 64 bytes; any other number gives `nil`.
    public init?(rawRepresentation: Data) {
        guard rawRepresentation.count == 64 else { return nil }
        self.rawRepresentation = rawRepresentation
    }

    init(unchecked bytes: Data) { rawRepresentation = bytes }

    /// The DER of `Ecdsa-Sig-Value` (RFC 3279, section 2.2.3); empty where there are not 64 bytes.
    public var derRepresentation: Data {
        guard rawRepresentation.count == 64 else { return Data() }
        let numbers = [rawRepresentation.prefix(32), rawRepresentation.suffix(32)].map { number in
            var bytes = Array(number.drop { $0 == 0 })
            // A leading one bit would make the number negative, and zero has one byte.
            if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
            return [0x02, UInt8(bytes.count)] + bytes
        }.joined()
        return Data([0x30, UInt8(numbers.count)] + numbers)
    }
}
