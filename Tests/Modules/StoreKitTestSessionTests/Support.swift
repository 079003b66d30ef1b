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

    static func configuration(replacing old: String, by new: String) throws -> StoreKitConfiguration {
        let text = String(decoding: try example.get().encoded, as: UTF8.self)
        let changed = text.replacingOccurrences(of: old, with: new)
        try #require(changed != text, "the example has no \(old)")
        return try StoreKitConfiguration(Array(changed.utf8))
    }

    static func day(_ number: Double) -> Date { start.addingTimeInterval(number * 86_400) }
}

extension SKTestSession {
    func advance(days: Double) throws { try advance(by: .seconds(days * 86_400)) }

    /// The latest transaction.
    func latest() throws -> SKTestTransaction { try #require(allTransactions().last) }

    /// Runs a body as the app, and returns what it returns.
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

    /// The state of the customer's subscription.
    func state() async throws -> Product.SubscriptionInfo.RenewalState? {
        try await run { try await Product.SubscriptionInfo.status(for: Garden.group).first?.state }
    }

    /// The types of the notifications since the last call.
    func notificationNames() -> [String] { takeNotifications().map(\.name) }
}

struct PurchaseFailure: Error { let productID: String }

/// The code of the `SKTestError` that a body throws; `nil` if it throws none.
func code(_ body: () throws -> Void) -> SKTestError.Code? {
    do {
        try body()
        return nil
    } catch {
        guard let error = error as? SKTestError else {
            Issue.record("\(error)")
            return nil
        }
        #expect(!error.description.isEmpty && !error.description.hasSuffix("."), "\(error)")
        return error.code
    }
}

/// The code of the `SKTestError` that a body throws; `nil` if it throws none.
func code(_ body: () async throws -> Void) async -> SKTestError.Code? {
    do {
        try await body()
        return nil
    } catch {
        guard let error = error as? SKTestError else {
            Issue.record("\(error)")
            return nil
        }
        return error.code
    }
}
