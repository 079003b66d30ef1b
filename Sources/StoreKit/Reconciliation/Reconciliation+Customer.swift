#if SQLite && ServerAPI
    internal import AppStoreServerAPI
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import StoreKitVerifySQLite

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension Reconciliation {
        /// Asks about one customer, until each subscription was in an answer.
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
                    guard error.isRefusal || error.kind == .unverified else { throw .server(error) }
                    outcomes.append(.report(.refusal(originalTransactionID: id, message: "\(error)")))
                    waiting.removeFirst()
                    continue
                }
                for item in answer.groups.flatMap(\.lastTransactions) {
                    let known = customer.first {
                        String($0.id.originalTransactionID) == item.originalTransactionID
                    }
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

        /// Compares a subscription, and has the file keep what it lacks.
        private func outcome(
            of item: SubscriptionStatuses.LastTransaction, _ known: PurchaseChain?, at now: Date
        ) async throws(Failure) -> Outcome {
            guard case .verified(let transaction) = item.transaction,
                case .verified(let renewalInfo) = item.renewalInfo
            else {
                return .report(
                    .refusal(
                        originalTransactionID: item.originalTransactionID,
                        message: "the payloads of the App Store's answer are not verified"))
            }
            let history = PurchaseHistory(known.map { [$0] } ?? [])
            let found = AppStoreWord(item.status, transaction, renewalInfo)
            guard let finding = ReconciliationFinding(found, known, history, at: now, isApplied: applies)
            else {
                return .same
            }
            if applies {
                do throws(SQLiteStoreError) {
                    let tokens = [item.transaction.jwsRepresentation, item.renewalInfo.jwsRepresentation]
                    _ = try await store.importPayloads(tokens)
                } catch {
                    throw .store(error)
                }
            }
            return .report(.finding(finding))
        }
    }
#endif
