internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What the session says of its tasks.
final class WebhookAnswers: NSObject, URLSessionDataDelegate, Sendable {
    private typealias Ended = Result<WebhookClient.Answer, URLError>
    private typealias Waiting = CheckedContinuation<WebhookClient.Answer, any Error>

    /// What becomes of a task, from its beginning on.
    private enum Progress {
        /// The task was made, and its caller does not wait for it yet.
        case new
        /// The task has ended before its caller waited for it.
        case ended(Ended)
        /// The caller waits, and so many bytes of the answer have come. They are kept only if bodies are read.
        case waiting(Waiting, bytes: Int, body: Data)
    }

    /// By the task's number, which is unique in its session.
    private let tasks = Mutex<[Int: Progress]>([:])
    private let followsRedirects: Bool
    private let readsBodies: Bool
    private let longest: Int

    /// - Parameters:
    ///   - followsRedirects: whether a redirect leads to another request.
    ///   - readsBodies: whether bodies are kept, also those that do not say how long they are.
    ///   - longest: how much of a body is read, in bytes.
    init(followsRedirects: Bool, readsBodies: Bool, longest: Int) {
        self.followsRedirects = followsRedirects
        self.readsBodies = readsBodies
        self.longest = longest
    }

    /// Before the task is resumed, so that no answer comes to a task without an entry.
    func begin(_ task: URLSessionTask) { tasks.withLock { $0[task.taskIdentifier] = .new } }

    /// The entry is removed by the caller alone. An answer that comes later finds none, and is dropped.
    func forget(_ task: URLSessionTask) { tasks.withLock { $0[task.taskIdentifier] = nil } }

    /// Starts a task, and waits for its answer.
    func answer(of task: URLSessionDataTask) async throws -> WebhookClient.Answer {
        try await withCheckedThrowingContinuation { continuation in
            let ended: Ended? = tasks.withLock { tasks in
                if case .ended(let result)? = tasks[task.taskIdentifier] { return result }
                tasks[task.taskIdentifier] = .waiting(continuation, bytes: 0, body: Data())
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
    ///
    /// - Parameter result: the answer's status, or why there is none.
    private func finish(_ task: Int, _ result: Result<Int, URLError>) {
        let (waiting, ended) = tasks.withLock { tasks -> (Waiting?, Ended?) in
            switch tasks[task] {
            case .waiting(let continuation, _, let body):
                let ended = result.map { WebhookClient.Answer(status: $0, body: body) }
                tasks[task] = .ended(ended)
                return (continuation, ended)
            case .new: tasks[task] = .ended(result.map { WebhookClient.Answer(status: $0, body: Data()) })
            case nil, .ended: break
            }
            return (nil, nil)
        }
        if let ended { waiting?.resume(with: ended.mapError { $0 }) }
    }

    /// The status is known now. An answer that does not say that it is short is not read: Foundation would queue what comes
    /// faster than it can be counted.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let isLong = !(0...Int64(longest)).contains(response.expectedContentLength)
        guard isLong, !readsBodies else {
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
            guard case .waiting(let continuation, var bytes, var body)? = tasks[dataTask.taskIdentifier]
            else {
                return true
            }
            bytes += data.count
            if readsBodies { body += data }
            tasks[dataTask.taskIdentifier] = .waiting(continuation, bytes: bytes, body: body)
            return bytes > longest
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
