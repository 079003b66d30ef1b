internal import CompactJWS
public import Essentials
public import SignedPayloads
internal import WireFormats

/// A payload as it was signed: its token, the token's parts, and the result of verifying it.
public struct SignedContent: Sendable {
    /// The compact JWS (RFC 7515, section 7.1).
    public let jwsRepresentation: String
    /// The payload's JSON, byte for byte as it was signed.
    public let payloadData: Data
    /// Why the payload is unverified, with both sides of the failed comparison; `nil` if it is verified.
    public let payloadError: PayloadError?
    /// The kind of a verified payload, or of the receipt that lists a purchase; `nil` if this payload is unverified.
    let kind: SignedPayloadKind?
    /// The signed payloads inside this one, which were verified with it. Empty if this payload is unverified.
    let nested: [VerifiedPayload.Nested]
    /// The environment of the verified notification that carried the payload. It counts if the payload names none, as those of
    /// before 2022.
    let environmentAround: AppStore.Environment?

    /// A verified payload. The signed payloads inside it are verified too.
    ///
    /// - Parameters:
    ///   - keepsToken: whether to keep the token, which takes four fifths of a value's memory.
    ///   - environment: that of the verified notification that carried the payload.
    package init(
        _ payload: VerifiedPayload, keepsToken: Bool = true, in environment: AppStore.Environment? = nil
    ) {
        jwsRepresentation = keepsToken ? payload.jwsRepresentation : ""
        payloadData = Data(payload.json)
        payloadError = nil
        kind = payload.kind
        nested = payload.nested
        environmentAround = environment
    }

    /// The payload of a token that was refused; `nil` if it cannot be decoded.
    package init?(refused jws: String, for error: PayloadError) {
        let bytes = Array(jws.utf8)
        guard let payload = try? CompactJWS(bytes.span).payloadBytes else { return nil }
        jwsRepresentation = jws
        payloadData = Data(payload)
        payloadError = error
        kind = nil
        nested = []
        environmentAround = nil
    }

    /// A payload without its token, to read its members; or no payload, for a type that declares its properties.
    init(json: [UInt8] = []) {
        jwsRepresentation = ""
        payloadData = Data(json)
        payloadError = nil
        kind = nil
        nested = []
        environmentAround = nil
    }

    /// The members of a purchase that a verified receipt lists.
    init(listed json: [UInt8]) {
        jwsRepresentation = ""
        payloadData = Data(json)
        payloadError = nil
        kind = .receipt
        nested = []
        environmentAround = nil
    }

    private static let environment = MemberNames(["environment"])

    /// Whether the payload names no environment, and has that of the notification around it.
    fileprivate var hasEnvironmentOfEnvelope: Bool {
        guard environmentAround != nil else { return false }
        let fields = try? PayloadFields(Array(payloadData), names: Self.environment)
        return fields?.string("environment")?.isEmpty ?? true
    }

    /// The protected header's JSON; empty if the token's header cannot be decoded.
    public var headerData: Data { decodedSegment(0) }

    /// The signature's bytes, `r || s` (RFC 7518, section 3.4): 64 bytes in every valid token.
    public var signatureData: Data { decodedSegment(2) }

    /// The bytes that the signature covers (RFC 7515, section 5.2): the ASCII of the encoded header, a dot,
    /// and the encoded payload.
    public var signedData: Data {
        let text = jwsRepresentation.utf8
        return Data(text[..<(text.lastIndex(of: UInt8(ascii: ".")) ?? text.startIndex)])
    }

    private func decodedSegment(_ index: Int) -> Data {
        Data(Self.segment(index, ofUnverified: jwsRepresentation) ?? [])
    }

    /// The bytes of a token's segment; `nil` if the token has not three segments, or this one is not base64url.
    package static func segment(_ index: Int, ofUnverified token: String) -> [UInt8]? {
        let segments = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count == 3 else { return nil }
        let text = Array(segments[index])
        return try? Base64.decode(text.span, in: text.indices, alphabet: .url)
    }
}

extension DeviceSignedValue {
    /// Whether the value's environment is that of the notification that carried it, because it names none.
    package var hasEnvironmentOfEnvelope: Bool { signedContent.hasEnvironmentOfEnvelope }
}

/// An ECDSA signature on P-256, as CryptoKit's `P256.Signing.ECDSASignature` represents one.
public struct ECDSASignature: Hashable, Sendable {
    /// `r || s`, 32 bytes each, most significant byte first (RFC 7518, section 3.4). The signature of an
    /// unverified value may have any length.
    public let rawRepresentation: Data

    /// - Parameter rawRepresentation: the 64 bytes of `r || s`. The result is `nil` if the length differs.
    public init?(rawRepresentation: Data) {
        guard rawRepresentation.count == 64 else { return nil }
        self.rawRepresentation = rawRepresentation
    }

    init(unchecked bytes: Data) { rawRepresentation = bytes }

    /// The DER encoding of `Ecdsa-Sig-Value` (RFC 3279, section 2.2.3); empty unless the signature has 64
    /// bytes.
    public var derRepresentation: Data {
        guard rawRepresentation.count == 64 else { return Data() }
        let numbers = [rawRepresentation.prefix(32), rawRepresentation.suffix(32)].map { number in
            var bytes = Array(number.drop { $0 == 0 })
            // DER integers are signed: a leading one bit would make the number negative. Zero needs one byte.
            if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
            return [0x02, UInt8(bytes.count)] + bytes
        }.joined()
        return Data([0x30, UInt8(numbers.count)] + numbers)
    }
}
