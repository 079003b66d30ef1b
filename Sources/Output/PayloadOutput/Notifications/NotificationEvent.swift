internal import Essentials
package import StoreKitVerify
package import WireFormats

/// The meaning of a verified notification, for a program that does not verify it: the event, the access, the product and the
/// customer, with StoreKit's names.
package struct NotificationEvent {
    private let notification: ServerNotification

    package init(_ notification: ServerNotification) { self.notification = notification }

    private var transaction: Transaction? { notification.data?.transaction?.unsafePayloadValue }
    private var renewalInfo: Product.SubscriptionInfo.RenewalInfo? {
        notification.data?.renewalInfo?.unsafePayloadValue
    }

    /// Adds the members to an object.
    package func add(to object: inout ObjectText) {
        object.add("notificationType", notification.notificationType.rawValue)
        object.add("subtype", notification.subtype?.rawValue)
        object.add("meaning", notification.meaning.sentence(with: notification.accessChange))
        object.add("access", notification.accessChange.rawValue)
        object.add("accessEndDate", accessEnd)
        object.add("signedDate", notification.signedDate)
        object.add("bundleID", notification.bundleID)
        object.add("environment", notification.environment?.rawValue)
        object.add("productID", transaction?.productID ?? renewalInfo?.currentProductID)
        object.add("transactionID", id: transaction?.id)
        object.add("originalTransactionID", id: transaction?.originalID ?? renewalInfo?.originalTransactionID)
        object.add("appAccountToken", transaction?.appAccountToken ?? renewalInfo?.appAccountToken)
        object.add("price", transaction?.price)
        object.add("currency", transaction?.currency?.identifier)
        object.add("customers", (transaction?.customers ?? renewalInfo?.customers ?? []).map(\.description))
    }

    /// Until when the transaction and a grace period give access; `nil` if they name no end, or access was taken back.
    private var accessEnd: Date? {
        guard transaction?.revocationDate == nil else { return nil }
        let grace = notification.accessChange == .keeps ? renewalInfo?.gracePeriodExpirationDate : nil
        let announced = AnnouncedGrace(notification)?.end
        return [transaction?.expirationDate, grace, announced].compactMap(\.self).max()
    }

    /// The body of a request in the form that Standard Webhooks recommends: `type`, `timestamp` and `data`.
    package var webhook: [UInt8] {
        var data = ObjectText()
        data.add("notificationUUID", notification.notificationUUID)
        add(to: &data)
        var object = ObjectText()
        object.add(
            "type",
            [notification.notificationType.rawValue, notification.subtype?.rawValue].compactMap(\.self)
                .joined(separator: "."))
        object.add("timestamp", notification.signedDate)
        object.add("data", data)
        return object.utf8
    }
}
