#if SQLite
    import PurchaseDatabase
    import StoreKitFixtures
    import Testing

    /// Forwarders come and go, as at a reload, while notifications arrive.
    @Suite struct WakeupsTests {
        @Test func `forwarders that are cancelled while notifications arrive stop nobody`() {
            let wakeups = Wakeups()
            let ends = CancellationRace.ends {
                wakeups.wake()
            } listening: {
                let (signals, _) = wakeups.signals()
                for await _ in signals {}
            }
            #expect(ends)
        }
    }
#endif
