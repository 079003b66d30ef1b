public import Essentials

/// The notifications of an App Store, oldest first, with the attempts to deliver them.
package struct NotificationHistory: Sendable {
    package struct Entry: Sendable {
        package let notification: TestNotification
        package var attempts: [NotificationAttempt] = []

        package var hasArrived: Bool { attempts.contains { $0.result == .success } }
    }

    package private(set) var entries: [Entry] = []
    /// The place of each entry: the status of a test notification is found without a search.
    private var places: [UUID: Int] = [:]

    /// No notifications yet.
    package init() {}

    mutating func add(_ notification: TestNotification) {
        places[notification.uuid] = entries.count
        entries.append(Entry(notification: notification))
    }

    /// An identifier that is not known belongs to a notification from before the history began.
    package mutating func add(_ attempt: NotificationAttempt, to uuid: UUID) {
        guard let place = places[uuid] else { return }
        entries[place].attempts.append(attempt)
    }

    package subscript(uuid: UUID) -> Entry? { places[uuid].map { entries[$0] } }
}

/// An attempt to deliver a notification to the app's server.
public struct NotificationAttempt: Hashable, Sendable {
    /// The result of an attempt, with Apple's names.
    public enum Result: String, Hashable, Sendable, CaseIterable {
        /// The server answered with a status from 200 to 206.
        case success = "SUCCESS"
        /// The server did not answer in time.
        case timedOut = "TIMED_OUT"
        /// The secure connection failed.
        case tlsIssue = "TLS_ISSUE"
        /// The server sent the request in a circle.
        case circularRedirect = "CIRCULAR_REDIRECT"
        /// The server did not answer.
        case noResponse = "NO_RESPONSE"
        /// The connection failed.
        case socketIssue = "SOCKET_ISSUE"
        /// The answer's character set is not supported.
        case unsupportedCharset = "UNSUPPORTED_CHARSET"
        /// The answer is not one of HTTP.
        case invalidResponse = "INVALID_RESPONSE"
        /// The connection ended before the answer did.
        case prematureClose = "PREMATURE_CLOSE"
        /// The server answered with another status.
        case unsuccessfulHTTPResponseCode = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
        /// Another error.
        case other = "OTHER"
    }

    /// When it was made.
    public let date: Date
    /// Its result.
    public let result: Result

    /// - Parameters:
    ///   - date: when it was made.
    ///   - result: its result.
    public init(at date: Date, _ result: Result) {
        self.date = date
        self.result = result
    }
}
