import Foundation
import StoreKitTestSession
import Synchronization

/// Lets an App Store's time follow the wall clock, ahead of it by as much as events have let it leap.
///
/// A leap is for the tests of a server: a year of renewals within a request. Time never goes back, because the App Store
/// has signed dates already.
final class ServerClock: Sendable {
    private let appStore: TestAppStore
    /// How far the App Store is ahead of the wall, in seconds. It never shrinks.
    private let lead: Mutex<TimeInterval>

    init(_ appStore: TestAppStore) {
        self.appStore = appStore
        lead = Mutex(0)
    }

    /// Lets the App Store's time pass up to a time on the wall.
    ///
    /// A request and the timer may call this at the same time. The lock keeps the lead right; the store has
    /// its own lock.
    ///
    /// - Parameter time: the time on the wall. An earlier one than before changes nothing.
    func advance(to time: Date) throws(SigningFailure) {
        let lead = lead.withLock { lead in
            lead = max(lead, appStore.now.timeIntervalSince(time))
            return lead
        }
        try appStore.advance(to: time.addingTimeInterval(lead))
    }
}
