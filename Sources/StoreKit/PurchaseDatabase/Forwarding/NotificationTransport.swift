#if SQLite
    public import Foundation
    internal import Libcurl

    /// How a forwarder sends: one request, one answer.
    public protocol NotificationTransport: Sendable {
        /// Posts a body once.
        ///
        /// A conformance does not follow redirects, bounds what it reads of the answer, and ends soon after its task is
        /// cancelled. It need not bound the time: the forwarder cancels it.
        ///
        /// - Parameters:
        ///   - body: the notification's body.
        ///   - address: where to.
        ///   - headers: the names and values of the request's headers.
        /// - Returns: the status of the answer.
        /// - Throws: any error if there is no answer. Its description is kept in the file.
        func post(
            _ body: Data, to address: URL, headers: [(name: String, value: String)]
        ) async throws -> Int
    }

    /// Sends by libcurl, over connections that it keeps until it is released.
    ///
    /// Redirects are not followed. 64 KiB of an answer's head are read, and as much of a body; of a longer one, the status
    /// counts. The environment's proxies are used (`http_proxy`, `https_proxy`, `no_proxy`), but for this machine's own
    /// addresses.
    public struct HTTPNotificationTransport: NotificationTransport {
        private let client = HTTPClient(.status(short: 64 << 10))
        private let timeout: Duration

        /// - Parameter timeout: the limit for a request, from its beginning to the end of the answer.
        public init(timeout: Duration = .seconds(30)) {
            // A year stands for "never": the sum with the clock stays within the type.
            self.timeout = min(timeout, .seconds(365 * 86_400))
        }

        /// Posts a body once.
        ///
        /// - Throws: `URLError` if there is no answer in time. Its description is the reason in words.
        public func post(
            _ body: Data, to address: URL, headers: [(name: String, value: String)]
        ) async throws -> Int {
            guard NotificationForwarder.canForward(to: address) else { throw URLError(.unsupportedURL) }
            // The App Store repeats notifications, too: receivers know how to tell.
            let message = HTTPMessage(
                method: "POST", url: address.absoluteString,
                fields: headers + [("User-Agent", "storekit-verify")], body: Array(body), mayArriveTwice: true
            )
            do throws(HTTPFailure) {
                return try await client.answer(to: message, by: .now + timeout).status
            } catch {
                throw URLError(error, within: timeout)
            }
        }
    }

    extension URLError {
        /// Foundation's code for a failure, with the reason in words.
        fileprivate init(_ failure: HTTPFailure, within timeout: Duration) {
            let code: URLError.Code =
                switch failure.cause {
                case .cancelled: .cancelled
                case .deadline: .timedOut
                case .tooLong: .dataLengthExceedsMaximum
                case .malformed: .badURL
                case .name: .cannotFindHost
                case .connecting: .cannotConnectToHost
                case .security: .secureConnectionFailed
                case .breaking: .networkConnectionLost
                case .unreadable: .badServerResponse
                case .shortage: .unknown
                }
            let words = failure.cause == .deadline ? "no answer within \(timeout)" : failure.reason
            self.init(code, userInfo: [NSLocalizedDescriptionKey: words])
        }
    }
#endif
