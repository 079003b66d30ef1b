#if SQLite && ServerAPI
    internal import AppStoreServerAPI
    internal import Essentials
    internal import PurchaseDatabase
    internal import StoreKitVerify

    /// The comparison of one customer's purchases with the App Store's answers.
    struct CustomerComparison {
        typealias Failure = Reconciliation.Failure

        /// What is known of one purchase after the answers; without reports, nothing differs.
        struct Outcome {
            var reports: [Reconciliation.Report] = []

            /// Counts the purchase once, and tells each report.
            func add(to counts: inout Reconciliation.Counts, _ tell: (Reconciliation.Report) -> Void) {
                let differs = reports.contains { if case .finding = $0 { true } else { false } }
                if differs { counts.differing += 1 }
                if differs || reports.isEmpty { counts.compared += 1 } else { counts.refused += 1 }
                for report in reports { tell(report) }
            }
        }

        /// An Apple Account: each answer is about one.
        struct Account {
            /// The subscription by which the account is asked about.
            let original: UInt64
            /// The subscriptions of the answer that are compared.
            var subscriptions: Set<UInt64> = []
        }

        let run: Reconciliation
        let now: Date
        /// The purchases that are compared, by their original transactions. What an answer adds is reported once.
        var purchases: [UInt64: PurchaseChain]
        /// Decides which payload of a transaction counts: the file's, or the App Store's.
        var ledger: PurchaseHistory
        /// The accounts with subscriptions, of which no history is known yet.
        var accounts: [Account] = []
        /// The file's other purchases in answers.
        private var others: Set<UInt64> = []
        private var outcomesByID: [String: Outcome] = [:]

        /// - Parameter customer: the purchases whose newest payload is old.
        init(_ run: Reconciliation, _ customer: [PurchaseChain], at now: Date) {
            (self.run, self.now) = (run, now)
            ledger = PurchaseHistory(customer)
            purchases = Dictionary(customer.map { ($0.id.originalTransactionID, $0) }) { first, _ in first }
        }

        /// The outcomes so far, in a fixed order.
        var outcomes: [Outcome] { outcomesByID.sorted { $0.key < $1.key }.map(\.value) }

        // MARK: - Reports

        /// Notes that a purchase is in an answer, with a report or without.
        mutating func note(_ id: String, _ report: Reconciliation.Report?) {
            outcomesByID[id, default: Outcome()].reports += [report].compactMap(\.self)
        }

        mutating func refuse(_ original: UInt64, _ message: String) {
            note(String(original), .refusal(originalTransactionID: String(original), message: message))
        }

        /// The purchases of a kind, in a fixed order.
        func waiting(_ isWanted: (PurchaseChain) -> Bool) -> [UInt64] {
            purchases.values.filter(isWanted).map(\.id.originalTransactionID).sorted()
        }

        // MARK: - Asking

        /// Sends a request.
        ///
        /// - Returns: `nil` if the App Store refused it, which is noted.
        mutating func send<Answer>(
            _ request: APIRequest<Answer>, about original: UInt64
        ) async throws(Failure) -> Answer? {
            do throws(AppStoreServerAPIError) {
                return try await run.client.send(request)
            } catch {
                try refuse(original, error)
                return nil
            }
        }

        /// Notes an error that says nothing about the next customer.
        mutating func refuse(_ original: UInt64, _ error: AppStoreServerAPIError) throws(Failure) {
            guard error.isRefusal || error.isUnreadablyLong else { throw .server(error) }
            refuse(original, "\(error)")
        }

        // MARK: - The file

        /// Whether the file has a purchase that is not compared here. It was heard of lately, or it belongs to another
        /// customer of the file, who is asked about in turn.
        mutating func isOther(_ original: UInt64) async throws(Failure) -> Bool {
            if purchases[original] != nil { return false }
            if others.contains(original) { return true }
            do throws(SQLiteStoreError) {
                guard try await run.store.hasPurchase(original) else { return false }
            } catch {
                throw .store(error)
            }
            others.insert(original)
            return true
        }

        /// Has the file keep payloads, all in one transaction of SQLite, so that no reader sees one without the other.
        ///
        /// - Returns: why the file refuses one of them; `nil` if it keeps them, or none is to be kept.
        func keep(_ tokens: [String]) async throws(Failure) -> String? {
            guard run.applies else { return nil }
            do throws(SQLiteStoreError) {
                // The file's verifier may have another policy than the client's.
                for case .failure(let error) in try await run.store.importPayloads(tokens) {
                    return "the database does not keep the App Store's answer: \(error.message)"
                }
            } catch {
                throw .store(error)
            }
            return nil
        }
    }

    extension PurchaseChain {
        /// Whether the purchase is an auto-renewable subscription.
        var isSubscription: Bool { transactions.contains { $0.productType == .autoRenewable } }
    }

    extension AppStoreServerAPIError {
        /// Whether an answer was longer than the client reads, or a list had no end. An answer that came whole has a status.
        fileprivate var isUnreadablyLong: Bool { kind == .unreadable && status == nil }
    }
#endif
