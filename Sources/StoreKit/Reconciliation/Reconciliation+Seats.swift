#if SQLite && ServerAPI
    internal import AppStoreServerAPI
    internal import StoreKitVerify
    internal import Essentials
    internal import PurchaseDatabase

    extension Reconciliation {
        /// Compares the claims of a subscription's seats, where the app's server gives them (`invitationManagement`). A claim
        /// that the App Store has ended ends in the file too.
        ///
        /// - Parameter state: the App Store's state of the subscription: the App Store has its seats only while it is active.
        /// - Returns: `nil` if there is nothing to compare, or nothing differs.
        func seats(
            of chain: PurchaseChain, in state: Product.SubscriptionInfo.RenewalState, at now: Date
        ) async throws(Failure) -> Report? {
            let isDevelopers = chain.transactions.contains {
                $0.multiSeatInfo?.invitationManagement == .developer && $0.ownershipType == .purchased
            }
            guard isDevelopers, [.subscribed, .inGracePeriod].contains(state) else { return nil }
            let original = chain.id.originalTransactionID
            // Read before the App Store is asked: a claim stands there before it is recorded here. Read later, a claim of the
            // time between would be missing in the answer, and would be ended here.
            let recorded = try await standing(original, at: now)
            let info: SeatInfo
            do throws(AppStoreServerAPIError) {
                info = try await client.send(.seatInfo(of: String(original)))
            } catch {
                guard error.isRefusal else { throw .server(error) }
                return .refusal(originalTransactionID: String(original), message: "its seats: \(error)")
            }
            let claims = Set(info.assignedSeatClaimIDs)
            let ended = recorded.subtracting(claims).sorted { $0.uuidString < $1.uuidString }
            // Read once more: a claim that was made meanwhile is in the answer, and recorded by now, or soon.
            let unknown = claims.subtracting(try await standing(original, at: Date()))
            if applies, !ended.isEmpty {
                do {
                    try await store.unclaim(ended, at: now)
                } catch {
                    throw .store((error as? SQLiteStoreError) ?? SQLiteStoreError(.system, "\(error)"))
                }
            }
            return ReconciliationFinding(
                chain, ended: ended, unknown: unknown.sorted { $0.uuidString < $1.uuidString },
                isApplied: applies
            ).map { .finding($0) }
        }

        /// The claims that the file has, and that have not ended.
        private func standing(_ original: UInt64, at now: Date) async throws(Failure) -> Set<UUID> {
            do throws(SQLiteStoreError) {
                return Set(try await store.seatClaims(of: original).filter { $0.stands(at: now) }.map(\.id))
            } catch {
                throw .store(error)
            }
        }
    }
#endif
