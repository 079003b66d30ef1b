package import WireFormats

/// Why bytes are not an app receipt in the App Store's form.
package enum ReceiptError: Error, Hashable, Sendable {
    /// The input is another kind of data, or was damaged in a way that the message can name.
    case mistaken(MistakenInput)
    /// The text is not strict base64 with padding (RFC 4648, section 4).
    case base64(Base64Error)
    /// The receipt states more bytes than the input has.
    case truncated(stated: Int, found: Int)
    /// The signed data is not DER (nor the BER that Xcode writes). Offsets count in the decoded receipt.
    case encoding(DERError)
    /// The signed data breaks a rule. The offset counts in the decoded receipt.
    case signedData(SignedDataRule, offset: Int)
    /// libcrypto cannot read the signed data, for the reason given.
    case unreadable(String)
    /// The signed content is not DER. Offsets count in the content.
    case contentEncoding(DERError)
    /// The content is not a set of attributes: the element at this offset has a wrong tag.
    case contentStructure(expected: String, offset: Int)
    /// An attribute that a check reads occurs twice.
    case duplicateAttribute(Int)

    /// A stable name for the cause, finer than the error's code.
    package var detail: String {
        switch self {
        case .mistaken(let input): input.rawValue
        case .base64: "base64"
        case .truncated: "truncatedReceipt"
        case .encoding: "receiptDER"
        case .signedData(let rule, _): rule.rawValue
        case .unreadable: "unreadableReceipt"
        case .contentEncoding, .contentStructure: "receiptContent"
        case .duplicateAttribute: "duplicateAttribute"
        }
    }
}

/// The rules for the signed data of a receipt (PKCS #7, RFC 2315; CMS, RFC 5652, section 5), in the form that
/// the App Store and Xcode write.
package enum SignedDataRule: String, Hashable, Sendable {
    /// Every element is present, and no other.
    case element = "signedDataElement"
    /// The content type is signedData.
    case contentType = "signedDataContentType"
    /// The version is 1.
    case version = "signedDataVersion"
    /// There is one digest algorithm, SHA-1 or SHA-256.
    case digestAlgorithm
    /// The signed content is data, and is inside.
    case content = "signedDataContent"
    /// The certificates are inside: at least one, and no more than eight.
    case certificates = "signedDataCertificates"
    /// There is exactly one signer.
    case signers = "signerCount"
    /// The signer is identified by issuer and serial number.
    case signerIdentifier
    /// Signer and signed data name the same digest algorithm.
    case digestMismatch
    /// The signature covers the content itself, not attributes.
    case signedAttributes
    /// There are no unsigned attributes.
    case unsignedAttributes
    /// The signature algorithm is RSA, with the digest named before.
    case signatureAlgorithm
}

extension ReceiptError: CustomStringConvertible {
    /// The receipt's fault, in a sentence.
    package var description: String {
        switch self {
        case .mistaken(let input): input.description
        case .base64(let error): "the receipt is not strict base64 with padding: \(error.sentence(from: 0))"
        case .truncated(let stated, let found):
            "the receipt is truncated: it says that it has \(stated) bytes, and \(found) are there"
        case .encoding(let error): "the receipt is not strict DER: \(error)"
        case .signedData(let rule, let offset): "\(rule) (byte \(offset) of the decoded receipt)"
        case .unreadable(let reason): "the receipt cannot be read: \(reason)"
        case .contentEncoding(let error): "the receipt's content is not strict DER: \(error)"
        case .contentStructure(let expected, let offset):
            "the receipt's content is not a set of attributes: \(expected) should stand at its byte \(offset)"
        case .duplicateAttribute(let type):
            "attribute \(type) occurs twice in the receipt, and a check reads it"
        }
    }
}

extension SignedDataRule: CustomStringConvertible {
    /// The broken rule, in a sentence.
    package var description: String {
        switch self {
        case .element: "the receipt is not PKCS #7 signed data: an element is missing, or of another kind"
        case .contentType: "the receipt is not PKCS #7 signed data, but of another content type"
        case .version: "the receipt's version, or its signer's, is not 1"
        case .digestAlgorithm: "the receipt does not name SHA-1 or SHA-256 as its one digest algorithm"
        case .content: "the receipt does not hold the data that was signed"
        case .certificates: "the receipt does not hold the signer's certificates, eight at most"
        case .signers: "the receipt does not have exactly one signer"
        case .signerIdentifier: "the receipt's signer is not named by issuer and serial number"
        case .digestMismatch: "the receipt's signer names another digest algorithm than the receipt"
        case .signedAttributes: "the receipt has signed attributes, which the App Store does not use"
        case .unsignedAttributes: "the receipt has unsigned attributes, which no signature covers"
        case .signatureAlgorithm: "the receipt's signature algorithm is not RSA with its digest"
        }
    }
}
