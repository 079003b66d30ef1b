public import Essentials
public import SignedPayloads

/// The result of verifying a value that the App Store signed (StoreKit's `VerificationResult`).
@frozen
public indirect enum VerificationResult<SignedType> {
    /// The value passed every check.
    case verified(SignedType)
    /// The value failed the check that the error names. Do not trust anything in it.
    case unverified(SignedType, VerificationError)

    /// The value, if it is verified. Otherwise this throws.
    ///
    /// - Throws: the reason why the value is unverified.
    public var payloadValue: SignedType {
        get throws(VerificationError) {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// The value, verified or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }
}

extension VerificationResult {
    /// Why a value is unverified (StoreKit's `VerificationResult.VerificationError`).
    public enum VerificationError: String, Error, Hashable, Sendable, CaseIterable {
        /// The certificates do not lead to a trust anchor, break a rule, or were not valid when the value was
        /// signed.
        case invalidCertificateChain
        /// The value was not made for the device that the policy names.
        case invalidDeviceVerification
        /// The token or its payload is not in the required format.
        case invalidEncoding
        /// The signature does not match the header and payload.
        case invalidSignature
        /// A required property is missing.
        case missingRequiredProperties
        /// Apple revoked a certificate of the signer.
        case revokedCertificate

        init?(_ storeKitCase: PayloadError.StoreKitCase) {
            self.init(rawValue: storeKitCase.rawValue)
        }
    }
}

extension VerificationResult.VerificationError: LocalizedError, CustomStringConvertible {
    /// A sentence for people. `VerificationResult.underlyingError` has a more exact one, with both values
    /// that were compared.
    public var errorDescription: String? { description }

    /// A sentence for people.
    public var description: String {
        switch self {
        case .invalidCertificateChain: "The certificates do not lead to a trusted root, or were not valid."
        case .invalidDeviceVerification: "The value was not made for this device."
        case .invalidEncoding: "The value is not encoded as it should be."
        case .invalidSignature: "The signature does not match."
        case .missingRequiredProperties: "A required property is missing."
        case .revokedCertificate: "A certificate of the signer was revoked."
        }
    }
}

extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}
extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult: CustomDebugStringConvertible where SignedType: CustomDebugStringConvertible {
    /// Whether the value is verified, and its JSON.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "verified: \(value.debugDescription)"
        case .unverified(let value, let error): "UNVERIFIED (\(error.rawValue)): \(value.debugDescription)"
        }
    }
}

extension VerificationResult where SignedType: SignedValue {
    /// The compact JWS of the value.
    public var jwsRepresentation: String { content.jwsRepresentation }

    /// The protected header's JSON.
    public var headerData: Data { content.headerData }

    /// The payload's JSON, byte for byte as it was signed.
    public var payloadData: Data { content.payloadData }

    /// The bytes that the signature covers: the encoded header, a dot, and the encoded payload.
    public var signedData: Data { content.signedData }

    /// The signature's bytes, `r || s` (RFC 7518, section 3.4).
    public var signatureData: Data { content.signatureData }

    /// The signature: 64 bytes in every verified value.
    public var signature: ECDSASignature { ECDSASignature(unchecked: content.signatureData) }

    /// Why the value is unverified, with both sides of the failed comparison; `nil` if it is verified.
    public var underlyingError: PayloadError? { content.payloadError }

    private var content: SignedContent { unsafePayloadValue.signedContent }
}

extension VerificationResult where SignedType: DeviceSignedValue {
    /// When the App Store signed the value.
    public var signedDate: Date { unsafePayloadValue.signedDate }

    /// The hash that binds the value to a device; empty if the App Store made the value for a server.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }

    /// The nonce of the hash; all zeros if the App Store made the value for a server.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}
