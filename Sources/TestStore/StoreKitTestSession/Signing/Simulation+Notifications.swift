internal import Essentials
internal import StoreKitVerify
internal import WireFormats

/// The notifications that the App Store sends to the app's server.
extension Simulation {
    /// Tells of a subscription: its latest transaction, and its renewal information.
    mutating func notify(
        _ type: ServerNotification.NotificationType, _ subtype: ServerNotification.Subtype?,
        subscription index: SubscriptionPlace
    ) throws(StoreRefusal) {
        try send(type, subtype, transaction: purchases[index].latest, subscription: index)
        try updateMembers(of: index, type, subtype)
    }

    /// Tells of a transaction, with the renewal information of its subscription, if it has one.
    mutating func notify(
        _ type: ServerNotification.NotificationType, _ subtype: ServerNotification.Subtype? = nil,
        transaction place: TransactionPlace, consumptionRequestReason: ConsumptionRequestReason? = nil
    ) throws(StoreRefusal) {
        let index = purchases[place].subscription
        try send(
            type, subtype, transaction: place, subscription: index,
            consumptionRequestReason: consumptionRequestReason)
        if let index { try updateMembers(of: index, type, subtype) }
    }

    /// The two tokens inside and the notification have one signing date.
    private mutating func send(
        _ type: ServerNotification.NotificationType, _ subtype: ServerNotification.Subtype?,
        transaction place: TransactionPlace, subscription index: SubscriptionPlace?,
        consumptionRequestReason: ConsumptionRequestReason? = nil
    ) throws(StoreRefusal) {
        beginSigning()
        var data = data
        data.add("signedTransactionInfo", try transactionToken(place))
        if let index {
            data.add("signedRenewalInfo", try renewalToken(index))
            data.add("status", purchases[index].state.rawValue)
        }
        data.add("consumptionRequestReason", consumptionRequestReason?.rawValue)
        try send(type, subtype, "data", data, transaction: place)
    }

    /// The members about the app that `data` begins with.
    ///
    /// In the order of genuine notifications.
    private var data: ObjectText {
        var data = ObjectText()
        data.add("appAppleId", signer.app.appleID)
        data.add("bundleId", signer.app.bundleID)
        data.add("bundleVersion", signer.app.version)
        data.add("environment", signer.environment.rawValue)
        return data
    }

    /// Signs a notification, and puts it into the outbox.
    mutating func send(
        _ type: ServerNotification.NotificationType, _ subtype: ServerNotification.Subtype?,
        _ member: String, _ content: ObjectText, transaction place: TransactionPlace? = nil,
        customer: CustomerPlace? = nil
    ) throws(StoreRefusal) {
        let uuid = makeUUID()
        var payload = ObjectText()
        payload.add("notificationType", type.rawValue)
        payload.add("subtype", subtype?.rawValue)
        payload.add("notificationUUID", uuid.uuidString.lowercased())
        payload.add(member, content)
        payload.add("version", "2.0")
        payload.add("signedDate", signingDate)
        let customer = customer ?? place.map { purchases[$0].customer }
        let notification = TestNotification(
            type: type, subtype: subtype, uuid: uuid, date: Date(milliseconds: signingDate),
            appTransactionID: customer.map { customers[$0].appTransactionID },
            transactionID: place.map { purchases[$0].id },
            productID: place.map { purchases[$0].product.id },
            status: place.flatMap { purchases[$0].subscription }.map { purchases[$0].state },
            signedPayload: try signer.token(payload))
        output.add(.notification(notification))
    }

    // MARK: - Notifications about no purchase

    /// The notification that a developer asks for to test a server.
    package mutating func notifyOfTest() throws(StoreRefusal) {
        var data = ObjectText()
        // Test notifications of the Sandbox have no number of the app; in production, Apple's verifier asks for it.
        data.add("appAppleId", signer.environment == .production ? signer.app.appleID : nil)
        data.add("bundleId", signer.app.bundleID)
        data.add("environment", signer.environment.rawValue)
        try send(.test, nil, "data", data)
    }

    /// The result of a request to extend the renewal dates of all subscribers.
    mutating func notifyOfExtensions(
        _ productID: String, requestIdentifier: String, storefronts: [String], _ succeeded: Int, _ failed: Int
    ) throws(StoreRefusal) {
        var summary = ObjectText()
        summary.add("requestIdentifier", requestIdentifier)
        summary.add("environment", signer.environment.rawValue)
        summary.add("appAppleId", signer.app.appleID)
        summary.add("bundleId", signer.app.bundleID)
        summary.add("productId", productID)
        if !storefronts.isEmpty { summary.add("storefrontCountryCodes", storefronts) }
        summary.add("failedCount", failed)
        summary.add("succeededCount", succeeded)
        try send(.renewalExtension, .summary, "summary", summary)
    }

    /// A parent withdraws the consent to a child's use of the app.
    mutating func rescindConsent(of customer: CustomerPlace) throws(StoreRefusal) {
        var appData = ObjectText()
        appData.add("appAppleId", signer.app.appleID)
        appData.add("bundleId", signer.app.bundleID)
        appData.add("environment", signer.environment.rawValue)
        appData.add("signedAppTransactionInfo", try appTransactionToken(of: customer))
        try send(.rescindConsent, nil, "appData", appData, customer: customer)
    }
}
