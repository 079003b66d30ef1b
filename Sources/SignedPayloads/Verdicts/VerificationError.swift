public import AppReceipts
public import CertificateChain
public import CompactJWS
public import Revocation
public import WireFormats

/// Why a payload is not verified: which check failed, what it compared, and a sentence for people.
public struct VerificationError: Error, Hashable, Sendable {
    /// What failed, with both sides of the comparison.
    public let cause: Cause
    /// The member of a notification that failed, for instance `data.signedTransactionInfo`: the signed payload
    /// in it, or because it holds none; `nil` where the payload itself failed.
    public let member: String?

    package init(_ cause: Cause, member: String? = nil) {
        self.cause = cause
        self.member = member
    }

    /// The same failure, seen from the payload around it.
    func inside(_ outer: String) -> VerificationError {
        VerificationError(cause, member: member.map { "\(outer).\($0)" } ?? outer)
    }

    /// The verdict on a token that was not even held, because it is longer than the limit.
    package static func tooLarge(bytes: Int, limit: Int) -> VerificationError {
        VerificationError(.tooLarge(bytes: bytes, limit: limit))
    }

    /// The stable name of the failed check, for programs.
    public var code: Code { cause.code }

    /// The check that failed, in the order in which they run.
    public var check: VerificationCheck { member == nil ? cause.check : .nestedPayloads }

    /// Whether the same payload may pass a little later: what could not be found out is no verdict on it.
    public var isRetryable: Bool { code == .revocationUnknown }

    /// A sentence that names what failed and both sides of the comparison.
    public var message: String { cause.description }
}

extension VerificationError {
    /// The stable names under which failures are reported.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The token is longer than the limit.
        case tooLarge
        /// Token, header or payload is not what the formats allow.
        case invalidEncoding
        /// The certificates do not lead to an anchor, break a rule, or were not valid at the effective date.
        case invalidCertificateChain
        /// The signature does not match.
        case invalidSignature
        /// The payload has no usable date, or lacks a member that its StoreKit type cannot do without.
        case missingRequiredProperties
        /// A certificate was revoked, by the signed word of its issuer's service.
        case revokedCertificate
        /// Whether a certificate was revoked could not be found out, for now.
        case revocationUnknown
        /// The payload is of an environment that the caller does not accept.
        case wrongEnvironment
        /// The payload is of another app, by bundle identifier.
        case wrongBundleIdentifier
        /// The payload is of another app, by Apple's number.
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
        /// The data is not encoded as it should be.
        case invalidEncoding
        /// The signature does not match.
        case invalidSignature
        /// A property that is needed is missing.
        case missingRequiredProperties
        /// A certificate was revoked.
        case revokedCertificate
    }

    /// What failed, with both sides of the comparison.
    public enum Cause: Hashable, Sendable {
        /// The token has more bytes than the limit.
        case tooLarge(bytes: Int, limit: Int)
        /// The token is not a compact JWS of the App Store's form.
        case encoding(CompactJWSError)
        /// The token is no compact JWS, but something that can be named.
        case mistakenInput(MistakenInput)
        /// The receipt is not one of the App Store's form.
        case receipt(ReceiptError)
        /// The receipt's signature is not this certificate's over its content.
        case receiptSignatureMismatch(signer: CertificateDescription?)
        /// The receipt is signed with SHA-1, and its anchor is not Apple Root CA.
        case receiptDigest(signer: CertificateDescription?)
        /// The receipt has no date that the certificates could be judged at.
        case missingReceiptDate
        /// The receipt's creation date is not a date of the years 1 to 9999.
        case receiptDate(written: String)
        /// A line that is a JSON object does not hold one token.
        case envelope(EnvelopeViolation)
        /// The chain is not trusted.
        case chain(CertificateChainError)
        /// The signature is of this many bytes, not 64.
        case signatureLength(Int)
        /// This one of `r` and `s` is zero, or not below the order of the curve.
        case signatureNumber(String)
        /// The signature is not this certificate's over the header and payload.
        case signatureMismatch(signer: CertificateDescription?)
        /// The payload is not one JSON object.
        case payloadJSON(JSONError)
        /// A member that a check reads occurs twice.
        case duplicateMember(String)
        /// A member that a check reads is of another type.
        case memberType(String, found: String, expected: String)
        /// The payload has no effective date.
        case missingDate(member: String)
        /// The effective date is not a number.
        case dateNotANumber(member: String, found: String)
        /// The effective date is not a finite number between the years 1 and 9999.
        case dateOutOfRange(member: String, written: String)
        /// The date that the caller fixed is not between the years 1 and 9999.
        case fixedDateOutOfRange
        /// The payload lacks a member that a type of StoreKit's cannot do without.
        case missingProperty(member: String, of: String)
        /// A certificate was not valid at the effective date.
        case validity(CertificateChainError)
        /// A certificate was revoked, or is not known not to be.
        case revocation(RevocationError)
        /// The environment is absent, or not among those accepted.
        case environment(found: String?, accepted: [String])
        /// The bundle identifier is absent, or not among those accepted.
        case bundleIdentifier(found: String?, accepted: [String])
        /// The app's number at Apple is absent, or another's.
        case appAppleIdentifier(found: String?, accepted: Int64)
        /// The receipt lacks the attribute of this number, which binds it to a device.
        case missingDeviceAttribute(Int)
        /// The receipt's hash is not that of the caller's device; both in hexadecimal.
        case receiptDeviceHash(found: String, expected: String)
        /// The payload lacks a member that binds it to a device.
        case missingDeviceMember(String)
        /// The nonce is not a UUID.
        case deviceNonce(String)
        /// The hash is not that of the nonce and the caller's device.
        case deviceHash(found: String, expected: String)
    }

    /// The case of StoreKit's `VerificationError` that comes closest; `nil` where StoreKit has none, because
    /// on a device the question does not arise.
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
