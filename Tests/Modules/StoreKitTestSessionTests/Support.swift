import Foundation
import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import Testing

/// App Stores with few keys: making them takes longer than most tests.
enum Garden {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01 00:00:00 UTC
    static let monthly = "com.example.garden.plus.monthly"
    static let yearly = "com.example.garden.plus.yearly"
    static let premium = "com.example.garden.premium.monthly"
    static let seeds = "com.example.garden.seeds"
    static let greenhouse = "com.example.garden.greenhouse"
    static let season = "com.example.garden.season"
    static let group = "5AD00010"

    private static let authority = Result { try TestAuthority.appStore("tests") }
    private static let example = Result { try StoreKitConfiguration.example() }

    /// The products of `StoreKitConfiguration.example()`.
    static func configuration() throws -> StoreKitConfiguration { try example.get() }

    /// A customer of a new App Store.
    static func session(
        _ configuration: StoreKitConfiguration? = nil, startingAt start: Date = start
    ) throws -> SKTestSession {
        SKTestSession(
            try TestAppStore(
                configuration ?? example.get(), authority: authority.get(), startingAt: start, seed: 7))
    }

    /// A customer of a new App Store whose `.storekit` file differs from the example.
    static func session(replacing old: String, by new: String) throws -> SKTestSession {
        try session(configuration(replacing: old, by: new))
    }

    /// A new App Store of the example. One of Xcode has keys of its own.
    static func store(_ environment: AppStore.Environment = .sandbox, seed: UInt64) throws -> TestAppStore {
        try TestAppStore(
            example.get(), environment: environment,
            authority: environment == .xcode ? nil : authority.get(), startingAt: start, seed: seed)
    }

    static func configuration(replacing old: String, by new: String) throws -> StoreKitConfiguration {
        let text = String(decoding: try example.get().encoded, as: UTF8.self)
        let changed = text.replacingOccurrences(of: old, with: new)
        try #require(changed != text, "the example has no \(old)")
        return try StoreKitConfiguration(Array(changed.utf8))
    }

    /// The example, with another content.
    static func configuration(
        changing body: (inout [String: Any]) throws -> Void
    ) throws -> StoreKitConfiguration {
        let root = try JSONSerialization.jsonObject(with: Data(example.get().encoded))
        var file = try #require(root as? [String: Any])
        try body(&file)
        return try StoreKitConfiguration(Array(JSONSerialization.data(withJSONObject: file)))
    }

    static func day(_ number: Double) -> Date { start.addingTimeInterval(number * 86_400) }
}

extension SKTestSession {
    func advance(days: Double) throws { try advance(by: .seconds(days * 86_400)) }

    /// The latest transaction.
    func latest() throws -> SKTestTransaction { try #require(allTransactions().last) }

    /// The settings that are on or off.
    var switches: [Bool] {
        [
            askToBuyEnabled, interruptedPurchasesEnabled, disableDialogs, shouldEnterBillingRetryOnRenewal,
            billingGracePeriodIsEnabled,
        ]
    }

    /// The products of the customer's verified entitlements.
    func entitled() async -> [String] {
        await run {
            var products: [String] = []
            for await result in Transaction.currentEntitlements {
                if case .verified(let transaction) = result { products.append(transaction.productID) }
            }
            return products.sorted()
        }
    }

    /// Buys a product in the app.
    func buy(
        _ id: String, _ options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        try await run {
            let product = try #require(try await Product.products(for: [id]).first)
            return try await product.purchase(options: options)
        }
    }

    /// Buys a product in the app, which must succeed.
    @discardableResult
    func bought(_ id: String, _ options: Set<Product.PurchaseOption> = []) async throws -> Transaction {
        guard case .success(let result) = try await buy(id, options) else {
            throw PurchaseFailure(productID: id)
        }
        return try result.payloadValue
    }

    /// The status of the customer's subscription.
    func status() async throws -> Product.SubscriptionInfo.Status {
        let statuses = try await run { try await Product.SubscriptionInfo.status(for: Garden.group) }
        return try #require(statuses.first)
    }

    /// The latest transaction for a product, as the app gets it.
    func transaction(_ product: String) async throws -> Transaction {
        let latest = await run { await Transaction.latest(for: product) }
        return try #require(latest).payloadValue
    }

    /// All verified transactions that the app gets, newest first.
    func history() async -> [Transaction] {
        await run {
            var all: [Transaction] = []
            for await result in Transaction.all {
                if case .verified(let transaction) = result { all.append(transaction) }
            }
            return all
        }
    }

    /// Whether the customer may begin an introductory offer.
    func isEligible() async -> Bool {
        await run { await Product.SubscriptionInfo.isEligibleForIntroOffer(for: Garden.group) }
    }

    /// A product, as the app gets it.
    func product(_ id: String) async throws -> Product {
        let products = try await run { try await Product.products(for: [id]) }
        return try #require(products.first)
    }

    /// The state of the customer's subscription.
    func state() async throws -> Product.SubscriptionInfo.RenewalState? {
        try await run { try await Product.SubscriptionInfo.status(for: Garden.group).first?.state }
    }

    /// The types of the notifications since the last call.
    func notificationNames() -> [String] { takeNotifications().map(\.name) }
}

struct PurchaseFailure: Error { let productID: String }

/// The code of the `SKTestError` that a purchase throws; `nil` if it throws none.
func code(_ purchase: () async throws -> Void) async -> SKTestError.Code? {
    do {
        try await purchase()
        return nil
    } catch {
        if !(error is SKTestError) { Issue.record("\(error)") }
        return (error as? SKTestError)?.code
    }
}
