package import Essentials
package import StoreKitVerify
package import WireFormats

/// Which purchases a list of customers shows. A customer without such a purchase is not in it.
package struct PurchaseFilter: Sendable {
    /// The state of a purchase at the instant of the list.
    package enum State: String, CaseIterable, Sendable {
        /// It entitles its customer to the product.
        case entitled
        case subscribed
        case inGracePeriod
        case inBillingRetryPeriod
        case expired
        /// The App Store took it back, whatever the kind of product.
        case revoked
    }

    /// The product of the latest transaction; `nil` for all.
    package var productID: String?
    /// `nil` for all.
    package var state: State?
    /// The app's bundle identifier; `nil` for all.
    package var bundleID: String?
    /// `nil` for all.
    package var environment: AppStore.Environment?

    package init() {}

    fileprivate func accepts(_ id: PurchaseChain.ID) -> Bool {
        (bundleID == nil || bundleID == id.appBundleID)
            && (environment == nil || environment == id.environment)
    }

    fileprivate func accepts(_ status: PurchaseStatus, at instant: Date) -> Bool {
        guard productID == nil || productID == status.transaction.productID else { return false }
        switch state {
        case nil: return true
        case .entitled?: return status.isEntitled
        // An upgraded subscription may be in such a state, and does not entitle its customer.
        case .subscribed?, .inGracePeriod?: return status.isEntitled && status.stateName == state?.rawValue
        case .inBillingRetryPeriod?, .expired?: return status.stateName == state?.rawValue
        case .revoked?: return status.isRevoked(at: instant)
        }
    }
}

extension PurchaseStatus {
    /// Whether the App Store took the purchase back. A product without periods entitles its customer unless this is so.
    fileprivate func isRevoked(at instant: Date) -> Bool {
        if state != nil { return state == .revoked }
        if let date = transaction.revocationDate, date <= instant { return true }
        return !isEntitled && [.nonConsumable, .nonRenewable].contains(transaction.productType)
    }
}

/// A customer in a list of all: the names, and the purchases in one app and environment.
package struct ListedCustomer {
    private let names: [Customer.Name]
    private let id: PurchaseChain.ID
    /// Latest purchase first.
    private let statuses: [PurchaseStatus]
    private let omittedPurchases: Int

    /// How many purchases of one customer are shown: the timeline has all of them.
    private static let maximumPurchases = 100

    /// The customers with purchases that a filter accepts, in the order of each one's lowest original transaction.
    ///
    /// - Parameters:
    ///   - history: purchases whose customers are complete.
    ///   - filter: which purchases are shown.
    ///   - instant: the time of the states.
    package static func all(
        in history: PurchaseHistory, _ filter: PurchaseFilter, at instant: Date
    ) -> [ListedCustomer] {
        history.groupedByAppAndCustomer().compactMap { Self($0, filter, at: instant) }
            .ordered { $0.id.precedes($1.id) }
    }

    /// - Parameter history: a customer's purchases in one app and environment.
    private init?(_ history: PurchaseHistory, _ filter: PurchaseFilter, at instant: Date) {
        guard let first = history.firstPurchase, filter.accepts(first) else { return nil }
        let accepted =
            (history.purchaseStatuses(at: instant).map(\.status)
            + history.claimedSeats.compactMap { $0.status(at: instant) })
            .filter { filter.accepts($0, at: instant) }
            .ordered { $0.transaction.follows($1.transaction) }
        guard !accepted.isEmpty else { return nil }
        id = first
        statuses = Array(accepted.prefix(Self.maximumPurchases))
        omittedPurchases = accepted.count - statuses.count
        // The name of a purchase by itself is of use only where there is no other.
        let shared = history.sharedNames.ordered
        names = shared.isEmpty ? [.originalTransactionID(first.originalTransactionID)] : shared
    }

    /// The customer as a JSON object. The first name is the one to ask for.
    package var object: ObjectText {
        var object = ObjectText()
        object.add("names", all: names.map(\.description))
        object.addUnlessEmpty("appBundleID", id.appBundleID)
        object.addUnlessEmpty("environment", id.environment.rawValue)
        object.add("purchases", all: statuses.map(Self.object))
        object.add("omittedPurchases", omittedPurchases)
        return object
    }

    private static func object(of status: PurchaseStatus) -> ObjectText {
        var object = ObjectText()
        status.addProduct(to: &object)
        object.add("isEntitled", status.isEntitled)
        status.addPurchase(to: &object)
        return object
    }
}
