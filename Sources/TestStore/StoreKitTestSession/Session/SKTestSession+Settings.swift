public import Essentials
public import StoreKitVerify
internal import Synchronization

/// The settings of a session. Each begins with the value of the `.storekit` file.
extension SKTestSession {
    /// Whether the system shows no dialogs. Nothing does here; the value is kept.
    public var disableDialogs: Bool {
        get { state.withLock(\.disableDialogs) }
        set { state.withLock { $0.disableDialogs = newValue } }
    }

    /// Whether every purchase waits for a parent's approval.
    public var askToBuyEnabled: Bool {
        get { state.withLock(\.askToBuyEnabled) }
        set { state.withLock { $0.askToBuyEnabled = newValue } }
    }

    /// Whether every purchase is interrupted, until `resolveIssueForTransaction(identifier:)`.
    public var interruptedPurchasesEnabled: Bool {
        get { state.withLock(\.interruptedPurchasesEnabled) }
        set { state.withLock { $0.interruptedPurchasesEnabled = newValue } }
    }

    /// Whether the customer's renewals fail, and enter billing retry.
    public var shouldEnterBillingRetryOnRenewal: Bool {
        get { appStore.read { $0.customers[customer].paymentsFail } }
        set { appStore.change { $0.customers[self.customer].paymentsFail = newValue } }
    }

    /// Whether there is a grace period when renewals fail. It is a setting of the app, and so of all customers.
    public var billingGracePeriodIsEnabled: Bool {
        get { appStore.read(\.settings.hasGracePeriods) }
        set { appStore.change { $0.settings.hasGracePeriods = newValue } }
    }

    /// How fast subscriptions, grace periods and billing retries pass, for all customers.
    public var timeRate: TimeRate {
        get { appStore.read(\.settings.timeRate) }
        set { appStore.change { $0.settings.timeRate = newValue } }
    }

    /// The country or region of the customer's storefront, as three letters (ISO 3166-1).
    ///
    /// A code that the App Store does not have is an error of the next request for products and of the next purchase, as a
    /// setting cannot throw. Some storefronts have no number here, and pay in US dollars.
    public var storefront: String {
        get { appStore.read { $0.customers[customer].region.code } }
        set { appStore.change { $0.customers[self.customer].region = Region(newValue) } }
    }

    /// The products by which an app's server may sell items of its own, with requests of the Advanced Commerce API, for all
    /// customers; `nil`, as it is at first, for every product. A `.storekit` file does not say which they are.
    public var genericProductIDs: Set<Product.ID>? {
        get { appStore.read(\.settings.genericProducts) }
        set { appStore.change { $0.settings.genericProducts = newValue } }
    }

    /// The language of the products' names and descriptions. One that does not exist is an error of the next request for
    /// products.
    public var locale: Locale {
        get { state.withLock(\.locale) }
        set { state.withLock { $0.locale = newValue } }
    }

    /// Apple no longer supports it, and here it never was.
    @available(*, unavailable, message: "Use setSimulatedError(_:forAPI:), as on iOS 17 and later.")
    public var failTransactionsEnabled: Bool {
        get { false }
        set {}
    }

    /// Gives all settings the values of the file. Transactions stay.
    public func resetToDefaultState() {
        let settings = appStore.configuration.settings
        state.withLock { state in
            // Purchases are no settings: what waits, what the device has and what was returned stay.
            var fresh = State(settings)
            fresh.waiting = state.waiting
            fresh.delivered = state.delivered
            fresh.returned = state.returned
            fresh.usedNonces = state.usedNonces
            state = fresh
        }
        appStore.change { simulation in
            simulation.settings.timeRate = settings.timeRate
            simulation.settings.hasGracePeriods = settings.billingGracePeriodIsEnabled
            simulation.settings.seatSale = nil
            simulation.settings.genericProducts = nil
            simulation.customers[self.customer].paymentsFail = settings.shouldEnterBillingRetryOnRenewal
            simulation.customers[self.customer].region = Region(settings.storefront)
        }
    }

    /// Has one of StoreKit's functions fail, or work again (`nil`).
    ///
    /// - Parameters:
    ///   - error: what the function throws from now on; `nil` lets it work.
    ///   - api: the function.
    public func setSimulatedError<API: FailableStoreKitAPI>(
        _ error: API.Failure?, forAPI api: API
    ) async throws { state.withLock { $0.errors[api] = error } }

    /// The error that a function fails with; `nil` if it works.
    public func simulatedError<API: FailableStoreKitAPI>(forAPI api: API) async -> API.Failure? {
        state.withLock { $0.errors[api] }
    }
}
