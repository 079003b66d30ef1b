internal import Essentials
internal import StoreKitVerify
internal import Synchronization
internal import WireFormats

/// Sells the session's products to code that was written for StoreKit.
///
/// `Product.products(for:)`, `purchase()` and their like are answered here while a session is active. A failure that a test has set with `setSimulatedError(_:forAPI:)` comes first, as in Xcode.
struct SessionAppStore: SimulatedAppStore {
    let session: SKTestSession

    func products(for identifiers: [String]) async throws -> [Product] {
        try fail(.loadProducts)
        let locale = session.locale
        let region = Region(session.storefront)
        if let reason = Region.refusal(ofStorefront: region.code)
            ?? Region.refusal(ofLocale: locale.identifier)
        {
            throw SKTestError(.invalidAction, reason)
        }
        let seatSale = session.appStore.read(\.settings.seatSale)
        // As on a device: each product once, and unknown identifiers left out without an error.
        var known: Set<String> = []
        return identifiers.filter { known.insert($0).inserted }.compactMap {
            session.appStore.configuration.product($0).map {
                Product($0, locale, region, seatSale)
            }
        }
    }

    func purchase(
        _ productID: String, options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        if let failure = session.state.withLock({ $0.errors[.purchase] }) {
            // A customer who cancels is a result of a purchase, and no error.
            if failure == .generic(.userCancelled) { return .userCancelled }
            throw failure.error
        }
        do throws(StoreRefusal) {
            try session.checkSignatures(productID, options)
            if let waiting = try session.wait(productID, options) { return waiting }
            let customer = session.customer
            let place = try session.appStore.change { (simulation) throws(StoreRefusal) in
                let place = try simulation.purchase(productID, options, by: customer)
                let id = simulation.purchases[place].id
                // Before the delivery: a transaction that `purchase()` returns must not come in `Transaction.updates` as well.
                self.session.state.withLock { _ = $0.returned.insert(id) }
                return place
            }
            try session.deliver(isQuiet: { $0 == place })
            return .success(try session.result(of: place))
        } catch {
            switch error {
            case .purchase(let error, _): throw error
            case .advancedCommerce: throw StoreKitError.systemError(SKTestError(error))
            case .noProduct: throw Product.PurchaseError.productUnavailable
            default: throw SKTestError(error)
            }
        }
    }

    func sync() async throws {
        try fail(.appStoreSync)
        try session.deliver()
    }

    func appTransaction() async throws -> VerificationResult<AppTransaction> {
        try fail(.appTransaction)
        let (customer, device) = (session.customer, session.deviceIdentifier)
        let token = try session.appStore.change { (simulation) throws(StoreRefusal) in
            try simulation.appTransactionToken(of: customer, for: simulation.makeDevice(device))
        }
        let result = try StoreKitVerifier(session.appStore.verifier).appTransaction(token)
        guard let simulated = session.verificationFailure,
            let failure = VerificationResult<AppTransaction>.VerificationError(rawValue: simulated.rawValue)
        else { return result }
        return .unverified(result.unsafePayloadValue, failure)
    }

    var verificationFailure: VerificationResult<Transaction>.VerificationError? {
        session.verificationFailure
    }

    var returnedTransactions: Set<UInt64> { session.state.withLock(\.returned) }

    var providesSubscriptionStatuses: Bool {
        session.state.withLock { $0.errors[.subscriptionStatus] == nil }
    }

    /// Throws the failure that the test has set for this function, if there is one.
    private func fail<API: FailableStoreKitAPI>(_ api: API) throws {
        if let failure = session.state.withLock({ $0.errors[api] }) { throw failure.error }
    }
}

extension SKTestSession {
    /// Has a purchase wait, if the session's settings or the options say so: for a parent's approval, or for the
    /// customer, who was interrupted. Its date is that of the approval then.
    ///
    /// - Throws: what the App Store has against the purchase. Then it does not wait.
    func wait(
        _ productID: String, _ options: Set<Product.PurchaseOption>
    ) throws(StoreRefusal) -> Product.PurchaseResult? {
        let settings = state.withLock { ($0.askToBuyEnabled, $0.interruptedPurchasesEnabled) }
        let asks = settings.0 || options.contains { $0.kind == .simulatesAskToBuy(true) }
        guard asks || settings.1 else { return nil }
        let options = PurchaseRequest(productID, options)
        let waiting = try appStore.change { (simulation) throws(StoreRefusal) in
            var request = options
            request.beginning = simulation.now
            // A copy is bought from, so that a purchase which the App Store refuses does not wait.
            var trial = simulation
            _ = try trial.purchase(request, by: self.customer)
            return WaitingPurchase(
                identifier: UInt(clamping: simulation.purchases.reserveTransactionID()), request: request,
                reason: asks ? .askToBuy : .interruption, date: simulation.now)
        }
        state.withLock { $0.waiting.append(waiting) }
        return .pending
    }
}

extension Product {
    /// A product of a `.storekit` file, in a language and in the currency of a region.
    ///
    /// Offer codes are left out: StoreKit does not list them either.
    ///
    /// - Parameter seatSale: how subscriptions are sold for several people; `nil` if they are not.
    init(_ product: ConfiguredProduct, _ locale: Locale, _ region: Region, _ seatSale: SeatSale?) {
        let names = product.localization(for: locale)
        let offer = { (offer: ConfiguredOffer) in SubscriptionOffer(offer, locale, region) }
        self.init(
            id: product.id, type: product.type, displayName: names?.displayName ?? "",
            description: names?.description ?? "", price: product.price,
            displayPrice: region.text(of: product.price, locale),
            isFamilyShareable: product.isFamilyShareable,
            supportsMultiSeatPurchase: seatSale != nil && product.subscription != nil,
            subscription: product.subscription.map { subscription in
                SubscriptionInfo(
                    subscriptionGroupID: subscription.groupID, groupDisplayName: subscription.groupName,
                    groupLevel: subscription.groupLevel, subscriptionPeriod: subscription.period,
                    introductoryOffer: subscription.introductoryOffer.map(offer),
                    promotionalOffers: subscription.promotionalOffers.map(offer),
                    winBackOffers: subscription.winBackOffers.map(offer),
                    pricingTerms: Self.pricingTerms(product.price, subscription, locale, region, seatSale))
            },
            jsonRepresentation: Data(product.json))
    }
}

extension ConfiguredProduct {
    /// The names in a language: of the region, of the script, of the language alone, of English, or the first.
    func localization(for locale: Locale) -> Localization? {
        let wanted = Self.subtags(locale.identifier)
        let common = localizations.map { localization in
            zip(Self.subtags(localization.locale), wanted).prefix { $0 == $1 }.count
        }
        // The first of those that have most in common.
        if let most = common.max(), most > 0, let index = common.firstIndex(of: most) {
            return localizations.first { Self.subtags($0.locale) == wanted } ?? localizations[index]
        }
        return localizations.first { Self.subtags($0.locale).first == "en" } ?? localizations.first
    }

    /// The parts of a locale's identifier: the language, and perhaps the script and the region.
    private static func subtags(_ identifier: String) -> [String] {
        identifier.prefix { $0 != "@" }.split { "_-".contains($0) }.map { $0.lowercased() }
    }

    /// The product in JSON, with the members that the App Store's own have.
    ///
    /// StoreKit does not document the members.
    fileprivate var json: [UInt8] {
        var object = ObjectText()
        object.add("id", id)
        object.add("kind", type.rawValue)
        object.add("price", "\(price)")
        object.add("isFamilyShareable", isFamilyShareable)
        if let subscription {
            object.add("subscriptionFamilyId", subscription.groupID)
            object.add("recurringSubscriptionPeriod", subscription.period.iso8601)
        }
        return object.utf8
    }
}
