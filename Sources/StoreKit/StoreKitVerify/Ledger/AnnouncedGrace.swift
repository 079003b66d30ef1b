public import Essentials

/// A notification's word that a subscription is in a grace period (`data.status` 4), without a date until when.
///
/// Renewal information usually gives the date, and then nothing else is needed. Notifications without one are reported
/// from production (2026). The customer has paid so far, and Apple says that access goes on: it does for the shortest
/// grace period that an app can choose, unless the App Store says something later.
public struct AnnouncedGrace: Sendable {
    /// The notification, as it was signed.
    public let signedContent: SignedContent
    /// The purchase that it is about.
    public let purchase: PurchaseChain.ID
    /// The end of the period that could not be renewed.
    public let periodEnd: Date
    /// When the App Store signed the notification.
    public let signedDate: Date
    /// The customer's names, as the transaction gives them.
    let customers: [Customer.Name]

    /// The shortest grace period that App Store Connect offers, in seconds: three days.
    private static let shortest: TimeInterval = 3 * 86_400

    /// Until when the customer keeps access, as far as the notification says.
    public var end: Date { Self.end(signedAt: signedDate) }

    package static func end(signedAt date: Date) -> Date { date + shortest }

    /// The announcement of a verified notification.
    ///
    /// - Returns: `nil` if it announces no grace period; if its renewal information gives the date; if the customer has
    ///   turned renewal off; or if it has no verified transaction with an end.
    public init?(_ notification: ServerNotification) {
        guard let data = notification.data, data.status == .inGracePeriod,
            let transaction = try? data.transaction?.payloadValue,
            let periodEnd = transaction.expirationDate, transaction.revocationDate == nil
        else { return nil }
        let renewalInfo = try? data.renewalInfo?.payloadValue
        guard renewalInfo?.gracePeriodExpirationDate == nil, renewalInfo?.willAutoRenew ?? true else {
            return nil
        }
        signedContent = notification.signedContent
        purchase = transaction.chainID
        self.periodEnd = periodEnd
        signedDate = notification.signedDate
        customers = transaction.customers
    }

    /// Whether this announcement was signed after another. Their bytes decide if both have the same date.
    func isLater(than other: AnnouncedGrace) -> Bool {
        guard signedDate == other.signedDate else { return signedDate > other.signedDate }
        return other.signedContent.payloadData.lexicographicallyPrecedes(signedContent.payloadData)
    }
}

extension AnnouncedGrace: Hashable {
    /// Whether two announcements are the same notification, signed once.
    public static func == (one: AnnouncedGrace, other: AnnouncedGrace) -> Bool {
        one.signedContent.payloadData == other.signedContent.payloadData
    }

    /// Hashes the payload's bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(signedContent.payloadData) }
}
