internal import AppReceipts
package import SignedPayloads

/// The statuses of Apple's `verifyReceipt` endpoint for refusals (App Store Receipts, `status`), as far as they
/// occur here.
package enum VerifyReceiptStatus: Int, Error {
    /// The request is not a POST, or its body is not a JSON object in the endpoint's form.
    case malformedRequest = 21000
    /// The receipt is malformed or missing.
    case malformedReceipt = 21002
    /// The receipt cannot be authenticated.
    case notAuthentic = 21003
    /// The password is not the app's shared secret.
    case wrongPassword = 21004
    /// The service cannot answer at the moment; the caller should try again.
    case unavailable = 21005
    /// The receipt is from the test environment, but was sent to production.
    case fromSandbox = 21007
    /// The receipt is from production, but was sent to the test environment.
    case fromProduction = 21008
    /// The database of purchases cannot be read; the caller should try again.
    case internalError = 21009

    /// The status for a receipt that is not verified.
    package init(_ error: PayloadError) {
        switch error.code {
        case .tooLarge, .invalidEncoding, .missingRequiredProperties: self = .malformedReceipt
        case .wrongEnvironment: self = Self.status(of: error.cause)
        case .revocationUnknown: self = .unavailable
        case .invalidCertificateChain, .revokedCertificate, .invalidSignature, .wrongBundleIdentifier,
            .wrongAppAppleIdentifier, .invalidDeviceVerification:
            self = .notAuthentic
        }
    }

    private static func status(of cause: PayloadError.Cause?) -> VerifyReceiptStatus {
        guard case .environment(let found?, let accepted) = cause else { return .notAuthentic }
        let (sandbox, production) = (
            AppStoreEnvironment.sandbox.rawValue,
            AppStoreEnvironment.production.rawValue
        )
        switch ReceiptVerifier.environment(ofType: found) {
        case sandbox where accepted.contains(production): return .fromSandbox
        case production where accepted.contains(sandbox): return .fromProduction
        default: return .notAuthentic
        }
    }
}
