package import AppReceipts
public import CertificateChain
package import CompactJWS
package import WireFormats

/// Why a payload is not verified: the check that failed, the values that it compared, and a message for
/// people.
public struct PayloadError: Error, Sendable {
    /// An archive under the wrong root fails a million times for one reason: copies share it.
    private final class Content: Sendable {
        let cause: Cause
        let member: String?

        init(_ cause: Cause, _ member: String?) { (self.cause, self.member) = (cause, member) }
    }

    private let content: Content

    package init(_ cause: Cause, member: String? = nil) { content = Content(cause, member) }

    /// The cause, with both sides of the comparison.
    package var cause: Cause { content.cause }

    /// The path of the member in a notification that failed, for instance `data.signedTransactionInfo`:
    /// either the signed payload in it failed, or it has no signed payload. `nil` if the payload itself failed.
    public var member: String? { content.member }

    /// The same failure, with the path of the member in the outer payload.
    package func inside(_ outer: String) -> PayloadError {
        PayloadError(cause, member: member.map { "\(outer).\($0)" } ?? outer)
    }

    /// The verdict on a token that was not kept in memory, because it is longer than the limit.
    package static func tooLarge(bytes: Int, limit: Int) -> PayloadError {
        PayloadError(.tooLarge(bytes: bytes, limit: limit))
    }

    /// The stable name of the failed check, for programs.
    public var code: Code { cause.code }

    /// The check that failed, in the order in which they run.
    public var check: VerificationCheck { member == nil ? cause.check : .nestedPayloads }

    /// Whether the same payload may pass later: the check lacked information, so the failure says nothing
    /// about the payload.
    public var isRetryable: Bool { code == .revocationUnknown }

    /// The status with which a server answers the sender of the payload: 503 if the same payload may pass later, 413 if
    /// it is too large, 400 if it is not a signed payload, 421 if it is genuine and meant for another app or environment,
    /// and otherwise 403.
    public var httpStatus: Int {
        switch code {
        case .revocationUnknown: 503
        case .tooLarge: 413
        case .invalidEncoding, .missingRequiredProperties: 400
        case .wrongEnvironment, .wrongBundleIdentifier, .wrongAppAppleIdentifier: 421
        case .invalidCertificateChain, .revokedCertificate, .invalidSignature, .invalidDeviceVerification: 403
        }
    }

    /// The certificate that the failure is about, for instance an expired one; `nil` if it is not about a certificate. It is
    /// a claim of the payload's sender: a name in it proves nothing.
    public var certificate: CertificateDescription? {
        switch cause {
        case .chain(let error), .validity(let error): error.certificate
        case .revocation(let error): error.certificate
        case .signatureMismatch(let signer), .receiptSignatureMismatch(let signer),
            .receiptDigest(let signer):
            signer
        default: nil
        }
    }

    /// The certificate whose answer is pending, if that is the only thing that is wrong.
    var awaitedCertificate: CertificateDescription? {
        guard case .revocation(let error) = cause, error.violation == .unknown(.pending) else { return nil }
        return error.certificate
    }

    /// A sentence that names the failure and both sides of the comparison.
    public var message: String { cause.description }
}

extension PayloadError: Hashable {
    /// Whether two failures have the same cause and place.
    public static func == (one: PayloadError, other: PayloadError) -> Bool {
        one.content === other.content || (one.cause == other.cause && one.member == other.member)
    }

    /// Hashes cause and place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(cause)
        hasher.combine(member)
    }
}

extension PayloadError {
    /// The stable names of failures.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The token is longer than the limit.
        case tooLarge
        /// The token, header or payload violates its format.
        case invalidEncoding
        /// The certificates do not lead to an anchor, break a rule, or were not valid at the effective date.
        case invalidCertificateChain
        /// The signature does not match.
        case invalidSignature
        /// The payload has no usable date, or lacks a member that its StoreKit type requires.
        case missingRequiredProperties
        /// A certificate was revoked, according to a signed answer from its issuer's service.
        case revokedCertificate
        /// At the moment, nothing says whether a certificate was revoked.
        case revocationUnknown
        /// The payload's environment is not one that the caller accepts.
        case wrongEnvironment
        /// The payload belongs to another app, by its bundle identifier.
        case wrongBundleIdentifier
        /// The payload belongs to another app, by its app Apple ID.
        case wrongAppAppleIdentifier
        /// The payload was not made for the caller's device.
        case invalidDeviceVerification
    }

    /// The cases of StoreKit's `VerificationResult.VerificationError`.
    public enum StoreKitCase: String, Hashable, Sendable, CaseIterable {
        /// The certificate chain is not valid.
        case invalidCertificateChain
        /// The device verification does not match.
        case invalidDeviceVerification
        /// The data is not encoded correctly.
        case invalidEncoding
        /// The signature does not match.
        case invalidSignature
        /// A required property is missing.
        case missingRequiredProperties
        /// A certificate was revoked.
        case revokedCertificate
    }

    /// The failure, with both sides of the comparison.
    package enum Cause: Hashable, Sendable {
        /// The token has more bytes than the limit.
        case tooLarge(bytes: Int, limit: Int)
        /// The token is not a compact JWS in the App Store's form.
        case encoding(CompactJWSError)
        /// The token is not a compact JWS, but another kind of input that the message can name.
        case mistakenInput(MistakenInput)
        /// The receipt is not in the App Store's form.
        case receipt(ReceiptError)
        /// The receipt's signature over its content does not match this certificate's key.
        case receiptSignatureMismatch(signer: CertificateDescription?)
        /// The receipt is signed with SHA-1, and its anchor is not Apple Root CA.
        case receiptDigest(signer: CertificateDescription?)
        /// The receipt has no date at which the certificates could be judged.
        case missingReceiptDate
        /// The receipt's creation date is not a date in the years 1 to 9999.
        case receiptDate(written: String)
        /// The line is a JSON object that does not hold exactly one token.
        case envelope(EnvelopeViolation)
        /// The chain is not trusted.
        case chain(CertificateChainError)
        /// The signature has this many bytes, not 64.
        case signatureLength(Int)
        /// The number that is named here, `r` or `s`, is zero or not below the order of the curve.
        case signatureNumber(String)
        /// The signature over header and payload does not match this certificate's key.
        case signatureMismatch(signer: CertificateDescription?)
        /// The payload is not one JSON object.
        case payloadJSON(JSONError)
        /// A member that a check reads occurs twice.
        case duplicateMember(String)
        /// A member that a check reads has the wrong type.
        case memberType(String, found: String, expected: String)
        /// The payload has no effective date.
        case missingDate(member: String)
        /// The effective date is not a number.
        case dateNotANumber(member: String, found: String)
        /// The effective date is not a finite number between the years 1 and 9999.
        case dateOutOfRange(member: String, written: String)
        /// The date that the caller fixed is not between the years 1 and 9999.
        case fixedDateOutOfRange
        /// The payload lacks a member that its StoreKit type requires.
        case missingProperty(member: String, of: String)
        /// A certificate was not valid at the effective date.
        case validity(CertificateChainError)
        /// A certificate was revoked, or its status is unknown.
        case revocation(RevocationError)
        /// The environment is absent or not accepted.
        case environment(found: String?, accepted: [String])
        /// The bundle identifier is absent or not accepted.
        case bundleIdentifier(found: String?, accepted: [String])
        /// The app Apple ID is absent, or that of another app.
        case appAppleIdentifier(found: String?, accepted: Int64)
        /// The receipt lacks the attribute with this number, which binds it to a device.
        case missingDeviceAttribute(Int)
        /// The receipt's hash does not match the caller's device; both are in hexadecimal.
        case receiptDeviceHash(found: String, expected: String)
        /// The payload lacks a member that binds it to a device.
        case missingDeviceMember(String)
        /// The nonce is not a UUID.
        case deviceNonce(String)
        /// The hash does not match the nonce and the caller's device.
        case deviceHash(found: String, expected: String)
    }

    /// Whether the payload is signed well, and of another environment or bundle identifier than the policy accepts.
    package var isOfOtherIdentity: Bool { code == .wrongEnvironment || code == .wrongBundleIdentifier }

    /// The closest case of StoreKit's `VerificationError`; `nil` if StoreKit has no such case, because the question
    /// does not arise on a device.
    public var storeKitCase: StoreKitCase? {
        switch code {
        case .tooLarge, .invalidEncoding: .invalidEncoding
        case .invalidCertificateChain: .invalidCertificateChain
        case .invalidSignature: .invalidSignature
        case .missingRequiredProperties: .missingRequiredProperties
        case .invalidDeviceVerification: .invalidDeviceVerification
        case .revokedCertificate: .revokedCertificate
        case .revocationUnknown, .wrongEnvironment, .wrongBundleIdentifier, .wrongAppAppleIdentifier: nil
        }
    }
}
