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
}
