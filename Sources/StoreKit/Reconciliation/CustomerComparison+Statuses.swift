#if SQLite && ServerAPI
    internal import AppStoreServerAPI
    internal import Essentials
    internal import StoreKitVerify

    extension CustomerComparison {
        /// Compares the subscriptions by their statuses, until each was in an answer.
        ///
        /// Each round takes at least one subscription out, so there are at most as many requests as subscriptions. One is
        /// the rule: an answer has all subscriptions of an Apple Account, and a customer can have several accounts.
        mutating func compareStatuses() async throws(Failure) {
            var waiting = waiting(\.isSubscription)
            while let asked = waiting.first {
                var account = Account(original: asked)
                let answer = try await send(.subscriptionStatuses(of: String(asked)), about: asked)
                for item in answer?.groups.flatMap(\.lastTransactions) ?? [] {
                    let original = UInt64(item.originalTransactionID)
                    if let original, try await isOther(original) { continue }
                    try await compare(item, original.flatMap { purchases[$0] })
                    if let original { account.subscriptions.insert(original) }
                }
                waiting.removeAll { account.subscriptions.contains($0) }
                if account.subscriptions.contains(asked) {
                    accounts.append(account)
                    continue
                }
                if answer != nil {
                    refuse(asked, "the App Store's answer has no status of this subscription")
                }
                waiting.removeFirst()
            }
        }

        /// Compares a subscription and its seats.
        private mutating func compare(
            _ item: SubscriptionStatuses.LastTransaction, _ known: PurchaseChain?
        ) async throws(Failure) {
            let id = item.originalTransactionID
            note(id, try await report(on: item, known))
            if let known { note(id, try await run.seats(of: known, in: item.status, at: now)) }
        }

        /// Compares a subscription, and has the file keep missing payloads.
        ///
        /// - Returns: `nil` if nothing differs.
        private mutating func report(
            on item: SubscriptionStatuses.LastTransaction, _ known: PurchaseChain?
        ) async throws(Failure) -> Reconciliation.Report? {
            func refusal(_ message: String) -> Reconciliation.Report {
                .refusal(originalTransactionID: item.originalTransactionID, message: message)
            }
            guard case .verified(let transaction) = item.transaction,
                case .verified(let renewalInfo) = item.renewalInfo
            else {
                return refusal("the payloads of the App Store's answer are not verified")
            }
            // The name beside the payloads is not signed.
            guard String(transaction.originalID) == item.originalTransactionID,
                renewalInfo.originalTransactionID == transaction.originalID
            else {
                return refusal("the payloads of the App Store's answer are about another subscription")
            }
            guard run.isOwn(transaction) else {
                return refusal("the payloads of the App Store's answer are of another app or environment")
            }
            let word = AppStoreWord(state: item.status, transaction: transaction, renewalInfo: renewalInfo)
            let finding = ReconciliationFinding(word, known, at: now, isApplied: run.applies)
            // Both were verified, so the ledger takes them.
            _ = try? ledger.add(item.transaction)
            purchases[transaction.originalID] = ledger.purchase(of: transaction)
            guard let finding else { return nil }
            let tokens = [item.transaction.jwsRepresentation, item.renewalInfo.jwsRepresentation]
            if let message = try await keep(tokens) { return refusal(message) }
            return .finding(finding)
        }
    }
#endif
