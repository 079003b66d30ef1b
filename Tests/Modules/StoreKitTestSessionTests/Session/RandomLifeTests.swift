import Foundation
import RepositoryFiles
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

    /// Purchases that tests remove make the device and the server differ, but no record wrong.
    @Test(arguments: 0..<TestScale.size(small: 2, usual: 8, large: 200))
    func `the invariants of the App Store's ledgers hold after each action`(seed: Int) async throws {
        var life = try RandomLife(seed: UInt64(seed), isOfTests: true)
        for step in 0..<100 {
            try await life.step()
            let violation = life.violation
            #expect(violation == nil, "step \(step): \(life.last)")
            guard violation == nil else { return }
        }
    }

    @Test func `a claim to a seat that no request made, or that stands twice, is told`() throws {
        let session = try Garden.session()
        try session.buyProduct(productIdentifier: Garden.premium)
        var simulation = session.appStore.read { $0 }
        let index = try #require(simulation.purchases.subscriptions.first)
        let claim = SeatClaims.Claim(id: UUID(), appTransactionID: nil)
        func violation(_ claims: [SeatClaims.Claim], _ requests: [UUID: UUID]) -> String? {
            simulation.purchases.seatClaims[index] = SeatClaims()
            simulation.purchases.seatClaims[index]?.claims = claims
            simulation.purchases.seatClaims[index]?.requests = requests
            return simulation.violation()
        }
        #expect(violation([claim], [UUID(): claim.id]) == nil)
        #expect(violation([claim], [:])?.hasSuffix("has a claim that no request made") == true)
        #expect(violation([claim, claim], [UUID(): claim.id])?.hasSuffix("has a claim twice") == true)
    }
}

private struct RandomLife {
    private let buyer: SKTestSession
    private let member: SKTestSession
    /// What the app's server knows, from notifications alone.
    private let server = InMemoryTransactionStore()
    private var random: SplitMix64
    private(set) var last = ""

    /// Whether the customers also do what only tests can, and buy seats.
    private let isOfTests: Bool

    /// The first invariant of the App Store's ledgers that does not hold.
    var violation: String? { buyer.appStore.read { $0.violation() } }

    init(seed: UInt64, isOfTests: Bool = false) throws {
        buyer = try Garden.session()
        member = buyer.newCustomer()
        random = SplitMix64(seed: seed)
        self.isOfTests = isOfTests
        if isOfTests { buyer.seatInvitationManagement = seed.isMultiple(of: 4) ? .developer : .apple }
        buyer.billingGracePeriodIsEnabled = seed.isMultiple(of: 2)
    }

    /// Does something. The App Store may refuse it, and then nothing happens.
    mutating func step() async throws {
        let session = Int.random(in: 0..<4, using: &random) == 0 ? member : buyer
        let action = Int.random(in: 0..<(isOfTests ? 34 : 24), using: &random)
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
            case 18..<24: try happen(transaction, session, action)
            default: try await doAsTest(product, transaction, session, action)
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

    private func doAsTest(
        _ product: String, _ transaction: UInt, _ session: SKTestSession, _ action: Int
    ) async throws {
        switch action {
        case 24..<27: try session.deleteTransaction(identifier: transaction)
        case 27: if transaction.isMultiple(of: 3) { session.clearTransactions() }
        case 28: _ = try await session.buy(product, [.seats(Int(transaction % 9) + 1)])
        case 29: _ = try await session.buy(product, [.seats(12)])
        case 30: try session.refundSeats(ofTransaction: transaction, count: 1)
        case 31: try buyer.assignSeat(ofTransaction: transaction, to: member)
        default: try session.leaveFamilySharing(ofTransaction: transaction)
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
