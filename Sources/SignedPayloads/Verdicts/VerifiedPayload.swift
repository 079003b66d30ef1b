public import AppReceipts
public import CertificateChain
public import Revocation

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A payload that has passed every check. Only a verifier makes one, so whoever holds one holds the proof.
public struct VerifiedPayload: Sendable {
    /// A signed payload that stood inside a notification, and passed every check as well.
    public struct Nested: Sendable {
        /// The member it stood in, for instance `data.signedTransactionInfo`.
        public let member: String
        /// The payload.
        public let payload: VerifiedPayload
    }

    /// What the payload is about.
    public let kind: SignedPayloadKind
    /// The payload's JSON, byte for byte as it was signed (UTF-8); what a receipt says, as `Receipt.json`.
    public let json: [UInt8]
    /// What a receipt says; `nil` for other kinds.
    public private(set) var receipt: Receipt?
    /// The certificates that vouch for it: leaf, intermediate and anchor; one where it was pinned.
    public let certificates: [CertificateDescription]
    /// The signed payloads inside a notification; empty for other kinds.
    public let nested: [Nested]
    /// What was known about the revocation of the leaf and of the intermediate; empty where nobody was asked, and
    /// where the certificate was pinned. In the mode `soft`, it may be that nothing is.
    public let revocation: [RevocationFinding]
    let date: EffectiveDate

    init(
        kind: SignedPayloadKind, json: [UInt8], certificates: [CertificateDescription], nested: [Nested],
        date: EffectiveDate, revocation: [RevocationFinding]
    ) {
        self.kind = kind
        self.json = json
        self.certificates = certificates
        self.nested = nested
        self.date = date
        self.revocation = revocation
    }

    /// A receipt as a payload among others.
    public init(_ receipt: VerifiedReceipt) {
        self.init(
            kind: .receipt, json: receipt.receipt.json, certificates: receipt.certificates, nested: [],
            date: receipt.date, revocation: receipt.revocation)
        self.receipt = receipt.receipt
    }

    /// The instant at which the certificates were found valid, in milliseconds since 1970, rounded down.
    public var effectiveDateMilliseconds: Int64 { date.milliseconds }

    /// The instant at which the certificates were found valid.
    public var effectiveDate: Date { Date(timeIntervalSince1970: Double(date.milliseconds) / 1000) }
}
