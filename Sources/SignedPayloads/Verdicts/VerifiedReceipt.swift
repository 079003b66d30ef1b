public import AppReceipts
public import CertificateChain
public import Revocation

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A receipt that has passed every check. Only `ReceiptVerifier` makes one, so whoever holds one holds the proof.
public struct VerifiedReceipt: Sendable {
    /// What the receipt says.
    public let receipt: Receipt
    /// The certificates that vouch for it: leaf, intermediate and anchor; one where it was pinned.
    public let certificates: [CertificateDescription]
    /// Which date the certificates were judged at, for a person.
    public let effectiveDateSource: String
    /// What was known about the revocation of the leaf and of the intermediate; empty where nobody was asked, and
    /// where the certificate was pinned. In the mode `soft`, it may be that nothing is.
    public let revocation: [RevocationFinding]
    let date: EffectiveDate

    /// The instant at which the certificates were found valid, in milliseconds since 1970, rounded down.
    public var effectiveDateMilliseconds: Int64 { date.milliseconds }

    /// The instant at which the certificates were found valid.
    public var effectiveDate: Date { Date(timeIntervalSince1970: Double(date.milliseconds) / 1000) }

    /// The effective date in the form of ISO 8601, with milliseconds.
    public var effectiveDateISO8601: String { date.iso8601 }
}
