import Foundation
import SeededRandom
import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Two customers of one App Store, who do whatever comes to their minds.
@Suite struct RandomLifeTests {
    @Test(arguments: 0..<8)
    func `device and server always agree, and nothing traps`(seed: Int) async throws {
        var life = try RandomLife(seed: UInt64(seed))
        for step in 0..<50 {
            try await life.step()
            let agrees = try await life.agrees()
            #expect(agrees, "step \(step): \(life.last)")
            guard agrees else { return }
        }
    }
}

private struct RandomLife {
    private let buyer: SKTestSession
    private let member: SKTestSession
    /// What the app's server knows, from notifications alone.
    private let server = InMemoryTransactionStore()
    private var random: SplitMix64
    private(set) var last = ""

    init(seed: UInt64) throws {
        buyer = try Garden.session()
        member = buyer.newCustomer()
        random = SplitMix64(seed: seed)
        buyer.billingGracePeriodIsEnabled = seed.isMultiple(of: 2)
    }

    /// Does something. The App Store may refuse it, and then nothing happens.
    mutating func step() async throws {
        let session = Int.random(in: 0..<4, using: &random) == 0 ? member : buyer
        let action = Int.random(in: 0..<24, using: &random)
        let products = [
            Garden.monthly, Garden.yearly, Garden.premium, Garden.greenhouse, Garden.season, Garden.seeds,
        ]
        let product = products.randomElement(using: &random) ?? Garden.seeds
        let transactions = session.allTransactions()
        let transaction = transactions.randomElement(using: &random)?.identifier ?? 0
        last = "\(action) \(product) \(transaction) by \(session === buyer ? "buyer" : "member")"
        do {
            switch action {
            case 0..<8: try await buy(product, session, action)
            case 8..<12: try session.advance(days: Double.random(in: 0..<40, using: &random))
            case 12..<18: try change(product, transaction, session, action)
            default: try happen(transaction, session, action)
            }
        } catch is SKTestError {
            last += " (refused)"
        } catch is Product.PurchaseError {
            last += " (refused)"
        }
    }

    private func buy(_ product: String, _ session: SKTestSession, _ action: Int) async throws {
        switch action {
        case 0: _ = try await session.buy(product, [.codeOffer(referenceName: "fair")])
        case 1: _ = try await session.buy(product, [.promotionalOffer(id: "spring")])
        case 2: _ = try await session.buy(product, [.purchaseDate(session.now.addingTimeInterval(-86_400))])
        case 3:
            session.askToBuyEnabled.toggle()
            _ = try await session.buy(product)
        default: try await session.buyProduct(identifier: product)
        }
    }

    private func change(
        _ product: String, _ transaction: UInt, _ session: SKTestSession, _ action: Int
    ) throws {
        switch action {
        case 12: try session.expireSubscription(productIdentifier: product)
        case 13: try session.forceRenewalOfSubscription(productIdentifier: product)
        case 14: try session.disableAutoRenewForTransaction(identifier: transaction)
        case 15: try session.enableAutoRenewForTransaction(identifier: transaction)
        case 16: session.shouldEnterBillingRetryOnRenewal.toggle()
        default: try session.resolveIssueForTransaction(identifier: transaction)
        }
    }

    private func happen(_ transaction: UInt, _ session: SKTestSession, _ action: Int) throws {
        switch action {
        case 18: try session.refundTransaction(identifier: transaction)
        case 19: try session.reverseRefund(identifier: transaction)
        case 20: try buyer.share(transaction: transaction, with: member)
        case 21: try session.extendRenewalDate(forTransaction: transaction, byDays: 9)
        case 22: try session.approveAskToBuyTransaction(identifier: transaction)
        default: try session.requestPriceIncreaseConsentForTransaction(identifier: transaction)
        }
    }

    /// Gives the server its notifications, and compares what the customers are entitled to.
    func agrees() async throws -> Bool {
        let verifier = StoreKitVerifier(buyer.appStore.verifier)
        for notification in buyer.takeNotifications() {
            try await server.apply(try verifier.notification(notification.signedPayload))
        }
        for session in [buyer, member] {
            let known = try await server.currentEntitlements(
                of: session.storeCustomer, apps: .allApps(in: .sandbox), at: session.now)
            guard await session.entitled() == known.map(\.productID).sorted() else { return false }
        }
        return true
    }
}
