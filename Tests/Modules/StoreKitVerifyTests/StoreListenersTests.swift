import StoreKitFixtures
import StoreKitVerify
import Testing

/// Listeners of a store come and go while it announces.
@Suite struct StoreListenersTests {
    @Test func `listeners that are cancelled during announcements stop neither the store nor others`() throws
    {
        var history = PurchaseHistory()
        _ = try history.add(Signed.transaction(Signed.transactionPayload(id: 1)))
        let (listeners, chains) = (StoreListeners(), history.purchases)
        let ends = CancellationRace.ends {
            listeners.announce(nil) { chains }
        } listening: {
            for await _ in listeners.changes(of: .everyone) {}
        }
        #expect(ends)
    }

    @Test func `a listener sees all of a notification, or nothing`() async throws {
        let store = InMemoryTransactionStore()
        var changes = store.changes(of: .everyone).makeAsyncIterator()
        let data = try Signed.object([
            "bundleId": #""com.example.garden""#, "environment": #""Production""#,
            "signedTransactionInfo": "\"\(Signed.token(Signed.transactionPayload(id: 7, expires: 30)))\"",
            "signedRenewalInfo": "\"\(Signed.token(Signed.renewalPayload(original: 7, signed: 1)))\"",
        ])
        let payload = Signed.object([
            "notificationType": #""DID_RENEW""#,
            "notificationUUID": #""0196a3e5-0000-4000-8000-000000000007""#,
            "version": #""2.0""#, "signedDate": "\(Signed.day(1))", "data": data,
        ])
        #expect(try await store.apply(Signed.verifier().notification(Signed.token(payload))))
        // One element for each payload that brings something new.
        for _ in 0..<2 {
            let chain = try #require(await changes.next())
            #expect(chain.transactions.count == 1 && chain.renewalInfo != nil)
        }
    }
}
