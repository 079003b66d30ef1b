#if SQLite && ServerAPI
    package import AppStoreServerAPI
    internal import RequestSigning
    internal import SignedPayloads
    internal import StoreKitVerify
    package import Essentials
    package import PurchaseDatabase

    /// Asks the App Store about subscriptions whose newest payload is old. It finds payloads that webhooks lost, keeps them,
    /// and reports each difference.
    ///
    /// One answer has all subscriptions of an Apple Account (Apple's page "Get All Subscription Statuses"), so one request
    /// for each customer is enough as a rule. Memory has the customers of one part of the file, and the answers of `jobs`
    /// requests.
    package struct Reconciliation: Sendable {
        /// The numbers of a run.
        package struct Counts: Hashable, Sendable {
            /// Subscriptions that the App Store was asked about.
            package var compared = 0
            /// Those that differed, or whose claims of seats did.
            package var differing = 0
            /// Those that the App Store did not find, or whose payloads were refused.
            package var refused = 0
        }

        /// A report of a run.
        package enum Report: Sendable {
            /// The App Store says something else about a subscription than the file.
            case finding(ReconciliationFinding)
            /// The App Store gave no answer about a subscription, or one that was refused.
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
        ///   - silence: leaves out subscriptions of which the file has a payload that was signed after this time.
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
                let silent = part.groups.map { silentSubscriptions(of: $0.history, since: silence) }
                try await reconcile(silent.filter { !$0.isEmpty }, at: now, jobs, &counts, tell)
                place = part.next
            } while place != nil && !Task.isCancelled
            return counts
        }

        /// The subscriptions of the client's app and environment whose newest payload is old.
        private func silentSubscriptions(
            of history: PurchaseHistory, since silence: Date
        ) -> [PurchaseChain] {
            history.purchases.filter { chain in
                let isSubscription = chain.transactions.contains { $0.productType == .autoRenewable }
                let isOwn =
                    chain.id.appBundleID == client.issuer.bundleID
                    && chain.id.environment.rawValue == client.server.environment.rawValue
                return isSubscription && isOwn && !chain.hasPayload(signedAfter: silence)
            }
        }

        /// Reconciles customers, some at a time. The first failure cancels the others, and is the one that counts: the
        /// others follow from it.
        private func reconcile(
            _ customers: [[PurchaseChain]], at now: Date, _ jobs: Int, _ counts: inout Counts,
            _ tell: (Report) -> Void
        ) async throws(Failure) {
            var failure: Failure?
            await withTaskGroup(of: Result<[Outcome], Failure>.self) { group in
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

        /// The result for a subscription.
        enum Outcome: Sendable {
            /// Nothing differs.
            case same
            /// A report about a subscription that is not counted yet.
            case report(Report)
            /// Another report about a subscription that is counted already: about its seats.
            case more(Report)

            func add(to counts: inout Counts, _ tell: (Report) -> Void) {
                switch self {
                case .same: counts.compared += 1
                case .report(let report):
                    switch report {
                    case .finding:
                        counts.compared += 1
                        counts.differing += 1
                    case .refusal: counts.refused += 1
                    }
                    tell(report)
                case .more(let report): tell(report)
                }
            }
        }

        private func outcomes(
            of customer: [PurchaseChain], at now: Date
        ) async -> Result<[Outcome], Failure> {
            do throws(Failure) {
                return .success(try await reconciled(customer, at: now))
            } catch {
                return .failure(error)
            }
        }
    }

    extension PurchaseChain {
        /// Whether something was heard of the subscription since a date. The dates are those of signatures: a payload of a
        /// date is the App Store's word of that date, whenever it came.
        fileprivate func hasPayload(signedAfter date: Date) -> Bool {
            transactions.contains { $0.signedDate > date }
                || renewalInfo.map { $0.signedDate > date } ?? false
        }
    }
#endif
