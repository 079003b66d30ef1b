internal import CStoreKitVerify
internal import SignedPayloads

// The numbers of the header, which are frozen.

extension PayloadError.Code {
    /// The code's number.
    ///
    /// A new code gets a new number at the end; a number is never used again.
    var number: UInt8 {
        let number =
            switch self {
            case .tooLarge: SKV_TOO_LARGE
            case .invalidEncoding: SKV_INVALID_ENCODING
            case .invalidCertificateChain: SKV_INVALID_CERTIFICATE_CHAIN
            case .invalidSignature: SKV_INVALID_SIGNATURE
            case .missingRequiredProperties: SKV_MISSING_REQUIRED_PROPERTIES
            case .revokedCertificate: SKV_REVOKED_CERTIFICATE
            case .revocationUnknown: SKV_REVOCATION_UNKNOWN
            case .wrongEnvironment: SKV_WRONG_ENVIRONMENT
            case .wrongBundleIdentifier: SKV_WRONG_BUNDLE_IDENTIFIER
            case .wrongAppAppleIdentifier: SKV_WRONG_APP_APPLE_IDENTIFIER
            case .invalidDeviceVerification: SKV_INVALID_DEVICE_VERIFICATION
            }
        return UInt8(truncatingIfNeeded: number)
    }
}

extension SignedPayloadKind {
    var number: UInt8 {
        let number =
            switch self {
            case .transaction: SKV_KIND_TRANSACTION
            case .renewalInfo: SKV_KIND_RENEWAL_INFO
            case .appTransaction: SKV_KIND_APP_TRANSACTION
            case .notification: SKV_KIND_NOTIFICATION
            case .realtimeRequest: SKV_KIND_REALTIME_REQUEST
            case .receipt: SKV_KIND_RECEIPT
            case .unknown: SKV_KIND_UNKNOWN
            }
        return UInt8(truncatingIfNeeded: number)
    }
}
