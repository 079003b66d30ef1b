import ArgumentParser
import CommandSupport
import Foundation
import StoreKitTestSession
import WebhookDelivery

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends notifications, and repeats those that fail.
///
/// It is the App Store's side of a webhook: `trigger` and `serve` use it, so that a server under test meets the same
/// repetitions from both.
struct Delivery: Sendable {
    /// The app's server. `url(_:)` has checked that a notification can be posted there.
    let url: URL
    /// How often a notification is sent again, at most as often as there are pauses.
    let retries: Int
    /// How long an hour of the App Store's schedule takes.
    let hour: Duration

    /// The App Store does not document how long it waits for an answer; 30 seconds spare a server in a debugger.
    private static let client = WebhookClient(timeout: .seconds(30), followsRedirects: true)

    /// The hours before each further attempt (Apple, "Responding to App Store Server Notifications").
    static let pauses = [1, 12, 24, 48, 72]

    /// The address that an option names.
    ///
    /// - Throws: `ValidationError`, which ends the command with the status of a usage error.
    static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text), WebhookClient.canPost(to: url) else {
            throw ValidationError("--forward-to is an address such as http://127.0.0.1:8080/notifications.")
        }
        return url
    }

    /// Sends a notification after a first attempt has failed. Returns whether the server accepted it in the end.
    ///
    /// - Parameter record: gets the result of each attempt.
    func sendAgain(
        _ notification: TestNotification, _ record: (NotificationAttempt.Result) -> Void
    ) async throws -> Bool {
        for pause in Self.pauses.prefix(retries) {
            try await Task.sleep(for: hour * pause)
            let result = try await attempt(notification)
            record(result)
            if result == .success { return true }
        }
        return false
    }

    /// Sends a notification once, and writes the result.
    ///
    /// The line has the status or the reason first, then the type and the identifier. A script can find a
    /// notification by it.
    func attempt(_ notification: TestNotification) async throws -> NotificationAttempt.Result {
        let (result, text) = await post(notification)
        try StandardOutput.write(
            "\(text)  \(notification.name)  \(notification.uuid.uuidString.lowercased())\n")
        return result
    }

    /// Posts a notification's body. A failure to connect is a result like any other, and told by its reason.
    private func post(_ notification: TestNotification) async -> (NotificationAttempt.Result, text: String) {
        do {
            let status = try await Self.client.answer(to: Data(notification.body.utf8), at: url).status
            // Apple accepts the statuses 200 to 206; a redirect is followed before this.
            let isAccepted = WebhookClient.accepting.contains(status)
            return (isAccepted ? .success : .unsuccessfulHTTPResponseCode, "\(status)")
        } catch {
            let code = (error as? URLError)?.code
            let words = error.localizedDescription
            return (NotificationAttempt.Result(code), code == .timedOut ? words : "no answer (\(words))")
        }
    }
}

extension NotificationAttempt.Result {
    /// Apple's name for a failure of Foundation's.
    init(_ code: URLError.Code?) {
        self =
            switch code {
            case .timedOut: .timedOut
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
                .tlsIssue
            case .httpTooManyRedirects: .circularRedirect
            // Apple's list has no entry for a name that cannot be resolved. "No response" is the nearest.
            case .cannotFindHost, .dnsLookupFailed: .noResponse
            case .cannotConnectToHost: .socketIssue
            case .badServerResponse, .cannotParseResponse: .invalidResponse
            case .networkConnectionLost: .prematureClose
            default: .other
            }
    }
}
