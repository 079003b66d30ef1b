public import AppReceipts
public import CertificateChain
public import Essentials

/// A payload that has passed every check. Only a verifier can make one.
public struct VerifiedPayload: Sendable {
    /// A signed payload inside a notification, which has passed every check as well.
    public struct Nested: Sendable {
        /// The path of its member, for instance `data.signedTransactionInfo`.
        public let member: String
        /// The transaction, renewal information or app transaction in that member.
        public let payload: VerifiedPayload
    }

    /// The kind of payload.
    public let kind: SignedPayloadKind
    /// The bytes of `jwsRepresentation`.
    package let token: [UInt8]
    /// The payload's JSON, byte for byte as it was signed (UTF-8); for a receipt, `Receipt.json`.
    public let json: [UInt8]
    /// The receipt's content; `nil` for other kinds.
    public private(set) var receipt: Receipt?
    /// The certificates that vouch for the payload: leaf, intermediate and anchor, or one pinned certificate.
    public let certificates: [CertificateDescription]
    /// The signed payloads inside a notification; empty for other kinds.
    public let nested: [Nested]
    /// The revocation status of the leaf and of the intermediate when they were verified. It is empty if revocation
    /// is not checked or the certificate was pinned. In the mode `soft`, the status may be unknown.
    public let revocation: [RevocationFinding]
    let date: EffectiveDate

    init(
        kind: SignedPayloadKind, token: [UInt8], json: [UInt8], certificates: [CertificateDescription],
        nested: [Nested], date: EffectiveDate, revocation: [RevocationFinding]
    ) {
        self.kind = kind
        self.token = token
        self.json = json
        self.certificates = certificates
        self.nested = nested
        self.date = date
        self.revocation = revocation
    }

    /// Makes a payload that the judge let pass.
    init(
        kind: SignedPayloadKind, token: [UInt8], json: [UInt8], _ judgement: Judge.Judgement,
        signer: TrustedSigner, nested: [Nested]
    ) {
        self.init(
            kind: kind, token: token, json: json,
            certificates: judgement.certificates ?? signer.commonCertificates,
            nested: nested, date: judgement.date, revocation: judgement.revocation)
    }

    /// Makes a payload of the kind `receipt`.
    public init(_ receipt: VerifiedReceipt) {
        self.init(
            kind: .receipt, token: [], json: receipt.receipt.json, certificates: receipt.certificates,
            nested: [],
            date: receipt.date, revocation: receipt.revocation)
        self.receipt = receipt.receipt
    }

    /// The compact JWS that was verified (RFC 7515, section 7.1), without an object around it; empty for a receipt.
    public var jwsRepresentation: String { String(decoding: token, as: UTF8.self) }

    /// The instant at which the certificates were found valid, in milliseconds since 1970, rounded down.
    public var effectiveDateMilliseconds: Int64 { date.milliseconds }

    /// The instant at which the certificates were found valid.
    public var effectiveDate: Date { Date(timeIntervalSince1970: Double(date.milliseconds) / 1000) }
}
