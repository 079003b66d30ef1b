package import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Posts bodies to web addresses. The time until an answer is complete is bounded, and so is the answer's length.
///
/// Known limit: Foundation heeds a cancellation late if an answer comes as fast as memory. Until the time-out, such an
/// address can take memory and delay others. Forward to servers of your own.
package final class WebhookClient: Sendable {
    private let session: URLSession
    private let answers: Answers
    /// From the beginning of a request to the end of its answer.
    private let timeout: Duration

    /// The statuses that accept a notification (Apple, "Responding to App Store Server Notifications").
    package static let accepting = 200...206

    /// How much of an answer is read, in bytes. Only its status counts.
    ///
    /// 64 KiB. A longer answer is cut off, and its status counts all the same.
    private static let longestAnswer = 64 << 10

    /// - Parameters:
    ///   - timeout: the limit for a request, from its beginning to the end of the answer.
    ///   - followsRedirects: whether an answer that names another address leads there. Otherwise it is the answer.
    package init(timeout: Duration, followsRedirects: Bool) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        // More than one request at a time to a server that is slow; the forwarder has its own limit below
        // this.
        configuration.httpMaximumConnectionsPerHost = 64
        answers = Answers(followsRedirects: followsRedirects, longest: Self.longestAnswer)
        session = URLSession(configuration: configuration, delegate: answers, delegateQueue: nil)
        self.timeout = timeout
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Whether a web address is one to post to: of HTTP, with or without TLS, with a host.
    package static func canPost(to url: URL) -> Bool {
        (url.scheme == "http" || url.scheme == "https") && !(url.host() ?? "").isEmpty
    }

    /// Posts a body.
    ///
    /// - Returns: the answer's status.
    /// - Throws: an `URLError` if there is no answer in time; its code is `cancelled` if the task is.
    package func post(
        _ body: Data, to url: URL, headers: [(name: String, value: String)]
    ) async throws -> Int {
        var request = URLRequest(url: url, timeoutInterval: timeout / .seconds(1))
        request.httpMethod = "POST"
        for header in headers { request.setValue(header.value, forHTTPHeaderField: header.name) }
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
        return try await withTaskCancellationHandler {
            try await answers.status(of: task)
        } onCancel: {
            answers.end(task, URLError(.cancelled))
        }
    }
}

/// What the session says of its tasks.
private final class Answers: NSObject, URLSessionDataDelegate, Sendable {
    private enum Progress {
        /// The task was made, and its caller does not wait for it yet.
        case new
        /// The task has ended before its caller waited for it.
        case ended(Result<Int, URLError>)
        /// The caller waits, and so many bytes of the answer have come.
        case waiting(CheckedContinuation<Int, any Error>, bytes: Int)
    }

    /// By the task's number, which is unique in its session.
    private let tasks = Mutex<[Int: Progress]>([:])
    private let followsRedirects: Bool
    private let longest: Int

    init(followsRedirects: Bool, longest: Int) {
        self.followsRedirects = followsRedirects
        self.longest = longest
    }

    /// Before the task is resumed, so that no answer comes to a task without an entry.
    func begin(_ task: URLSessionTask) { tasks.withLock { $0[task.taskIdentifier] = .new } }

    /// The entry is removed by the caller alone. An answer that comes later finds none, and is dropped.
    func forget(_ task: URLSessionTask) { tasks.withLock { $0[task.taskIdentifier] = nil } }

    /// Starts a task, and waits for its answer's status.
    func status(of task: URLSessionDataTask) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let ended: Result<Int, URLError>? = tasks.withLock { tasks in
                if case .ended(let result)? = tasks[task.taskIdentifier] { return result }
                tasks[task.taskIdentifier] = .waiting(continuation, bytes: 0)
                return nil
            }
            if let ended { return continuation.resume(with: ended.mapError { $0 }) }
            task.resume()
        }
    }

    /// Ends a task early.
    func end(_ task: URLSessionTask, _ error: URLError) {
        finish(task.taskIdentifier, .failure(error))
        task.cancel()
    }

    /// The first result counts: an answer, the time-out and a cancellation may come at the same moment.
    private func finish(_ task: Int, _ result: Result<Int, URLError>) {
        let waiting = tasks.withLock { tasks -> CheckedContinuation<Int, any Error>? in
            switch tasks[task] {
            case .waiting(let continuation, _):
                tasks[task] = .ended(result)
                return continuation
            case .new: tasks[task] = .ended(result)
            case nil, .ended: break
            }
            return nil
        }
        waiting?.resume(with: result.mapError { $0 })
    }

    /// The status is known now. An answer that does not say that it is short is not read: Foundation would queue what comes
    /// faster than it can be counted.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard !(0...Int64(longest)).contains(response.expectedContentLength) else {
            return completionHandler(.allow)
        }
        let status = (response as? HTTPURLResponse)?.statusCode
        finish(
            dataTask.taskIdentifier, status.map { .success($0) } ?? .failure(URLError(.badServerResponse)))
        completionHandler(.cancel)
        dataTask.cancel()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = tasks.withLock { tasks in
            guard case .waiting(let continuation, let bytes)? = tasks[dataTask.taskIdentifier] else {
                return true
            }
            tasks[dataTask.taskIdentifier] = .waiting(continuation, bytes: bytes + data.count)
            return bytes + data.count > longest
        }
        guard isTooLong else { return }
        finish(dataTask.taskIdentifier, Self.status(dataTask))
        dataTask.cancel()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(followsRedirects ? request : nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error else { return finish(task.taskIdentifier, Self.status(task)) }
        finish(task.taskIdentifier, .failure(error as? URLError ?? URLError(.unknown)))
    }

    /// A response that is not HTTP's is one of a `file` or `data` address, which `canPost(to:)` refuses.
    private static func status(_ task: URLSessionTask) -> Result<Int, URLError> {
        guard let response = task.response as? HTTPURLResponse else {
            return .failure(URLError(.badServerResponse))
        }
        return .success(response.statusCode)
    }
}
