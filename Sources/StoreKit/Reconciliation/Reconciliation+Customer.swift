#if SQLite && ServerAPI
    internal import AppStoreServerAPI
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import Essentials
    internal import PurchaseDatabase

    extension Reconciliation {
        /// Asks about one customer, until each subscription was in an answer.
        ///
        /// Each round takes at least one subscription out, so there are at most as many requests as subscriptions. One is
        /// the rule: an answer has all subscriptions of an Apple Account, and a customer can have several accounts.
        ///
        /// - Parameter customer: the subscriptions whose newest payload is old.
        func reconciled(
            _ customer: [PurchaseChain], at now: Date
        ) async throws(Failure) -> [Outcome] {
            var outcomes: [Outcome] = []
            var waiting = customer
            while let asked = waiting.first {
                let id = String(asked.id.originalTransactionID)
                let answer: SubscriptionStatuses
                do throws(AppStoreServerAPIError) {
                    answer = try await client.send(.subscriptionStatuses(of: id))
                } catch {
                    // A refusal about this customer says nothing about the next one.
                    guard error.isRefusal else { throw .server(error) }
                    outcomes.append(.report(.refusal(originalTransactionID: id, message: "\(error)")))
                    waiting.removeFirst()
                    continue
                }
                for item in answer.groups.flatMap(\.lastTransactions) {
                    let known = customer.first {
                        String($0.id.originalTransactionID) == item.originalTransactionID
                    }
                    // One that the file has, and that is not asked about here, was heard of lately, or belongs to another
                    // customer of the file, who is asked about in turn.
                    if known == nil, try await isInFile(item) { continue }
                    outcomes += try await compare(item, known, at: now)
                    waiting.removeAll { String($0.id.originalTransactionID) == item.originalTransactionID }
                }
                if waiting.first?.id == asked.id {
                    outcomes.append(
                        .report(
                            .refusal(
                                originalTransactionID: id,
                                message: "the App Store's answer has no status of this subscription")))
                    waiting.removeFirst()
                }
            }
            return outcomes
        }

        private func isInFile(_ item: SubscriptionStatuses.LastTransaction) async throws(Failure) -> Bool {
            guard let original = UInt64(item.originalTransactionID) else { return false }
            do throws(SQLiteStoreError) {
                return try await store.hasPurchase(original)
            } catch {
                throw .store(error)
            }
        }

        /// Compares a subscription and its seats.
        private func compare(
            _ item: SubscriptionStatuses.LastTransaction, _ known: PurchaseChain?, at now: Date
        ) async throws(Failure) -> [Outcome] {
            let outcome = try await outcome(of: item, known, at: now)
            guard let known, let report = try await seats(of: known, in: item.status, at: now) else {
                return [outcome]
            }
            if case .same = outcome { return [.report(report)] }
            return [outcome, .more(report)]
        }

        /// Compares a subscription, and has the file keep missing payloads. Both payloads are written in one transaction
        /// of SQLite, so that no reader sees one without the other.
        private func outcome(
            of item: SubscriptionStatuses.LastTransaction, _ known: PurchaseChain?, at now: Date
        ) async throws(Failure) -> Outcome {
            func refusal(_ message: String) -> Outcome {
                .report(.refusal(originalTransactionID: item.originalTransactionID, message: message))
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
            let found = AppStoreWord(
                state: item.status, transaction: transaction, renewalInfo: renewalInfo)
            guard let finding = ReconciliationFinding(found, known, at: now, isApplied: applies) else {
                return .same
            }
            if applies {
                do throws(SQLiteStoreError) {
                    let tokens = [item.transaction.jwsRepresentation, item.renewalInfo.jwsRepresentation]
                    // The file's verifier may have another policy than the client's.
                    for case .failure(let error) in try await store.importPayloads(tokens) {
                        return refusal("the database does not keep the App Store's answer: \(error.message)")
                    }
                } catch {
                    throw .store(error)
                }
            }
            return .report(.finding(finding))
        }
    }
#endif
