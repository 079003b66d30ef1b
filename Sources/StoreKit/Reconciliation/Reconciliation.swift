#if SQLite && ServerAPI
    package import AppStoreServerAPI
    internal import RequestSigning
    internal import SignedPayloads
    internal import StoreKitVerify
    package import Essentials
    package import PurchaseDatabase

    /// Asks the App Store about purchases whose newest payload is old. It finds payloads that webhooks lost, keeps them, and
    /// reports each difference.
    ///
    /// What is asked, of each Apple Account of such a customer:
    ///
    /// - Get All Subscription Statuses, if a subscription is silent: one request.
    /// - Get Transaction History of all transactions, if a one-time purchase is silent: one request for twenty transactions.
    ///   Finished consumables are in it, refunded and shared purchases too, and all periods of subscriptions.
    /// - Otherwise Get Transaction History of revoked transactions, for refunds of earlier periods: one request for twenty. It
    ///   is the history of all transactions where items or seats can be refunded alone.
    /// - Get Transaction Info for each refund of the file that this history does not have: it was reversed.
    /// - Get Seat Info of an active subscription whose seats the app's server gives.
    ///
    /// Get Refund History is not asked: it has no revocations of Family Sharing, and a fifth of the history's limit. Not found
    /// are purchases of accounts of which the file has nothing, one-time purchases of accounts of which the file has
    /// subscriptions alone, missing paid periods of such accounts before the latest, app transactions and external purchases.
    ///
    /// Memory has the customers of one part of the file and, for each of `jobs` customers, a page and the transactions that
    /// the file lacks.
    package struct Reconciliation: Sendable {
        /// The numbers of a run.
        package struct Counts: Hashable, Sendable {
            /// Purchases that the App Store has told about.
            package var compared = 0
            /// Those that differed, or whose claims of seats did.
            package var differing = 0
            /// Those that the App Store did not find, or whose payloads were refused.
            package var refused = 0
        }

        /// A report of a run.
        package enum Report: Sendable {
            /// The App Store says something else about a purchase than the file.
            case finding(ReconciliationFinding)
            /// The App Store gave no answer about a purchase, or one that was refused.
            case refusal(originalTransactionID: String, message: String)
        }

        /// Why a run ended early. Payloads that it has kept stay; another run begins at the first customer.
        package enum Failure: Error {
            /// The file could not be read or written.
            case store(SQLiteStoreError)
            /// The App Store does not answer, or refuses the key.
            case server(AppStoreServerAPIError)
        }

        let store: SQLiteTransactionStore
        let client: AppStoreServerAPIClient
        /// Whether the file keeps the App Store's payloads.
        let applies: Bool

        /// - Parameters:
        ///   - store: the file. Its verifier verifies the answers again, before it keeps them.
        ///   - client: asks the App Store. Its policy names one app and one environment.
        ///   - applies: whether the file keeps the App Store's payloads.
        package init(_ store: SQLiteTransactionStore, _ client: AppStoreServerAPIClient, applies: Bool) {
            (self.store, self.client, self.applies) = (store, client, applies)
        }

        /// Goes through all customers of the file. A cancelled run ends between two parts, or with the client's error.
        ///
        /// - Parameters:
        ///   - silence: leaves out purchases of which the file has a payload that was signed after this time.
        ///   - now: the instant of the states.
        ///   - jobs: how many customers are asked about at a time; at least 1.
        ///   - tell: gets each report; calls do not overlap.
        package func run(
            silentSince silence: Date, at now: Date, jobs: Int, tell: (Report) -> Void
        ) async throws(Failure) -> Counts {
            var (counts, place): (Counts, CustomerPlace?) = (Counts(), nil)
            repeat {
                let part: CustomerPart
                do throws(SQLiteStoreError) {
                    part = try await store.customers(after: place)
                } catch {
                    throw .store(error)
                }
                for (subject, fault) in part.faults {
                    counts.refused += 1
                    tell(.refusal(originalTransactionID: subject, message: "the file's payloads: \(fault)"))
                }
                let silent = part.groups.map { silentPurchases(of: $0.history, since: silence) }
                try await reconcile(silent.filter { !$0.isEmpty }, at: now, jobs, &counts, tell)
                place = part.next
            } while place != nil && !Task.isCancelled
            return counts
        }

        /// Whether a payload is of the client's app and environment.
        func isOwn(_ transaction: Transaction) -> Bool {
            transaction.appBundleID == client.issuer.bundleID
                && transaction.environment.rawValue == client.server.environment.rawValue
        }

        /// The purchases of the client's app and environment whose newest payload is old.
        private func silentPurchases(
            of history: PurchaseHistory, since silence: Date
        ) -> [PurchaseChain] {
            history.purchases.filter { chain in
                let isOwn =
                    chain.id.appBundleID == client.issuer.bundleID
                    && chain.id.environment.rawValue == client.server.environment.rawValue
                return isOwn && !chain.hasPayload(signedAfter: silence)
            }
        }

        /// Reconciles customers, some at a time. The first failure cancels the others, and is the one that counts: the
        /// others follow from it.
        private func reconcile(
            _ customers: [[PurchaseChain]], at now: Date, _ jobs: Int, _ counts: inout Counts,
            _ tell: (Report) -> Void
        ) async throws(Failure) {
            var failure: Failure?
            await withTaskGroup(of: Result<[CustomerComparison.Outcome], Failure>.self) { group in
                var rest = customers[...]
                for customer in rest.prefix(jobs) { group.addTask { await outcomes(of: customer, at: now) } }
                rest = rest.dropFirst(jobs)
                while let result = await group.next() {
                    switch result {
                    case .success(let outcomes): for outcome in outcomes { outcome.add(to: &counts, tell) }
                    case .failure(let error):
                        failure = failure ?? error
                        group.cancelAll()
                        rest = []
                    }
                    if let next = rest.popFirst() { group.addTask { await outcomes(of: next, at: now) } }
                }
            }
            if let failure { throw failure }
        }

        private func outcomes(
            of customer: [PurchaseChain], at now: Date
        ) async -> Result<[CustomerComparison.Outcome], Failure> {
            do throws(Failure) {
                var comparison = CustomerComparison(self, customer, at: now)
                try await comparison.compareStatuses()
                try await comparison.compareHistories()
                return .success(comparison.outcomes)
            } catch {
                return .failure(error)
            }
        }
    }

    extension PurchaseChain {
        /// Whether something was heard of the purchase since a date. The dates are those of signatures: a payload of a
        /// date is the App Store's word of that date, whenever it came.
        fileprivate func hasPayload(signedAfter date: Date) -> Bool {
            transactions.contains { $0.signedDate > date }
                || renewalInfo.map { $0.signedDate > date } ?? false
        }
    }
#endif
