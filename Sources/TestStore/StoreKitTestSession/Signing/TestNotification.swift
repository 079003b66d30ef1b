public import Essentials
public import StoreKitVerify

/// A server notification of the test App Store.
public struct TestNotification: Hashable, Sendable {
    /// What happened.
    public let type: ServerNotification.NotificationType
    /// The details of what happened.
    public let subtype: ServerNotification.Subtype?
    /// The notification's identifier, the same each time that it is sent.
    public let uuid: UUID
    /// When it happened, which is also when the notification was signed.
    public let date: Date
    /// The customer, by the number of the download; `nil` where the notification is about no customer.
    public let appTransactionID: UInt64?
    /// The transaction that the notification is about, if there is one.
    public let transactionID: UInt64?
    /// The product that the notification is about, if there is one.
    public let productID: String?
    /// The state of the subscription that the notification is about, if there is one.
    public let status: Product.SubscriptionInfo.RenewalState?
    /// The signed notification, a compact JWS.
    public let signedPayload: String

    /// The type and the subtype, such as `SUBSCRIBED/INITIAL_BUY`.
    public var name: String { [type.rawValue, subtype?.rawValue].compactMap(\.self).joined(separator: "/") }

    /// The body of the App Store's request to a server: `{"signedPayload":"…"}`.
    ///
    /// The bytes are the same each time that the notification is sent.
    public var body: String { #"{"signedPayload":"\#(signedPayload)"}"# }
}

extension TestNotification {
    /// The notification with another token, for instance a broken one.
    public func replacing(signedPayload: String) -> TestNotification {
        TestNotification(
            type: type, subtype: subtype, uuid: uuid, date: date, appTransactionID: appTransactionID,
            transactionID: transactionID, productID: productID, status: status, signedPayload: signedPayload)
    }
}

/// A payload that the App Store signed.
public enum SignedOutput: Hashable, Sendable {
    /// A server notification.
    case notification(TestNotification)
    /// A transaction that no notification tells of: one that was replaced by an upgrade, or that another device restored.
    case transaction(String)
    /// A customer's purchase or download of the app.
    case appTransaction(String)

    /// A JSON object with the token, as a server gets it from the App Store or from the app.
    public var json: String {
        switch self {
        case .notification(let notification): notification.body
        case .transaction(let token): #"{"signedTransactionInfo":"\#(token)"}"#
        case .appTransaction(let token): #"{"signedAppTransactionInfo":"\#(token)"}"#
        }
    }
}
