import Foundation
import SeededRandom
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Reads all that an App Store signs, as a server does, and compares what it makes of it with what the App Store knows.
final class SimulatedServer {
    let appStore: TestAppStore
    let store = InMemoryTransactionStore()
    private let verifier: StoreKitVerifier
    private var before: [UInt64: CustomerTruth] = [:]
    private(set) var events = 0
    /// All values that came, in their order.
    private var values: [PurchaseValue] = []

    private let comparesEachEvent: Bool

    init(_ appStore: TestAppStore, comparesEachEvent: Bool = true) {
        self.appStore = appStore
        self.comparesEachEvent = comparesEachEvent
        verifier = StoreKitVerifier(appStore.verifier)
    }

    func receive(_ output: [SignedOutput]) throws {
        var notifications: [UInt64: [ServerNotification]] = [:]
        for item in output {
            guard case .notification(let sent) = item else { continue }
            let notification = try verifier.verifiedNotification(body: Array(sent.body.utf8))
            #expect(notification.notificationType == sent.type)
            #expect(notification.subtype == sent.subtype)
            #expect(notification.meaning.name != "unknown")
            #expect(notification.accessChange != .unknown)
            try keep(notification)
            if let customer = sent.appTransactionID {
                notifications[customer, default: []].append(notification)
            }
            events += 1
        }
        guard comparesEachEvent else { return }
        for (customer, notifications) in notifications {
            guard let now = appStore.truth(of: customer) else { continue }
            compare(customer, with: now)
            if notifications.count == 1 {
                check(notifications[0], before[customer], now)
            }
            before[customer] = now
        }
    }

    private func keep(_ notification: ServerNotification) throws {
        if let ended = notification.unclaimInfo?.unclaimSeatIDs {
            store.end(ended, at: notification.signedDate)
        }
        guard let data = notification.data else { return }
        if let transaction = try data.transaction?.payloadValue {
            store.add(transaction)
            values.append(.transaction(transaction))
        }
        if let info = try data.renewalInfo?.payloadValue {
            store.add(info)
            values.append(.renewalInfo(info))
        }
    }

    /// Compares what customers paid with what the App Store knows, and with the same payloads in another order, some of them
    /// twice.
    func compareCharges(_ seed: UInt64) {
        let history = store.currentHistory(of: .everyone)
        let charges = history.charges
        let found = charges.filter { $0.kind != .prorated && $0.estimate == nil }.map(Paid.init)
        let expected = appStore.paid.map(Paid.init)
        #expect(Set(found).symmetricDifference(expected) == [])
        #expect(found.count == expected.count)
        // What is compared is not nothing.
        #expect(Set(charges.map(\.kind)).isSuperset(of: [.purchase, .renewal, .upgrade, .refund, .prorated]))
        var generator = SplitMix64(seed: seed)
        var again = PurchaseHistory()
        for value in (values + values.filter { _ in Bool.random(using: &generator) }).shuffled(
            using: &generator)
        {
            again.add(value)
        }
        #expect(again.charges == charges)
        #expect(again.accessPeriods(at: appStore.now) == history.accessPeriods(at: appStore.now))
    }

    /// An amount that was paid, or came back.
    private struct Paid: Hashable {
        let transaction: UInt64
        let product: String
        let currency: String?
        let storefront: String
        let date: Date
        let amount: Decimal?

        init(_ charge: Charge) {
            let sold = charge.transaction
            (transaction, product) = (sold.id, sold.productID)
            (currency, storefront) = (sold.currency?.identifier, sold.storefront.countryCode)
            let isBack = charge.kind == .refund || charge.kind == .refundOfItem
            (date, amount) = (charge.date, charge.amount.map { isBack ? -$0 : $0 })
        }

        init(_ truth: PaidTruth) {
            (transaction, product) = (truth.transaction, truth.productID)
            (currency, storefront) = (truth.currency, truth.storefront)
            (date, amount) = (truth.date, Decimal(truth.amount) / 1000)
        }
    }

    /// Compares what a customer has now with what the App Store knows.
    func compare(_ customer: UInt64, with truth: CustomerTruth) {
        let history = store.currentHistory(of: .appTransactionID(String(customer)))
        let now = appStore.now
        var states: [UInt64: Product.SubscriptionInfo.RenewalState] = [:]
        for status in history.statuses(at: now) {
            states[status.transaction.unsafePayloadValue.originalID] = status.state
        }
        #expect(states == truth.states, "at \(now)")
        #expect(seats(history, at: now) == truth.seats, "at \(now)")
        // A seat that was claimed gives the purchaser's transaction: `SeatClaimer` compares those.
        let entitlements = history.entitlements(at: now).filter { $0.seatClaim == nil }.map {
            CustomerTruth.Ownership(
                productID: $0.transaction.productID, type: $0.transaction.ownershipType)
        }
        #expect(Set(entitlements) == truth.entitlements, "at \(now)")
        #expect(Set(entitlements).count == entitlements.count)
        // An answer about now knows what is signed a moment later: clocks differ. Periods end at that moment.
        let periods = history.accessPeriods(at: now)
        let owned = [now, now + 60].map { instant in
            Set(
                periods.filter { $0.begins <= instant && $0.ends.map { instant < $0 } ?? true }.map {
                    CustomerTruth.Ownership(
                        productID: $0.transaction.productID, type: $0.transaction.ownershipType)
                })
        }
        #expect(owned.contains(truth.entitlements), "at \(now)")
    }

    /// The seats of each subscription that the customer has access to.
    private func seats(_ history: PurchaseHistory, at now: Date) -> [UInt64: Int] {
        var seats: [UInt64: Int] = [:]
        for status in history.entitlements(at: now) where status.seatClaim == nil {
            guard let count = status.seats?.available, count > 0 else { continue }
            seats[status.transaction.originalID] = count
        }
        return seats
    }

    /// Compares the notification's word on the access to its product with what changed.
    private func check(_ notification: ServerNotification, _ before: CustomerTruth?, _ now: CustomerTruth) {
        guard let transaction = notification.data?.transaction?.unsafePayloadValue,
            transaction.productType != .consumable
        else { return }
        let ownership = CustomerTruth.Ownership(
            productID: transaction.productID, type: transaction.ownershipType)
        let (had, has) = (
            before?.entitlements.contains(ownership) ?? false, now.entitlements.contains(ownership)
        )
        switch notification.accessChange {
        case .grants:
            // A reversal after the period has ended revives nothing; the status says so.
            let isPast =
                notification.notificationType == .refundReversed && notification.data?.status == .expired
            #expect(has != isPast, "\(notification.notificationType.rawValue) of \(transaction.originalID)")
        case .keeps, .endsForClaims: #expect(had == has)
        case .endsWithPeriod: #expect(had && has)
        case .ends:
            // The refund of a past period ends nothing in the present one; the status says so.
            let isPast =
                notification.notificationType == .refund && notification.data?.status == .subscribed
            #expect(has == isPast, "\(notification.notificationType.rawValue) of \(transaction.originalID)")
        case .unknown: Issue.record("\(notification.notificationType)")
        }
    }
}
