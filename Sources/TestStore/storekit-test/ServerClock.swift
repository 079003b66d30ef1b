import Foundation
import StoreKitTestSession
import Synchronization

/// A leap is for the tests of a server: a year of renewals within a request. Time never goes back, because the App Store
/// has signed dates already.
///
/// Lets an App Store's time follow the wall clock, ahead of it by as much as events have let it leap.
final class ServerClock: Sendable {
    private let appStore: TestAppStore
    private let lead: Mutex<TimeInterval>

    init(_ appStore: TestAppStore) {
        self.appStore = appStore
        lead = Mutex(0)
    }

    /// Lets the App Store's time pass up to a time on the wall.
    func advance(to time: Date) throws(SigningFailure) {
        let lead = lead.withLock { lead in
            lead = max(lead, appStore.now.timeIntervalSince(time))
            return lead
        }
        try appStore.advance(to: time.addingTimeInterval(lead))
    }
}
