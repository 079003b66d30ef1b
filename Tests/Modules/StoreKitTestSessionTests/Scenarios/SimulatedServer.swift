import Foundation
import SeededRandom
import SignedPayloads
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

    private let comparison: Comparison
    /// Customers whose refunds were taken back: the latest payloads of those say nothing of the time in between.
    private var reversals: Set<UInt64> = []
    private var moments: [UInt64: [Moment]] = [:]

    /// When what is made of payloads is compared with what the App Store knows. Payloads of before 2025 do not name the
    /// download.
    enum Comparison { case atEachEvent, atTheEnd, atTheEndWithoutDownloads }

    /// What was true of a customer after an event, and what was answered then.
    private struct Moment {
        let date: Date
        let owned: Set<CustomerTruth.Ownership>
        let answer: Set<Answer>
    }

    /// An entitlement, as far as an answer about the past has to be the same later.
    private struct Answer: Hashable {
        let purchase: UInt64
        let product: String
        let end: Date?
        let state: Product.SubscriptionInfo.RenewalState?

        /// Without the transaction's identifier: a copy that another device got later has the same dates.
        init(_ status: PurchaseStatus) {
            (purchase, product) = (status.transaction.originalID, status.transaction.productID)
            (end, state) = (status.end, status.state)
        }
    }

    init(_ appStore: TestAppStore, comparing comparison: Comparison = .atEachEvent) throws {
        self.appStore = appStore
        self.comparison = comparison
        // Of before 2022, a payload in a notification names no environment: the notification does.
        let isOld = comparison == .atTheEndWithoutDownloads
        verifier = StoreKitVerifier(
            isOld ? try SignedPayloadVerifier(anchors: [appStore.authority.trustAnchor]) : appStore.verifier)
    }

    func receive(_ output: [SignedOutput]) throws {
        var notifications: [UInt64: [ServerNotification]] = [:]
        for item in output {
            if case .transaction(let token) = item { try keep(token) }
            guard case .notification(let sent) = item else { continue }
            let notification = try verifier.verifiedNotification(body: Array(sent.body.utf8))
            #expect(notification.notificationType == sent.type)
            #expect(notification.subtype == sent.subtype)
            #expect(notification.meaning.name != "unknown")
            #expect(notification.accessChange != .unknown)
            try keep(notification)
            if let customer = sent.appTransactionID {
                notifications[customer, default: []].append(notification)
                if sent.type == .refundReversed { reversals.insert(customer) }
            }
            events += 1
        }
        guard comparison == .atEachEvent else { return remember(notifications) }
        for (customer, notifications) in notifications {
            guard let now = appStore.truth(of: customer) else { continue }
            compare(customer, with: now)
            if notifications.count == 1 {
                check(notifications[0], before[customer], now)
            }
            before[customer] = now
        }
    }

    private func history(of customer: UInt64) -> PurchaseHistory {
        guard comparison == .atTheEndWithoutDownloads else {
            return store.currentHistory(of: .appTransactionID(String(customer)))
        }
        let originals = appStore.originals(of: customer)
        return store.currentHistory(of: Customer(originals.map { .originalTransactionID($0) }))
    }

    /// Remembers what is true of customers at a moment, and what is answered.
    private func remember(_ notifications: [UInt64: [ServerNotification]]) {
        for (customer, notifications) in notifications where (events + Int(customer % 5)).isMultiple(of: 5) {
            guard let truth = appStore.truth(of: customer), let date = notifications.map(\.signedDate).max()
            else { continue }
            let history = history(of: customer)
            moments[customer, default: []].append(
                Moment(
                    date: date, owned: truth.entitlements,
                    answer: Set(history.entitlements(at: date).map(Answer.init))))
        }
    }

    /// Compares what is said of past moments with what was true then, and with what was answered. Returns how many there were.
    func compareMoments() -> Int {
        var compared = 0
        for (customer, moments) in moments where !reversals.contains(customer) {
            let history = history(of: customer)
            let periods = history.accessPeriods(at: appStore.now)
            // A bill that was paid in a grace period gives a transaction that begins before it, maybe of another product.
            for moment in moments where !moment.answer.contains(where: { $0.state == .inGracePeriod }) {
                compared += 1
                #expect(
                    [moment.date, moment.date + 60].map { Self.owned(periods, at: $0) }.contains(
                        moment.owned),
                    "\(customer) at \(moment.date)")
                let known = history.known(at: moment.date).entitlements(at: moment.date)
                #expect(Set(known.map(Answer.init)) == moment.answer, "\(customer) at \(moment.date)")
            }
        }
        return compared
    }

    /// What periods of access give at an instant.
    private static func owned(
        _ periods: [AccessPeriod], at instant: Date
    ) -> Set<CustomerTruth.Ownership> {
        Set(
            periods.filter { $0.begins <= instant && $0.ends.map { instant < $0 } ?? true }.map {
                CustomerTruth.Ownership(
                    productID: $0.transaction.productID, type: $0.transaction.ownershipType)
            })
    }

    /// Keeps a transaction that no notification tells of.
    private func keep(_ token: String) throws {
        let transaction = try verifier.verifiedTransaction(token)
        store.add(transaction)
        values.append(.transaction(transaction))
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
    ///
    /// - Returns: the kinds of charges that there were.
    func compareCharges(_ seed: UInt64) -> Set<Charge.Kind> {
        let history = store.currentHistory(of: .everyone)
        let charges = history.charges
        let found = charges.filter { $0.kind != .prorated && $0.estimate == nil }.map(Paid.init)
        // Payloads of before 2023 have no storefront, and those of before 2024 no price.
        let withoutPrice = charges.filter { $0.amount == nil && $0.estimate == nil }.map(\.transaction)
        let unpriced = Set(withoutPrice.map(\.id))
        let expected = appStore.paid.map(Paid.init)
        #expect(
            Set(found.filter { !unpriced.contains($0.transaction) }).symmetricDifference(
                expected.filter { !unpriced.contains($0.transaction) }) == [])
        #expect(found.map(\.transaction).sorted() == expected.map(\.transaction).sorted())
        #expect(withoutPrice.allSatisfy { $0.signedDate < Self.firstPrices })
        var generator = SplitMix64(seed: seed)
        var again = PurchaseHistory()
        for value in (values + values.filter { _ in Bool.random(using: &generator) }).shuffled(
            using: &generator)
        {
            again.add(value)
        }
        #expect(again.charges == charges)
        #expect(again.accessPeriods(at: appStore.now) == history.accessPeriods(at: appStore.now))
        return Set(charges.map(\.kind))
    }

    /// 2024-01-01.
    private static let firstPrices = Date(timeIntervalSince1970: 1_704_067_200)

    /// Compares the tokens that purchases are found by with those with which they were made. Returns how many there were.
    func compareOwners() -> Int {
        let owners = appStore.owners
        for chain in store.currentHistory(of: .everyone).purchases {
            #expect(chain.appAccountToken == owners[chain.id.originalTransactionID], "\(chain.id)")
        }
        return owners.count
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
        let history = history(of: customer)
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
        let owned = [now, now + 60].map { Self.owned(periods, at: $0) }
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
