package import Essentials
internal import StoreKitVerify

/// The purchases of a simulated App Store: transactions, subscriptions, and the customers who have them.
///
/// Between two changes, this holds (`violation()`):
/// - A customer's list has only the customer's transactions, in the order of their places. The identifier of a transaction
///   leads to its place while a list has it, and no longer after its removal.
/// - The identifier of a copy leads to a transaction, and is no transaction's own.
/// - The next identifier is higher than all that were given.
/// - A transaction has the customer and the original transaction of its subscription. Without a subscription, it is its own
///   original.
/// - No transaction ends before it begins. If it has seats, refunds have left at least one.
/// - A customer's subscription in a group belongs to this customer and to this group.
/// - All transactions of a subscription's period are of this subscription, and the latest is one of them. That of a revoked
///   subscription is revoked.
/// - The latest is the first of them that is not revoked, unless all are, or a test has removed one of the subscription's.
/// - A buyer's subscription lists each member once, and the member's `sharedFrom` names it. The same holds for purchases
///   that do not renew. No buyer is a member.
/// - An own subscription has no `sharedFrom`. Until it has ended, the end of its phase is on the agenda.
/// - The present month of a commitment is one of its months.
/// - Claims to seats belong to a buyer's subscription. Their identifiers differ, and a request made each of them.
package struct PurchaseLedger: Sendable {
    private var transactionList = GrowingList<TransactionRecord>()
    private var subscriptionList = GrowingList<SubscriptionRecord>()
    /// What each customer has; only this ledger changes it.
    var possessions: [CustomerPlace: CustomerPurchases] = [:]
    /// Finds a transaction by its identifier without a search.
    private(set) var placesByIdentifier: [UInt64: TransactionPlace] = [:]
    /// The transactions that other devices have under other identifiers.
    private(set) var copies: [UInt64: TransactionPlace] = [:]
    /// The identifier of the next transaction.
    private(set) var nextTransactionID: UInt64
    private var nextLineItem: UInt64
    /// The members' transactions of a purchase that does not renew, by the place of the buyer's.
    private(set) var sharedPurchases: [TransactionPlace: [TransactionPlace]] = [:]
    /// The claims to seats, by the places of the subscriptions.
    package var seatClaims: [SubscriptionPlace: SeatClaims] = [:]
    /// The terms that apps' servers sold through the Advanced Commerce API: of purchases that do not renew, and of earlier
    /// periods of subscriptions.
    package private(set) var soldTerms: [TransactionPlace: Simulation.AdvancedCommerce] = [:]
    private(set) var agenda = Agenda()

    init(firstTransactionID: UInt64, firstLineItem: UInt64) {
        (nextTransactionID, nextLineItem) = (firstTransactionID, firstLineItem)
    }

    // MARK: - Finding

    /// The places of all transactions, oldest first, with those that were removed.
    package var transactions: some RandomAccessCollection<TransactionPlace> { transactionList.places }

    /// The places of all subscriptions, oldest first, with those that were removed.
    package var subscriptions: some RandomAccessCollection<SubscriptionPlace> { subscriptionList.places }

    package internal(set) subscript(place: TransactionPlace) -> TransactionRecord {
        get { transactionList[place] }
        _modify { yield &transactionList[place] }
    }

    package internal(set) subscript(index: SubscriptionPlace) -> SubscriptionRecord {
        get { subscriptionList[index] }
        _modify { yield &subscriptionList[index] }
    }

    package subscript(customer: CustomerPlace) -> CustomerPurchases {
        possessions[customer] ?? CustomerPurchases()
    }

    /// The place of a transaction, also by the identifier of a copy.
    package func place(of id: UInt64) throws(StoreRefusal) -> TransactionPlace {
        let own = copies[id].map { self[$0].id } ?? id
        guard let place = placesByIdentifier[own] else { throw .noTransaction(id) }
        return place
    }

    /// The subscription with a number; `nil` if there are fewer.
    func subscription(_ number: UInt64) -> SubscriptionPlace? { subscriptionList.place(number) }

    /// The product of a subscription's present period.
    package func product(ofSubscription index: SubscriptionPlace) -> ConfiguredProduct {
        self[self[index].latest].product
    }

    /// The terms that an app's server sold by a transaction; `nil` for other purchases.
    package func terms(ofTransaction place: TransactionPlace) -> Simulation.AdvancedCommerce? {
        soldTerms[place] ?? self[place].subscription.flatMap { self[$0].advancedCommerce }
    }

    // MARK: - Adding

    /// Keeps a transaction.
    ///
    /// - Parameter terms: what an app's server sold by it; `nil` for other purchases, and for subscriptions.
    mutating func add(
        _ transaction: TransactionRecord, soldBy terms: Simulation.AdvancedCommerce? = nil
    ) -> TransactionPlace {
        let place = transactionList.append(transaction)
        nextTransactionID += 1
        placesByIdentifier[transaction.id] = place
        soldTerms[place] = terms
        possessions[transaction.customer, default: .init()].transactions.append(place)
        if let source = transaction.sharedFrom { sharedPurchases[source, default: []].append(place) }
        if transaction.offer?.type == .introductory, !transaction.isFamilyShared,
            let group = transaction.product.subscription?.groupID
        {
            possessions[transaction.customer]?.groupsWithIntroductoryOffer.insert(group)
        }
        return place
    }

    /// The place of the transaction that is added next: a subscription is added right before its first one.
    var nextPlace: TransactionPlace { transactionList.end }

    /// Keeps a subscription, whose first transaction has to be added next.
    mutating func add(_ subscription: SubscriptionRecord) -> SubscriptionPlace {
        let index = subscriptionList.append(subscription)
        if let source = subscription.sharedFrom {
            self[source].members.append(index)
            possessions[subscription.customer, default: .init()]
                .sharedSubscriptions[subscription.groupID] = index
        } else {
            possessions[subscription.customer, default: .init()].subscriptions[subscription.groupID] = index
        }
        return index
    }

    /// Gives a transaction another identifier, beside its own. Returns it.
    mutating func addCopy(of place: TransactionPlace) -> UInt64 {
        let id = reserveTransactionID()
        copies[id] = place
        return id
    }

    /// The identifier of a purchase that waits.
    mutating func reserveTransactionID() -> UInt64 {
        defer { nextTransactionID += 1 }
        return nextTransactionID
    }

    /// Each period of a subscription has one (`webOrderLineItemId`).
    mutating func makeLineItem() -> UInt64 {
        defer { nextLineItem += 1 }
        return nextLineItem
    }

    // MARK: - Changing

    /// Keeps what earlier transactions of a subscription were sold by, before other items begin.
    mutating func keepTerms(of index: SubscriptionPlace) {
        guard let terms = self[index].advancedCommerce else { return }
        for place in self[self[index].customer].transactions
        where self[place].subscription == index && soldTerms[place] == nil {
            soldTerms[place] = terms
        }
    }

    /// Cuts the tie between a member's subscription and the buyer's.
    mutating func leave(_ own: SubscriptionPlace) {
        guard let source = self[own].sharedFrom else { return }
        self[source].members.removeAll { $0 == own }
    }

    /// Cuts the tie between a member's purchase that does not renew and the buyer's.
    mutating func leave(_ shared: TransactionPlace) {
        guard let source = self[shared].sharedFrom else { return }
        sharedPurchases[source]?.removeAll { $0 == shared }
    }

    /// Notes that the app has given the customer what was bought.
    package mutating func finish(_ place: TransactionPlace) { self[place].isFinished = true }

    /// Gives a transaction and all renewals a token. Of a subscription, the latest transaction has it from now on.
    package mutating func setAppAccountToken(_ token: UUID, of place: TransactionPlace, at now: Int) {
        let index = self[place].subscription
        if let index { setAppAccountToken(token, ofRenewals: index) }
        let changed = index.map { self[$0].latest } ?? place
        self[changed].appAccountToken = token
        self[changed].modificationDate = now
    }

    package mutating func setAppAccountToken(_ token: UUID, ofRenewals index: SubscriptionPlace) {
        self[index].appAccountToken = token
    }

    /// Makes the group of the people who have the seats of a subscription an organization.
    package mutating func setOrganization(_ index: SubscriptionPlace) { self[index].isOrganization = true }

    /// Forgets the identifier of a transaction, which its customer loses.
    mutating func forget(_ place: TransactionPlace) { placesByIdentifier[self[place].id] = nil }

    // MARK: - The agenda

    /// Puts the subscription's next event on the agenda, and voids those from before.
    mutating func schedule(_ index: SubscriptionPlace) {
        self[index].dueVersion += 1
        guard let time = end(ofPhase: index) else { return }
        agenda.add(time, subscription: index, version: self[index].dueVersion)
    }

    /// When the phase of a subscription ends; `nil` if the subscription has ended, or follows the buyer's.
    func end(ofPhase index: SubscriptionPlace) -> Int? {
        guard self[index].sharedFrom == nil else { return nil }
        return switch self[index].phase {
        case .active: self[self[index].latest].expiresDate
        case .gracePeriod(let end), .billingRetry(let end): end
        case .expired, .revoked: nil
        }
    }

    /// Takes the earliest event that is due at a time or before.
    mutating func takeEvent(until time: Int) -> Agenda.Item? {
        while let item = agenda.next(until: time) {
            // If the subscription has changed since, another event has taken this one's place.
            if item.version == self[item.subscription].dueVersion { return item }
        }
        return nil
    }
}

/// What a customer has.
package struct CustomerPurchases: Sendable {
    /// The transactions, oldest first.
    package internal(set) var transactions: [TransactionPlace] = []
    /// The customer's own subscription in each group.
    var subscriptions: [String: SubscriptionPlace] = [:]
    /// The subscription in each group that the family shares with the customer, beside an own one.
    var sharedSubscriptions: [String: SubscriptionPlace] = [:]
    /// Both kinds, in the order in which they began.
    package var allSubscriptions: [SubscriptionPlace] {
        (Array(subscriptions.values) + Array(sharedSubscriptions.values)).sorted()
    }
    /// The groups in which the customer has used an introductory offer.
    var groupsWithIntroductoryOffer: Set<String> = []
}
