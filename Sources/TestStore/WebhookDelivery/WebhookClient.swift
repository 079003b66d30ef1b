package import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Posts bodies to web addresses. The time until an answer is complete is bounded, and so is the answer's length.
///
/// Known limit: Foundation heeds a cancellation late if an answer comes as fast as memory. Until the time-out, such an
/// address can take memory and delay others. Forward to servers of your own. And on Linux, Foundation of Swift 6.3 asks to
/// write to a connection as long as it waits for the answer: one core is busy meanwhile.
package final class WebhookClient: Sendable {
    /// What came back.
    package struct Answer: Sendable {
        package let status: Int
        /// Empty unless the client reads bodies.
        package let body: Data
    }

    private let session: URLSession
    private let answers: WebhookAnswers
    /// From the beginning of a request to the end of its answer.
    private let timeout: Duration

    /// The statuses that accept a notification (Apple, "Responding to App Store Server Notifications").
    package static let accepting = 200...206

    /// How much of an answer is read, in bytes.
    ///
    /// 64 KiB. A longer answer is cut off, and its status counts all the same.
    private static let longestAnswer = 64 << 10

    /// - Parameters:
    ///   - timeout: the limit for a request, from its beginning to the end of the answer.
    ///   - followsRedirects: whether an answer that names another address leads there. Otherwise it is the answer.
    ///   - readsBodies: whether answers have their bodies. Such a client is for servers that are trusted not to send more
    ///     than can be counted.
    package init(timeout: Duration, followsRedirects: Bool, readsBodies: Bool = false) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        // More than one request at a time to a server that is slow; the forwarder has its own limit below
        // this.
        configuration.httpMaximumConnectionsPerHost = 64
        answers = WebhookAnswers(
            followsRedirects: followsRedirects, readsBodies: readsBodies, longest: Self.longestAnswer)
        session = URLSession(configuration: configuration, delegate: answers, delegateQueue: nil)
        self.timeout = timeout
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Whether a web address is one to post to: of HTTP, with or without TLS, with a host.
    package static func canPost(to url: URL) -> Bool {
        (url.scheme == "http" || url.scheme == "https") && !(url.host() ?? "").isEmpty
    }

    /// Posts a body of JSON, and waits for the whole answer.
    ///
    /// - Throws: an `URLError` if there is no answer; its code is `cancelled` if the task is. That of `timedOut` describes
    ///   itself as "no answer within" the limit.
    package func answer(to body: Data, at url: URL) async throws -> Answer {
        var request = URLRequest(url: url, timeoutInterval: timeout / .seconds(1))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = body
        let task = session.dataTask(with: request)
        answers.begin(task)
        defer { answers.forget(task) }
        // The session's own limit is for the pauses of a connection, not for the whole request.
        let limit = Task { [answers, timeout] in
            try await Task.sleep(for: timeout)
            answers.end(task, URLError(.timedOut))
        }
        defer { limit.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await answers.answer(of: task)
            } onCancel: {
                answers.end(task, URLError(.cancelled))
            }
        } catch let error as URLError where error.code == .timedOut {
            // The session's limit is as long, and may come first. Foundation on Linux has a number for it, and no words.
            let words = "no answer within \(timeout)"
            throw URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: words])
        }
    }
}
