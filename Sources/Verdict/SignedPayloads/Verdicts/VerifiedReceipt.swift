public import AppReceipts
public import CertificateChain
public import Essentials

/// A receipt that has passed every check. Only `ReceiptVerifier` can make one.
public struct VerifiedReceipt: Sendable {
    /// The receipt's content.
    public let receipt: Receipt
    /// The certificates that vouch for the receipt: leaf, intermediate and anchor, or one pinned certificate.
    public let certificates: [CertificateDescription]
    /// The origin of the date at which the certificates were judged, for a person.
    public let effectiveDateSource: String
    /// The revocation status of the leaf and of the intermediate when they were verified. It is empty if revocation
    /// is not checked or the certificate was pinned. In the mode `soft`, the status may be unknown.
    public let revocation: [RevocationFinding]
    let date: EffectiveDate

    /// The instant at which the certificates were found valid, in milliseconds since 1970, rounded down.
    public var effectiveDateMilliseconds: Int64 { date.milliseconds }

    /// The instant at which the certificates were found valid.
    public var effectiveDate: Date { Date(timeIntervalSince1970: Double(date.milliseconds) / 1000) }

    /// The effective date in the form of ISO 8601, with milliseconds.
    public var effectiveDateISO8601: String { date.iso8601 }
}
