#if SQLite
    public import Foundation
    internal import WebhookDelivery

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

    /// Sends by Foundation's `URLSession`. Redirects are not followed, and 64 KiB of an answer are read at most.
    public struct HTTPNotificationTransport: NotificationTransport {
        private let client: WebhookClient

        /// - Parameter timeout: the limit for a request, from its beginning to the end of the answer.
        public init(timeout: Duration = .seconds(30)) {
            client = WebhookClient(timeout: timeout, followsRedirects: false)
        }

        /// Posts a body once.
        ///
        /// - Throws: `URLError` if there is no answer in time.
        public func post(
            _ body: Data, to address: URL, headers: [(name: String, value: String)]
        ) async throws -> Int {
            guard WebhookClient.canPost(to: address) else { throw URLError(.unsupportedURL) }
            return try await client.post(body, to: address, headers: headers)
        }
    }
#endif
