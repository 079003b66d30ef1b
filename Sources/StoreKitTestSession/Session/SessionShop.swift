internal import StoreKitVerify
internal import Synchronization
internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Sells the session's products to code that was written for StoreKit.
struct SessionShop: Shop {
    let session: SKTestSession

    func products(for identifiers: [String]) async throws -> [Product] {
        try fail(.loadProducts)
        let locale = session.locale
        let region = Region(session.storefront)
        return identifiers.compactMap {
            session.appStore.configuration.product($0).map { Product($0, locale, region) }
        }
    }

    func purchase(
        _ productID: String, options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        if let failure = session.state.withLock({ $0.errors[.purchase] }) {
            if failure == .generic(.userCancelled) { return .userCancelled }
            throw failure.error
        }
        if let waiting = session.wait(productID, options) { return waiting }
        do throws(StoreRefusal) {
            let customer = session.customer
            let place = try session.appStore.change { (simulation) throws(StoreRefusal) in
                try simulation.purchase(productID, options, by: customer)
            }
            try session.deliver(quietly: place)
            return .success(try session.result(of: place))
        } catch {
            switch error {
            case .purchase(let error, _): throw error
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
        return try StoreKitVerifier(session.appStore.verifier).appTransaction(token)
    }

    private func fail<API: FailableStoreKitAPI>(_ api: API) throws {
        if let failure = session.state.withLock({ $0.errors[api] }) { throw failure.error }
    }
}

extension SKTestSession {
    /// Has a purchase wait, if the session's settings or the options say so: for a parent's approval, or after an
    /// interruption, which the app sees as a cancellation.
    func wait(_ productID: String, _ options: Set<Product.PurchaseOption>) -> Product.PurchaseResult? {
        let request = PurchaseRequest(productID, options)
        let identifier = appStore.change { simulation in Int(clamping: simulation.reserveTransactionID()) }
        let date = now.milliseconds
        return state.withLock { state in
            let asks = state.askToBuyEnabled || options.contains { $0.kind == .simulatesAskToBuy(true) }
            guard asks || state.interruptedPurchasesEnabled else { return nil }
            let isInterrupted = !asks
            state.waiting.append(
                WaitingPurchase(
                    identifier: identifier, request: request, isInterrupted: isInterrupted, date: date))
            return isInterrupted ? .userCancelled : .pending
        }
    }
}

extension Product {
    /// A product of a `.storekit` file, in a language and in the currency of a region.
    init(_ product: ConfiguredProduct, _ locale: Locale, _ region: Region) {
        let names = product.localization(for: locale)
        let offer = { (offer: ConfiguredOffer) in SubscriptionOffer(offer, locale, region) }
        self.init(
            id: product.id, type: product.type, displayName: names?.displayName ?? "",
            description: names?.description ?? "", price: product.price,
            displayPrice: region.text(of: product.price, locale),
            isFamilyShareable: product.isFamilyShareable,
            subscription: product.subscription.map { subscription in
                SubscriptionInfo(
                    subscriptionGroupID: subscription.groupID, groupDisplayName: subscription.groupName,
                    groupLevel: subscription.groupLevel, subscriptionPeriod: subscription.period,
                    introductoryOffer: subscription.introductoryOffer.map(offer),
                    promotionalOffers: subscription.promotionalOffers.map(offer),
                    winBackOffers: subscription.winBackOffers.map(offer))
            },
            jsonRepresentation: Data(product.json))
    }
}

extension Product.SubscriptionOffer {
    fileprivate init(_ offer: ConfiguredOffer, _ locale: Locale, _ region: Region) {
        self.init(
            id: offer.id, type: offer.type, price: offer.price,
            displayPrice: region.text(of: offer.price, locale),
            period: offer.period, periodCount: offer.periodCount, paymentMode: offer.paymentMode)
    }
}

extension ConfiguredProduct {
    /// The names in a language: of the region, of the language alone, of English, or the first.
    func localization(for locale: Locale) -> Localization? {
        let identifier = locale.identifier.replacing("-", with: "_")
        let language = identifier.prefix { $0 != "_" }
        return localizations.first { $0.locale == identifier }
            ?? localizations.first { $0.locale.prefix { $0 != "_" } == language }
            ?? localizations.first { $0.locale.hasPrefix("en") } ?? localizations.first
    }

    /// The product in JSON, with the members that the App Store's own have.
    fileprivate var json: [UInt8] {
        var object = PayloadObject()
        object.add("id", id)
        object.add("kind", type.rawValue)
        object.add("price", "\(price)")
        object.add("isFamilyShareable", isFamilyShareable)
        if let subscription {
            object.add("subscriptionFamilyId", subscription.groupID)
            object.add("recurringSubscriptionPeriod", subscription.period.iso8601)
        }
        return object.finished
    }
}
