#if SQLite && ServerAPI
    internal import AppStoreServerAPI
    internal import Essentials
    internal import StoreKitVerify

    /// What an Apple Account's history says, as far as it was read.
    private struct AccountHistory {
        /// The purchases in it.
        var originals: Set<UInt64> = []
        /// The transactions in it.
        var transactions: Set<UInt64> = []
        /// What the file lacks: by purchase, then by transaction.
        var news: [UInt64: [UInt64: VerificationResult<Transaction>]] = [:]
        /// How many pages were read.
        var pages = 0
        /// Whether all pages were read.
        var isWhole = true
        /// The transactions that were refused, and why the first one was.
        var refusals: (count: Int, first: String)?

        mutating func refuse(_ reason: String) {
            refusals = ((refusals?.count ?? 0) + 1, refusals?.first ?? reason)
        }

        /// 10,000 transactions. A customer of the file has no more purchases, and an answer without an end ends here.
        static let maximumPages = 500
    }

    extension CustomerComparison {
        /// Compares one-time purchases by their accounts' whole histories, until each was in an answer. Then it compares the
        /// earlier periods of subscriptions.
        mutating func compareHistories() async throws(Failure) {
            var waiting = waiting { !$0.isSubscription }
            while let asked = waiting.first {
                let history = try await history(of: asked, HistoryFilter())
                try await compare(history)
                accounts.removeAll { history.isWhole && history.originals.contains($0.original) }
                for original in waiting where history.originals.contains(original) {
                    note(String(original), nil)
                }
                waiting.removeAll { history.originals.contains($0) }
                if waiting.first == asked {
                    if history.isWhole { refuse(asked, "the App Store's answer does not have this purchase") }
                    waiting.removeFirst()
                }
                guard history.isWhole || history.pages == 0 else {
                    // The same account would be read to the same page again.
                    for original in waiting { refuse(original, "the customer's history was not read whole") }
                    break
                }
            }
            for account in accounts { try await compareEarlierPeriods(of: account) }
        }

        /// Compares the refunds and revocations of all periods. The statuses have the latest alone.
        private mutating func compareEarlierPeriods(of account: Account) async throws(Failure) {
            let chains = account.subscriptions.sorted().compactMap { purchases[$0] }
            var filter = HistoryFilter()
            // A refund of items or seats leaves the rest of a transaction unrevoked.
            filter.revoked = chains.contains(where: \.isSoldInParts) ? nil : true
            let history = try await history(of: account.original, filter)
            try await compare(history)
            guard history.isWhole else { return }
            // A reversed refund is not in the answer, and the present payload says so.
            for chain in chains {
                for transaction in chain.transactions
                where transaction.revocationDate != nil && !history.transactions.contains(transaction.id) {
                    let original = chain.id.originalTransactionID
                    let request = APIRequest.transactionInfo(of: String(transaction.id))
                    guard let answer = try await send(request, about: original) else { continue }
                    var found = AccountHistory()
                    try await hear([answer], in: &found)
                    if let refusal = found.refusals { refuse(original, refusal.first) }
                    try await compare(found)
                }
            }
        }

        // MARK: - Reading

        private mutating func history(
            of asked: UInt64, _ filter: HistoryFilter
        ) async throws(Failure) -> AccountHistory {
            var history = AccountHistory()
            var pages = run.client.transactionHistory(of: String(asked), filter).makeAsyncIterator()
            while let page = try await next(of: &pages, about: asked, &history) {
                for refusal in page.refusals { history.refuse("\(refusal.place): \(refusal.error.message)") }
                try await hear(page.transactions, in: &history)
            }
            if let (count, first) = history.refusals {
                refuse(asked, "transactions of the App Store's answer that are refused: \(count); \(first)")
            }
            return history
        }

        private mutating func next(
            of pages: inout APIPages<TransactionPage>.AsyncIterator, about original: UInt64,
            _ history: inout AccountHistory
        ) async throws(Failure) -> TransactionPage? {
            do throws(AppStoreServerAPIError) {
                guard let page = try await pages.next() else { return nil }
                history.pages += 1
                if history.pages <= AccountHistory.maximumPages { return page }
                refuse(original, "the history has more than \(AccountHistory.maximumPages) pages")
            } catch {
                try refuse(original, error)
            }
            history.isWhole = false
            return nil
        }

        /// Keeps the transactions that bring news. The others are gone with their page.
        private mutating func hear(
            _ results: [VerificationResult<Transaction>], in history: inout AccountHistory
        ) async throws(Failure) {
            for result in results {
                guard case .verified(let transaction) = result else {
                    history.refuse("transaction \(result.unsafePayloadValue.id) is not verified")
                    continue
                }
                guard run.isOwn(transaction) else {
                    history.refuse("transaction \(transaction.id) is of another app or environment")
                    continue
                }
                history.originals.insert(transaction.originalID)
                history.transactions.insert(transaction.id)
                if try await isOther(transaction.originalID) { continue }
                // It was verified, so the ledger takes it.
                if (try? ledger.add(result)) == true {
                    history.news[transaction.originalID, default: [:]][transaction.id] = result
                }
            }
        }

        // MARK: - Comparing

        private mutating func compare(_ history: AccountHistory) async throws(Failure) {
            for (original, news) in history.news.sorted(by: { $0.key < $1.key }) {
                try await compare(news, of: original)
            }
        }

        /// Reports what the ledger says otherwise after the answer, and has the file keep it.
        private mutating func compare(
            _ news: [UInt64: VerificationResult<Transaction>], of original: UInt64
        ) async throws(Failure) {
            guard let any = news.values.first?.unsafePayloadValue, let chain = ledger.purchase(of: any)
            else { return }
            let known = purchases.updateValue(chain, forKey: original)
            // Of a purchase that the file does not have, one report is enough.
            let found =
                known == nil
                ? chain.transactions.prefix(1) : news.keys.sorted().compactMap { chain[$0] }[...]
            let findings = found.compactMap {
                ReconciliationFinding($0, in: chain, known, isApplied: run.applies)
            }
            guard !findings.isEmpty else { return }
            if let message = try await keep(news.values.map(\.jwsRepresentation)) {
                return refuse(original, message)
            }
            for finding in findings { note(String(original), .finding(finding)) }
        }
    }

    extension PurchaseChain {
        /// Whether the App Store can refund a part of a transaction: items of Advanced Commerce, or seats.
        fileprivate var isSoldInParts: Bool {
            transactions.contains { $0.advancedCommerceInfo != nil || $0.multiSeatInfo != nil }
        }
    }
#endif
