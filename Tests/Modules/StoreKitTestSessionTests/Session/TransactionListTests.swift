import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// `allTransactions()` and what removes transactions from it.
@Suite struct TransactionListTests {
    @Test func `identifiers count from 0 in Xcode's environment`() async throws {
        let store = try TestAppStore(
            Garden.configuration(), environment: .xcode, startingAt: Garden.start, seed: 1)
        let session = SKTestSession(store)
        try await session.bought(Garden.seeds)
        try await session.bought(Garden.monthly)
        try session.advance(days: 8)
        #expect(session.allTransactions().map(\.identifier) == [0, 1, 2])
        #expect(session.allTransactions().map(\.originalTransactionIdentifier) == [0, 1, 1])
        let transactions = await session.history()
        #expect(transactions.map(\.id) == [2, 1, 0])
        #expect(transactions.map(\.webOrderLineItemID) == ["1", "0", nil])
        #expect(transactions.allSatisfy { $0.environment == .xcode })
    }

    @Test func `a new subscription renews without an issue, and what is no subscription has no end`() throws {
        let session = try Garden.session()
        try session.buyProduct(productIdentifier: Garden.premium)
        let transaction = try session.latest()
        #expect(transaction.state == .purchased && transaction.autoRenewingEnabled)
        #expect(transaction.productIdentifier == Garden.premium)
        #expect(transaction.purchaseDate == Garden.start && transaction.expirationDate == Garden.day(31))
        #expect(transaction.cancelDate == nil && !transaction.hasPurchaseIssue)
        #expect(!transaction.pendingAskToBuyConfirmation && !transaction.isPendingPriceIncreaseConsent)
        for product in [Garden.seeds, Garden.greenhouse, Garden.season] {
            try session.buyProduct(productIdentifier: product)
            let transaction = try session.latest()
            #expect(transaction.expirationDate == nil && !transaction.autoRenewingEnabled)
        }
        #expect(session.allTransactions().count == 4)
    }

    @Test func `clearing removes everything, and keeps the settings`() async throws {
        let session = try Garden.session()
        session.askToBuyEnabled = true
        try session.buyProduct(productIdentifier: Garden.greenhouse)
        session.askToBuyEnabled = false
        try await session.bought(Garden.monthly)
        session.storefront = "FRA"
        session.clearTransactions()
        #expect(session.allTransactions().isEmpty && session.storefront == "FRA")
        try await session.expect(nil, entitled: [])
        // Time passes, and nothing that was cleared renews.
        try session.advance(days: 100)
        #expect(session.allTransactions().isEmpty)
        // The introductory offer can be used again.
        #expect(try await session.bought(Garden.monthly).offer?.type == .introductory)
    }

    @Test func `the transactions of another customer stay`() async throws {
        let session = try Garden.session()
        let other = session.newCustomer()
        try await session.bought(Garden.greenhouse)
        try await other.bought(Garden.greenhouse)
        session.clearTransactions()
        await other.expect(entitled: [Garden.greenhouse])
        let identifier = try other.latest().identifier
        refuses(.noTransactionFound) { try session.deleteTransaction(identifier: identifier) }
        refuses(.noTransactionFound) { try session.refundTransaction(identifier: identifier) }
    }

    @Test func `deleting an original transaction deletes its renewals`() async throws {
        let session = try Garden.session()
        try await session.bought(Garden.greenhouse)
        try await session.bought(Garden.monthly)
        try session.advance(days: 60)
        let original = try session.latest().originalTransactionIdentifier
        try session.deleteTransaction(identifier: original)
        #expect(session.allTransactions().map(\.productIdentifier) == [Garden.greenhouse])
        await session.expect(entitled: [Garden.greenhouse])
        #expect(await session.isEligible())
        #expect(try await session.bought(Garden.monthly).offer?.type == .introductory)
    }

    @Test func `deleting the latest renewal ends the subscription, and leaves earlier ones`() async throws {
        let session = try Garden.session()
        try await session.bought(Garden.premium)
        try session.advance(days: 40)
        try session.deleteTransaction(identifier: session.latest().identifier)
        #expect(session.allTransactions().count == 1)
        try await session.expect(.expired)
        try session.advance(days: 40)
        #expect(session.allTransactions().count == 1)
    }

    @Test func `deleting a transaction leaves others finished, and tells listeners nothing`() async throws {
        let session = try Garden.session()
        let greenhouse = try await session.bought(Garden.greenhouse)
        let seeds = try await session.bought(Garden.seeds)
        await session.run { await greenhouse.finish() }
        let heard = await session.heard {
            try? session.deleteTransaction(identifier: UInt(seeds.id))
            try? session.buyProduct(productIdentifier: Garden.season)
        }
        // First what was unfinished, then what was bought.
        #expect(heard == [Garden.seeds, Garden.season])
        #expect(await !session.unfinished().contains(Garden.greenhouse))
    }

    @Test func `deleting a purchase that waits removes it`() throws {
        let session = try Garden.session()
        session.askToBuyEnabled = true
        try session.buyProduct(productIdentifier: Garden.seeds)
        let identifier = try session.latest().identifier
        try session.deleteTransaction(identifier: identifier)
        #expect(session.allTransactions().isEmpty)
        refuses(.noTransactionFound) { try session.approveAskToBuyTransaction(identifier: identifier) }
    }

    @Test(arguments: [UInt.min, 77, .max])
    func `an unknown identifier is an error of every function`(identifier: UInt) throws {
        let session = try Garden.session()
        let calls: [() throws -> Void] = [
            { try session.deleteTransaction(identifier: identifier) },
            { try session.refundTransaction(identifier: identifier) },
            { try session.resolveIssueForTransaction(identifier: identifier) },
            { try session.approveAskToBuyTransaction(identifier: identifier) },
            { try session.declineAskToBuyTransaction(identifier: identifier) },
            { try session.enableAutoRenewForTransaction(identifier: identifier) },
            { try session.disableAutoRenewForTransaction(identifier: identifier) },
            { try session.requestPriceIncreaseConsentForTransaction(identifier: identifier) },
            { try session.consentToPriceIncreaseForTransaction(identifier: identifier) },
            { try session.declinePriceIncreaseForTransaction(identifier: identifier) },
            { try session.reverseRefund(identifier: identifier) },
        ]
        for call in calls { refuses(.noTransactionFound, call) }
    }

    @Test func `an unknown product, or one of another kind, is an error`() async throws {
        let session = try Garden.session()
        let calls: [(String) throws -> Void] = [
            { try session.expireSubscription(productIdentifier: $0) },
            { try session.forceRenewalOfSubscription(productIdentifier: $0) },
        ]
        for call in calls {
            refuses(.invalidProductIdentifier) { try call("tea") }
            refuses(.invalidProductType) { try call(Garden.seeds) }
            refuses(.noSubscriptionFound) { try call(Garden.monthly) }
        }
        refuses(.invalidProductIdentifier) { try session.buyProduct(productIdentifier: "tea") }
        let bought = await code { try await session.buyProduct(identifier: "tea") }
        #expect(bought == .invalidProductIdentifier)
        try session.buyProduct(productIdentifier: Garden.premium)
        // The customer has another subscription of the group.
        for call in calls { refuses(.noSubscriptionFound) { try call(Garden.monthly) } }
        try session.buyProduct(productIdentifier: Garden.seeds)
        let seeds = try session.latest().identifier
        refuses(.invalidProductType) { try session.disableAutoRenewForTransaction(identifier: seeds) }
    }

    @Test(arguments: 0..<20)
    func `a purchase is heard once, though others read the store meanwhile`(number: Int) async throws {
        let session = try Garden.session()
        let heard = await session.heard {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = await session.unfinished() } }
                group.addTask { _ = try? await session.buyProduct(identifier: Garden.greenhouse) }
                for _ in 0..<4 { group.addTask { _ = await session.unfinished() } }
            }
        }
        #expect(heard == [Garden.greenhouse])
    }

    @Test func `the codes are Apple's`() {
        let codes: [SKTestError.Code] = [
            .serviceUnavailable, .invalidProductIdentifier, .invalidProductType, .invalidURL, .fileNotFound,
            .noSubscriptionFound, .noTransactionFound, .invalidAction,
        ]
        #expect(codes.map(\.rawValue) == Array(0...7) && codes == SKTestError.Code.allCases)
        #expect(SKTestError.errorDomain == "SKTestErrorDomain")
        #expect(SKTestTransaction.State.allCases.map(\.rawValue) == Array(0...4))
    }
}

extension SKTestSession {
    /// The products of the transactions that the app has not finished.
    func unfinished() async -> [String] {
        await run {
            var products: [String] = []
            for await result in Transaction.unfinished {
                products.append(result.unsafePayloadValue.productID)
            }
            return products
        }
    }

    /// The products of `Transaction.updates` while something happens.
    func heard(_ body: () async -> Void) async -> [String] {
        await run {
            var updates = Transaction.updates.makeAsyncIterator()
            // A last purchase shows that all before it has been heard.
            var heard: [String] = []
            let unfinished = await self.unfinished().count
            for _ in 0..<unfinished {
                if let result = await updates.next() { heard.append(result.unsafePayloadValue.productID) }
            }
            // The iterator listens once it has given something.
            if unfinished == 0 {
                _ = try? await self.buyProduct(identifier: Garden.seeds)
                _ = await updates.next()
            }
            await body()
            let marker = try? await self.buyProduct(identifier: Garden.seeds, options: [.quantity(9)])
            while let result = await updates.next() {
                let transaction = result.unsafePayloadValue
                if transaction.id == marker?.id { break }
                heard.append(transaction.productID)
            }
            return heard
        }
    }
}
