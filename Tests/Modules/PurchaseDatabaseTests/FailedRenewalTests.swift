#if SQLite
    import DatabaseFolders
    import Foundation
    import PurchaseDatabase
    import SeededRandom
    import StoreKitFixtures
    import StoreKitVerify
    import Testing

    /// What the file keeps of renewals that failed, in whatever order payloads come.
    @Suite struct FailedRenewalTests {
        private let folder: DatabaseFolder

        init() throws { folder = try DatabaseFolder() }

        private let customer = Customer.originalTransactionID(1)

        private func transaction(_ id: Int, _ start: Int, _ end: Int) throws -> String {
            Signed.transactionPayload(id: id, original: 1, purchased: start, expires: end)
        }

        private func info(_ signed: Int, renews: Int, grace: Int? = nil) -> String {
            var members = ["renewalDate": "\(Signed.day(renews))"]
            if let grace {
                members["gracePeriodExpiresDate"] = "\(Signed.day(grace))"
                members["isInBillingRetryPeriod"] = "true"
                members["expirationIntent"] = "2"
            }
            return Signed.renewalPayload(original: 1, signed: signed, members)
        }

        @Test func `a grace period that is over is still known, as in memory`() async throws {
            let transactions = try [transaction(1, 0, 30), transaction(2, 38, 68), transaction(3, 75, 105)]
            let infos = [
                info(1, renews: 30), info(31, renews: 30, grace: 46), info(33, renews: 30, grace: 46),
                info(38, renews: 68), info(69, renews: 68, grace: 84), info(75, renews: 105),
            ]
            var random = SplitMix64(seed: 35)
            for round in 0..<6 {
                let folder = try DatabaseFolder()
                let store = try folder.open()
                let memory = InMemoryTransactionStore()
                for payload in transactions.shuffled(using: &random) {
                    try await store.apply(Signed.transaction(payload))
                    try await memory.apply(Signed.transaction(payload))
                }
                for payload in infos.shuffled(using: &random) {
                    try await store.apply(Signed.renewalInfo(payload))
                    try await memory.apply(Signed.renewalInfo(payload))
                }
                for (day, owned) in [(10, [1]), (35, [1]), (50, [2]), (72, [2]), (80, [3])]
                    as [(Int, [UInt64])]
                {
                    for store in [store, memory] as [any TransactionStore] {
                        let ids = try await store.currentEntitlements(of: customer, at: Signed.instant(day))
                        #expect(ids.map(\.id) == owned, "day \(day), round \(round)")
                    }
                }
                let kept = try await store.history(of: customer)
                #expect(try await kept == memory.history(of: customer), "round \(round)")
                try store.close()
            }
        }

        @Test func `a notification that announces grace without a date is kept, and verified again`()
            async throws
        {
            let renewal = Signed.renewalPayload(
                original: 1, signed: 31,
                [
                    "isInBillingRetryPeriod": "true", "expirationIntent": "2",
                    "renewalDate": "\(Signed.day(30))",
                ])
            let data = try [
                "bundleId": #""com.example.garden""#, "environment": #""Production""#, "status": "4",
                "signedTransactionInfo": "\"\(Signed.token(transaction(1, 0, 30)))\"",
                "signedRenewalInfo": "\"\(Signed.token(renewal))\"",
            ]
            let payload = Signed.object([
                "notificationType": #""DID_FAIL_TO_RENEW""#, "subtype": #""GRACE_PERIOD""#,
                "notificationUUID": "\"\(UUID().uuidString)\"", "version": #""2.0""#,
                "signedDate": "\(Signed.day(31) + 2000)", "data": Signed.object(data),
            ])
            let store = try folder.open()
            try await store.apply(Signed.verifier().notification(Signed.token(payload)))
            try store.close()
            let again = try folder.open(isReadOnly: true)
            let owned = try await again.currentEntitlements(of: customer, at: Signed.instant(32))
            #expect(owned.map(\.id) == [1])
            #expect(try await again.currentEntitlements(of: customer, at: Signed.instant(35)).isEmpty)
        }
    }
#endif
