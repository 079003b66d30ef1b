public import Essentials
internal import Synchronization

/// A store in memory. It suits tests, a single run of a command, and servers that keep payloads in a
/// database.
public final class InMemoryTransactionStore: TransactionStore {
    private struct State {
        var records: [UInt64: PurchaseRecord] = [:]
        var recordsOfCustomers: [Customer.Name: Set<UInt64>] = [:]
        var downloads = Downloads()
        var claims = SeatClaims()
        /// The notifications that were applied.
        var notifications: Set<UUID> = []

        /// Changes a record in place.
        ///
        /// - Parameter names: the names that a payload gives to the customer. The index leads from all that were ever given; which
        ///   of them own a purchase, its chains say.
        mutating func change<Success>(
            _ id: UInt64, named names: [Customer.Name] = [], _ body: (inout PurchaseRecord) -> Success
        ) -> Success {
            for name in names { recordsOfCustomers[name, default: []].insert(id) }
            return body(&records[id, default: PurchaseRecord(id)])
        }

        /// Adds a transaction.
        ///
        /// - Parameter isFinished: whether the app has finished it.
        /// - Returns: whether it brought anything new.
        mutating func add(_ transaction: Transaction, isFinished: Bool = false) -> Bool {
            change(transaction.originalID, named: transaction.customers) { record in
                if isFinished { record.finish(transaction.id, of: transaction.chainID) }
                return record.add(transaction)
            }
        }

        /// Adds renewal information. Returns whether it brought anything new.
        mutating func add(_ renewalInfo: Product.SubscriptionInfo.RenewalInfo) -> Bool {
            change(renewalInfo.originalTransactionID, named: renewalInfo.customers) { $0.add(renewalInfo) }
        }

        /// The seats of others' purchases that the customer was given.
        func seats(of customer: Customer) -> Set<ClaimedSeat> {
            Set(
                claims.of(customer).compactMap { claim in
                    let chains = records[claim.purchase.originalTransactionID]?.chains
                    return chains?.first { $0.id == claim.purchase }.map { ClaimedSeat(claim, of: $0) }
                })
        }

        /// The customer's purchases.
        func chains(of customer: Customer) -> [PurchaseChain] {
            guard customer != .everyone else { return records.values.flatMap(\.chains) }
            var ids = customer.names.reduce(into: Set<UInt64>()) {
                $0.formUnion(recordsOfCustomers[$1] ?? [])
            }
            // What a purchase moved from and to says whose it is.
            var rest = Array(ids)
            while let id = rest.popLast() {
                let former = (records[id]?.chains ?? []).flatMap(\.otherOriginals)
                for other in (recordsOfCustomers[.originalTransactionID(id)] ?? []).union(former)
                where ids.insert(other).inserted {
                    rest.append(other)
                }
            }
            // The purchases of a record may belong to several customers, and a later period to another one than before.
            return ids.flatMap { records[$0]?.chains ?? [] }.namingMoved().filter {
                customer.owns(Set($0.customers))
            }
        }
    }

    /// A purchase that a payload has changed, for the listeners.
    private struct News {
        let purchase: UInt64
        /// The transaction that changed it, if it was one.
        var transaction: Transaction?
        /// Whether listeners get the transaction although the app has finished it.
        var isSentEvenIfFinished = false
    }

    private let state = Mutex(State())
    /// The listeners of payloads that are applied through this instance.
    public let listeners = StoreListeners()

    /// An empty store.
    public init() {}

    /// Changes the state in one step: a reader sees all of it or nothing, and so do the listeners, who are told then.
    private func change<Success>(_ body: (inout State, inout [News]) -> Success) -> Success {
        state.withLock { state in
            var news: [News] = []
            let success = body(&state, &news)
            for news in news {
                listeners.announce(news.transaction, evenIfFinished: news.isSentEvenIfFinished) {
                    state.records[news.purchase]?.chains ?? []
                }
            }
            return success
        }
    }

    /// Applies a transaction.
    public func apply(_ transaction: VerificationResult<Transaction>) async throws {
        add(try transaction.payloadValue)
    }

    /// Applies renewal information.
    public func apply(_ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) async throws {
        add(try renewalInfo.payloadValue)
    }

    /// Adds a verified transaction.
    ///
    /// - Parameters:
    ///   - announces: whether listeners get it, if it is news.
    ///   - isFinished: whether the app has finished it. As on a device, listeners get its refund nevertheless.
    package func add(_ transaction: Transaction, announces: Bool = true, isFinished: Bool = false) {
        change { state, news in
            guard state.add(transaction, isFinished: isFinished), announces else { return }
            news.append(
                News(
                    purchase: transaction.originalID, transaction: transaction,
                    isSentEvenIfFinished: isFinished && transaction.revocationDate != nil))
        }
    }

    /// Adds verified renewal information.
    package func add(_ renewalInfo: Product.SubscriptionInfo.RenewalInfo) {
        change { state, news in
            guard state.add(renewalInfo) else { return }
            news.append(News(purchase: renewalInfo.originalTransactionID))
        }
    }

    /// Applies an app transaction.
    public func apply(_ appTransaction: VerificationResult<AppTransaction>) async throws {
        let appTransaction = try appTransaction.payloadValue
        state.withLock { _ = $0.downloads.add(appTransaction) }
    }

    /// Applies a notification's transaction and renewal information, and remembers the notification, in one step.
    ///
    /// - Returns: whether it is new.
    @discardableResult
    public func apply(_ notification: VerificationResult<ServerNotification>) async throws -> Bool {
        let notification = try notification.payloadValue
        let (transaction, renewalInfo) = try notification.purchases()
        let grace = AnnouncedGrace(notification)
        return change { state, news in
            if let transaction, state.add(transaction) {
                news.append(News(purchase: transaction.originalID, transaction: transaction))
            }
            if let renewalInfo, state.add(renewalInfo) {
                news.append(News(purchase: renewalInfo.originalTransactionID))
            }
            if let grace, state.change(grace.purchase.originalTransactionID, { $0.add(grace) }) {
                news.append(News(purchase: grace.purchase.originalTransactionID))
            }
            if let ended = notification.unclaimInfo?.unclaimSeatIDs {
                state.claims.end(ended, at: notification.signedDate)
            }
            return state.notifications.insert(notification.notificationUUID).inserted
        }
    }

    /// Records that your server gave a seat of a subscription to a member.
    public func claim(_ claim: SeatClaim) async throws { add(claim) }

    /// Records the end of claims.
    public func unclaim(_ seatClaimIDs: [UUID], at date: Date) async throws { end(seatClaimIDs, at: date) }

    /// Records a claim, without waiting.
    package func add(_ claim: SeatClaim) { state.withLock { $0.claims.add(claim) } }

    /// Records the end of claims, without waiting.
    package func end(_ seatClaimIDs: [UUID], at date: Date) {
        state.withLock { $0.claims.end(seatClaimIDs, at: date) }
    }

    /// Removes everything.
    package func removeAll() { state.withLock { $0 = State() } }

    /// Records that the app has finished a transaction.
    public func finish(_ transaction: Transaction) async throws {
        state.withLock { state in
            state.change(transaction.originalID) { $0.finish(transaction.id, of: transaction.chainID) }
        }
    }

    /// The customer's purchases. The time is linear in their number.
    public func history(of customer: Customer) async throws -> PurchaseHistory {
        currentHistory(of: customer)
    }

    /// The customer's history, without waiting.
    package func currentHistory(of customer: Customer) -> PurchaseHistory {
        state.withLock { state in
            let (chains, seats) = (state.chains(of: customer), state.seats(of: customer))
            guard customer != .everyone else {
                return PurchaseHistory(chains, state.downloads.all, claimedSeats: seats)
            }
            var downloads = Set(chains.compactMap(\.appTransactionID))
            for case .appTransactionID(let download) in customer.names { downloads.insert(download) }
            return PurchaseHistory(
                chains, state.downloads.appTransactions(of: downloads), claimedSeats: seats)
        }
    }
}
