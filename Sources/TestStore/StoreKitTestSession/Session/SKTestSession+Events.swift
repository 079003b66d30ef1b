public import Essentials
public import StoreKitVerify

/// Events of the App Store that StoreKitTest has no functions for. Each throws `SKTestError` if there is no such
/// transaction, or the App Store does not allow the action.
extension SKTestSession {
    /// The length of grace periods, in seconds; `nil` for that of the rate of time. Apps choose 3, 16 or 28 days. At
    /// most it is a year, and less than nothing is nothing.
    public var gracePeriod: TimeInterval? {
        get { appStore.read { $0.settings.gracePeriod.map { Double($0) / 1000 } } }
        set {
            let year: TimeInterval = 366 * 86_400
            let length = newValue.map { $0 > 0 ? Int(min($0, year) * 1000) : 0 }
            appStore.change { $0.settings.gracePeriod = length }
        }
    }

    /// Refunds a purchase.
    ///
    /// - Parameters:
    ///   - identifier: the transaction.
    ///   - reason: why the customer asked for it.
    ///   - percentage: the share of the price, in percent. Less than 100 is a prorated refund.
    public func refundTransaction(
        identifier: some BinaryInteger, reason: Transaction.RevocationReason, percentage: Double = 100
    ) throws {
        // `refund` refuses a share of 0, with a sentence about it.
        let isShare = percentage > 0 && percentage <= 100
        let thousandths = isShare ? Int(percentage * 1000) : 0
        try act { (simulation) throws(StoreRefusal) in
            try simulation.refund(
                self.place(of: identifier, simulation), reason: reason, percentage: thousandths)
        }
    }

    /// Asks for a refund. The App Store asks the app's server how far the purchase was used, and decides by
    /// `refundTransaction` or `declineRefund`.
    ///
    /// - Parameters:
    ///   - identifier: the transaction.
    ///   - reason: what the customer says, as the notification passes it on.
    public func requestRefund(
        identifier: some BinaryInteger, reason: ConsumptionRequestReason = .unintendedPurchase
    ) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.requestRefund(of: self.place(of: identifier, simulation), reason: reason)
        }
    }

    /// Declines to refund a purchase.
    public func declineRefund(identifier: some BinaryInteger) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.declineRefund(of: self.place(of: identifier, simulation))
        }
    }

    /// Takes a refund back.
    public func reverseRefund(identifier: some BinaryInteger) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.reverseRefund(of: self.place(of: identifier, simulation))
        }
    }

    /// Tells the customer of a new price, from the next renewal on.
    ///
    /// - Parameters:
    ///   - identifier: a transaction of the subscription.
    ///   - price: the new price, in the storefront's currency.
    ///   - needsConsent: whether the subscription ends if the customer does not agree.
    public func raisePrice(
        forTransaction identifier: some BinaryInteger, to price: Decimal, needsConsent: Bool
    ) throws {
        // Ten digits fit every currency, as in .storekit files.
        guard price >= 0, price < 10_000_000_000 else {
            throw SKTestError(.invalidAction, "\(price) is not a price")
        }
        let price = price.milliunits
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.raisePrice(index, to: price, needsConsent: needsConsent)
        }
    }

    /// Extends the present period of a subscription.
    ///
    /// - Parameters:
    ///   - identifier: a transaction of the subscription.
    ///   - days: 1 to 90.
    public func extendRenewalDate(forTransaction identifier: some BinaryInteger, byDays days: Int) throws {
        guard (1...90).contains(days) else {
            throw SKTestError(.invalidAction, "a renewal date can be extended by 1 to 90 days")
        }
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            _ = try translating(
                try simulation.extend(index, by: days), \Simulation.ExtensionRefusal.refusal)
        }
    }

    /// Shares a purchase with another customer, a member of the family.
    public func share(transaction identifier: some BinaryInteger, with member: SKTestSession) throws {
        guard member.appStore === appStore else {
            throw SKTestError(.invalidAction, "the member of the family is a customer of another App Store")
        }
        try act { (simulation) throws(StoreRefusal) in
            _ = try simulation.share(self.place(of: identifier, simulation), with: member.customer)
        }
        try member.deliver()
    }

    /// Ends the sharing of a purchase with this customer.
    ///
    /// - Parameter identifier: this customer's transaction of it.
    public func leaveFamilySharing(ofTransaction identifier: some BinaryInteger) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.stopSharing(self.place(of: identifier, simulation))
        }
    }

    /// Takes the product of a subscription off sale, so that it ends with its period.
    public func takeOffSale(productIdentifier: String) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.takeOffSale(
                simulation.presentSubscription(to: productIdentifier, of: self.customer))
        }
    }

    /// Moves a subscription to the Advanced Commerce API.
    public func migrateToAdvancedCommerce(transaction identifier: some BinaryInteger) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.migrate(index)
        }
    }

    /// Gives a subscription of the Advanced Commerce API another name.
    public func updateMetadata(transaction identifier: some BinaryInteger, displayName: String) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.updateMetadata(index, displayName: displayName)
        }
    }

    /// Gives a subscription of the Advanced Commerce API another price, from the next renewal on.
    ///
    /// - Parameters:
    ///   - identifier: a transaction of the subscription.
    ///   - price: the new price, in the storefront's currency.
    public func changePrice(transaction identifier: some BinaryInteger, to price: Decimal) throws {
        let price = price.milliunits
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.changePrice(index, to: price)
        }
    }

    /// Sends a test notification to the app's server.
    public func sendTestNotification() throws {
        try act { (simulation) throws(StoreRefusal) in try simulation.notifyOfTest() }
    }

    /// Withdraws a parent's consent to the customer's use of the app.
    public func rescindConsent() throws {
        try act { (simulation) throws(StoreRefusal) in try simulation.rescindConsent(of: self.customer) }
    }

    /// Sends a notification about a token for purchases outside the App Store: about a new one if it was created,
    /// otherwise about the customer's latest.
    public func sendExternalPurchaseToken(_ subtype: ServerNotification.Subtype) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.notifyOfExternalPurchase(subtype, of: self.customer)
        }
    }
}

extension Simulation.ExtensionRefusal {
    /// The refusal of the extension, as a refusal of any action.
    var refusal: StoreRefusal {
        switch self {
        case .familyShared, .assigned: .sharedByFamily
        case .ineligible:
            .notAllowed("only an active subscription that was paid for can be extended")
        case .tooOften: .notAllowed("the subscription was extended twice in 365 days already")
        case .signing(let error): error
        }
    }
}
