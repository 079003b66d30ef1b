internal import AppReceipts
internal import CertificateChain
internal import CompactJWS
internal import WireFormats

extension PayloadError {
    /// A stable name for the cause, finer than the code.
    public var detail: String { cause.detail }
}

extension PayloadError: CustomStringConvertible {
    /// The code and the message, preceded by the member if the failure is inside a notification.
    public var description: String {
        code.rawValue + (member.map { " at \($0)" } ?? "") + ": " + message
    }
}

extension PayloadError.Cause {
    var code: PayloadError.Code {
        switch self {
        case .tooLarge: .tooLarge
        case .encoding, .mistakenInput, .receipt, .envelope, .payloadJSON, .duplicateMember, .memberType:
            .invalidEncoding
        case .chain, .validity: .invalidCertificateChain
        case .signatureLength, .signatureNumber, .signatureMismatch, .receiptSignatureMismatch,
            .receiptDigest:
            .invalidSignature
        case .missingDate, .dateNotANumber, .dateOutOfRange, .fixedDateOutOfRange, .missingReceiptDate,
            .receiptDate, .missingProperty:
            .missingRequiredProperties
        case .revocation(let error):
            switch error.violation {
            case .revoked: .revokedCertificate
            case .unknown: .revocationUnknown
            }
        case .environment: .wrongEnvironment
        case .bundleIdentifier: .wrongBundleIdentifier
        case .appAppleIdentifier: .wrongAppAppleIdentifier
        case .missingDeviceMember, .deviceNonce, .deviceHash, .missingDeviceAttribute, .receiptDeviceHash:
            .invalidDeviceVerification
        }
    }

    var check: VerificationCheck {
        switch self {
        case .tooLarge: .size
        case .receipt(.contentEncoding), .receipt(.contentStructure), .receipt(.duplicateAttribute): .payload
        case .encoding, .mistakenInput, .receipt, .envelope: .encoding
        case .chain: .certificateChain
        case .signatureLength, .signatureNumber, .signatureMismatch, .receiptSignatureMismatch,
            .receiptDigest:
            .signature
        case .payloadJSON, .duplicateMember, .memberType, .missingProperty: .payload
        case .missingDate, .dateNotANumber, .dateOutOfRange, .fixedDateOutOfRange, .missingReceiptDate,
            .receiptDate:
            .effectiveDate
        case .validity: .validity
        case .revocation: .revocation
        case .environment, .bundleIdentifier, .appAppleIdentifier: .identity
        case .missingDeviceMember, .deviceNonce, .deviceHash, .missingDeviceAttribute, .receiptDeviceHash:
            .deviceVerification
        }
    }

    var detail: String {
        switch self {
        case .tooLarge: "tooLarge"
        case .encoding(let error): error.detail
        case .mistakenInput(let input): input.rawValue
        case .receipt(let error): error.detail
        case .envelope: "envelope"
        case .chain(let error), .validity(let error): error.detail
        case .revocation(let error): error.detail
        case .signatureLength: "signatureLength"
        case .signatureNumber: "signatureRange"
        case .signatureMismatch, .receiptSignatureMismatch: "signatureMismatch"
        case .receiptDigest: "receiptDigest"
        case .payloadJSON: "payloadJSON"
        case .duplicateMember: "duplicateMember"
        case .memberType: "memberType"
        case .missingDate, .missingReceiptDate: "missingDate"
        case .receiptDate: "dateFormat"
        case .dateNotANumber: "dateType"
        case .dateOutOfRange, .fixedDateOutOfRange: "dateRange"
        case .missingProperty: "missingProperty"
        case .environment: "environment"
        case .bundleIdentifier: "bundleIdentifier"
        case .appAppleIdentifier: "appAppleIdentifier"
        case .missingDeviceMember, .missingDeviceAttribute: "missingDeviceMember"
        case .deviceNonce: "deviceNonce"
        case .deviceHash, .receiptDeviceHash: "deviceHash"
        }
    }
}

extension PayloadError.Cause: CustomStringConvertible {
    /// The failure, in a sentence.
    package var description: String {
        switch self {
        case .tooLarge(let bytes, let limit): "it is \(bytes) bytes long, and the limit is \(limit)"
        case .encoding(let error): error.description
        case .mistakenInput(let input): input.description
        case .receipt(let error): error.description
        case .envelope(let violation): violation.description
        case .chain(let error), .validity(let error): error.description
        case .revocation(let error): error.description
        case .signatureLength(let count): "an ES256 signature is 64 bytes long; this one is \(count)"
        case .signatureNumber(let name):
            "the signature's \(name) is not between 1 and the order of P-256 less 1"
        case .signatureMismatch(let signer):
            "the signature does not match the header and payload" + Self.underKey(of: signer)
        case .receiptSignatureMismatch(let signer):
            "the signature does not match the receipt's content" + Self.underKey(of: signer)
        case .receiptDigest(let signer):
            "the receipt is signed with SHA-1\(Self.underKey(of: signer)), which is accepted under Apple "
                + "Root CA alone"
        case .payloadJSON(let error): "the payload is not one JSON object: \(error)"
        case .duplicateMember(let name): "the payload has the member \(name) twice"
        case .memberType(let name, let found, let expected):
            "the payload's \(name) is \(found), not \(expected)"
        case .missingDate, .dateNotANumber, .dateOutOfRange, .fixedDateOutOfRange, .missingReceiptDate,
            .receiptDate:
            dateDescription
        case .missingProperty(let member, let type):
            "the payload's \(member) is missing or has the wrong type; the type \"\(type)\" requires it"
        case .environment, .bundleIdentifier, .appAppleIdentifier: identityDescription
        case .missingDeviceAttribute(let type):
            "the receipt has no attribute \(type), so it cannot be tied to a device"
        case .receiptDeviceHash(let found, let expected):
            "the receipt's hash is \(found), and for this device it would be \(expected)"
        case .missingDeviceMember(let name):
            "the payload has no \(name) string, so it cannot be tied to a device"
        case .deviceNonce(let nonce): "the payload's deviceVerificationNonce \"\(nonce)\" is not a UUID"
        case .deviceHash(let found, let expected):
            "the payload's deviceVerification is \"\(found)\", and for this device it would be "
                + "\"\(expected)\""
        }
    }

    private static func underKey(of signer: CertificateDescription?) -> String {
        signer.map { " under the key of \"\($0.subject)\" (serial \($0.serialNumber))" } ?? ""
    }

    private var dateDescription: String {
        switch self {
        case .missingReceiptDate:
            "the receipt has no creation date (attribute 12), nor another to judge it at"
        case .receiptDate(let written):
            "the receipt's creation date (attribute 12) is \(written), which is no date of the years 1 to "
                + "9999"
        case .missingDate(let member): "the payload has no \(member), so there is no date to judge it at"
        case .dateNotANumber(let member, let found):
            "the payload's \(member) is \(found), not a number of milliseconds since 1970"
        case .dateOutOfRange(let member, let written):
            "the payload's \(member) is \(written), which is not in the years 1 to 9999"
        default: "the effective date that was asked for is not in the years 1 to 9999"
        }
    }

    private var identityDescription: String {
        switch self {
        case .environment(let found, let accepted): sentence("environment", found, accepted)
        case .bundleIdentifier(let found, let accepted): sentence("bundle identifier", found, accepted)
        case .appAppleIdentifier(let found, let accepted):
            "the payload's app Apple ID is \(found ?? "absent"), not \(accepted)"
        default: ""
        }
    }

    private func sentence(_ name: String, _ found: String?, _ accepted: [String]) -> String {
        let accepted =
            accepted.prefix(8).map { "\"\($0)\"" }.joined(separator: " or ")
            + (accepted.count > 8 ? " or \(accepted.count - 8) others" : "")
        return "the payload's \(name) is \(found.map { "\"\($0)\"" } ?? "absent"), not \(accepted)"
    }
}
