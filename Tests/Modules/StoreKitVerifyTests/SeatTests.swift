import Foundation
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Seats of subscriptions for several persons: how many there are, and whom a claim entitles.
@Suite struct SeatTests {
    private static let member = Customer.Name.appTransactionID("704000000000000009")
    private static let seatID = UUID()

    /// A transaction of several seats. `members` replaces members of the payload, or adds some.
    private func seats(
        _ id: Int, original: Int = 1, _ quantity: Int, revoked: Int? = nil, purchased: Int = 0,
        isAdded: Bool = true, _ members: [String: String] = [:]
    ) throws -> VerificationResult<Transaction> {
        let info = revoked.map { #"{"invitationManagement":"DEVELOPER","revokedSeatQuantity":\#($0)}"# }
        var all = [
            "quantity": "\(quantity)", "multiSeatInfo": info ?? #"{"invitationManagement":"DEVELOPER"}"#,
        ]
        if isAdded { all["additionalTransactionReason"] = #""SEAT_ADDITION""# }
        return try Signed.transaction(
            Signed.transactionPayload(
                id: id, original: original, purchased: purchased, expires: 30, all.merging(members) { $1 }))
    }

    private func count(
        _ transactions: [VerificationResult<Transaction>], renewal: String? = nil
    ) throws -> SubscriptionSeats? {
        var history = PurchaseHistory()
        for transaction in transactions { try history.add(transaction) }
        if let renewal {
            let payload = Signed.renewalPayload(original: 1, signed: 12, ["renewalQuantity": renewal])
            try history.add(Signed.renewalInfo(payload))
        }
        return history.entitlements(at: Signed.instant(20)).first?.seats
    }

    @Test func `the seats of a period are those of all its transactions`() throws {
        let refunded = ["revocationDate": "\(Signed.day(15))"]
        #expect(try count([seats(1, 5, isAdded: false)])?.available == 5)
        #expect(try count([seats(1, 5), seats(2, 3, purchased: 10)])?.available == 8)
        #expect(try count([seats(1, 5), seats(2, 3, purchased: 10, refunded)])?.available == 5)
        #expect(try count([seats(1, 5, refunded), seats(2, 3, purchased: 10)])?.available == 3)
        let both = try count([seats(1, 5, revoked: 2), seats(2, 3, revoked: 1, purchased: 10)], renewal: "6")
        // Before they were bought, added seats do not count.
        var history = PurchaseHistory()
        for added in [try seats(1, 5), try seats(2, 3, purchased: 10)] { try history.add(added) }
        #expect(history.entitlements(at: Signed.instant(5)).first?.seats?.available == 5)
        #expect(both?.purchased == 8 && both?.revoked == 3 && both?.available == 5 && both?.atRenewal == 6)
    }

    @Test func `numbers that cannot be never make more seats, nor fewer than none`() throws {
        #expect(try count([seats(1, -5)])?.available == 0)
        #expect(try count([seats(1, 5, revoked: 9)])?.available == 0)
        #expect(try count([seats(1, 5, revoked: -9)])?.available == 5)
        let huge = try count([seats(1, .max), seats(2, .max, purchased: 10)], renewal: "-1")
        #expect(huge.map { $0.available > 0 } == true && huge?.atRenewal == 0)
    }

    @Test func `a purchase for one person has no seats, and neither has a member`() throws {
        #expect(
            try count([Signed.transaction(Signed.transactionPayload(id: 1, expires: 30))]) == nil)
        #expect(try count([seats(1, 5, ["inAppOwnershipType": #""ASSIGNED""#])]) == nil)
    }

    // MARK: Claims

    private var purchase: PurchaseChain.ID {
        PurchaseChain.ID(
            originalTransactionID: 1, environment: .production, appBundleID: "com.example.garden")
    }

    private func claim(_ members: [Customer.Name] = [member], day: Int = 5) -> SeatClaim {
        SeatClaim(id: Self.seatID, of: purchase, for: members, date: Signed.instant(day))
    }

    private func owned(
        _ name: Customer.Name, in store: InMemoryTransactionStore, day: Int = 20
    ) async throws -> [UInt64] {
        try await store.currentEntitlements(of: Customer([name]), at: Signed.instant(day)).map(\.id)
    }

    @Test func `a member with a claim is entitled as long as the purchaser is`() async throws {
        let store = InMemoryTransactionStore()
        // Records may come before the purchase, and twice.
        try await store.claim(claim())
        try await store.claim(claim())
        #expect(try await owned(Self.member, in: store) == [])
        try await store.apply(seats(1, 5))
        #expect(try await owned(Self.member, in: store) == [1])
        #expect(try await owned(Self.member, in: store, day: 4) == [])
        #expect(try await owned(Self.member, in: store, day: 30) == [])
        // The claim is no purchase of the member's.
        #expect(try await store.all(of: Customer([Self.member])) == [])
        #expect(try await owned(.appTransactionID("704000000000000008"), in: store) == [])
        try await store.apply(
            seats(1, 5, ["revocationDate": "\(Signed.day(15))", "signedDate": "\(Signed.day(16))"]))
        #expect(try await owned(Self.member, in: store, day: 14) == [1])
        #expect(try await owned(Self.member, in: store) == [])
    }

    @Test func `a name that is known later leads to the seat too`() async throws {
        let (store, token) = (InMemoryTransactionStore(), Customer.Name.appAccountToken(UUID()))
        try await store.apply(seats(1, 5))
        // The later record of the claim may come first.
        try await store.claim(claim([token], day: 8))
        try await store.claim(claim())
        #expect(try await owned(token, in: store, day: 6) == [1])
        #expect(try await owned(Self.member, in: store) == [1])
        #expect(try await owned(token, in: store) == [1])
    }

    @Test func `a claim that ends stays ended, in whatever order its records come`() async throws {
        let early = InMemoryTransactionStore()
        try await early.unclaim([Self.seatID, UUID()], at: Signed.instant(10))
        let late = InMemoryTransactionStore()
        for store in [early, late] {
            try await store.apply(seats(1, 5))
            try await store.claim(claim())
        }
        let notification = try Signed.verifier().notification(
            Signed.token(
                Signed.object([
                    "notificationType": #""UNCLAIM_SEATS""#, "version": #""2.0""#,
                    "notificationUUID": "\"\(UUID().uuidString.lowercased())\"",
                    "signedDate": "\(Signed.day(10))",
                    "unclaimInfo": #"{"unclaimSeatIds":["\#(Self.seatID.uuidString.lowercased())"]}"#,
                ])))
        #expect(try await late.apply(notification))
        #expect(try await !late.apply(notification))
        for store in [early, late] {
            #expect(try await owned(Self.member, in: store, day: 9) == [1])
            #expect(try await owned(Self.member, in: store, day: 10) == [])
            try await store.claim(claim())
            #expect(try await owned(Self.member, in: store, day: 10) == [])
        }
    }

    @Test func `a store that keeps no claims says so`() async throws {
        await #expect(throws: SeatClaimsNotKept.self) { try await BrokenStore().claim(claim()) }
        await #expect(throws: SeatClaimsNotKept.self) {
            try await BrokenStore().unclaim([Self.seatID], at: Signed.instant(1))
        }
    }

    // MARK: Bundles, and past instants

    @Test func `a subscription that became part of a bundle counts once`() throws {
        var history = PurchaseHistory()
        try history.add(
            Signed.transaction(Signed.transactionPayload(id: 1, product: "a", purchased: 0, expires: 365)))
        try history.add(
            Signed.transaction(
                Signed.transactionPayload(
                    id: 5, product: "b", purchased: 10, expires: 40,
                    ["previousOriginalTransactionId": #""1""#])))
        #expect(history.currentEntitlements(at: Signed.instant(9)).map(\.id) == [1])
        #expect(history.currentEntitlements(at: Signed.instant(20)).map(\.id) == [5])
        // When the bundle has ended, the customer's other subscription counts again.
        #expect(history.currentEntitlements(at: Signed.instant(50)).map(\.id) == [1])
    }

    @Test func `what was known then leaves out what was signed later`() throws {
        var history = PurchaseHistory()
        try history.add(Signed.transaction(Signed.transactionPayload(id: 1, expires: 30)))
        let grace = ["gracePeriodExpiresDate": "\(Signed.day(46))", "isInBillingRetryPeriod": "true"]
        try history.add(Signed.renewalInfo(Signed.renewalPayload(original: 1, signed: 33, grace)))
        #expect(history.currentEntitlements(at: Signed.instant(32)).isEmpty == false)
        #expect(history.known(at: Signed.instant(32)).currentEntitlements(at: Signed.instant(32)).isEmpty)
        #expect(
            history.known(at: Signed.instant(34)).currentEntitlements(at: Signed.instant(34)).map(\.id) == [1]
        )
        #expect(history.known(at: Signed.instant(-1)).purchases.isEmpty)
    }
}
