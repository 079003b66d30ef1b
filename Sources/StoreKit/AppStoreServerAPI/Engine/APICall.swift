#if ServerAPI
    internal import AppStoreTables
    internal import Libcurl
    internal import SignedPayloads

    /// A request on its way to one server.
    struct APICall: Sendable {
        let endpoint: APIEndpoint
        let server: AppStoreServerAPIClient.Server
        private let url: String
        private let contentType: String?
        private let body: [UInt8]

        init<Answer>(
            _ request: APIRequest<Answer>, at server: AppStoreServerAPIClient.Server
        ) throws(AppStoreServerAPIError) {
            (endpoint, self.server) = (request.endpoint, server)
            switch request.body {
            case .none: (contentType, body) = (nil, [])
            case .json(let json): (contentType, body) = ("application/json", json)
            case .png(let image): (contentType, body) = ("image/png", image)
            }
            guard
                ["http://", "https://"].contains(where: {
                    server.address.hasPrefix($0) && server.address != $0
                })
            else {
                throw AppStoreServerAPIError(
                    .invalidRequest, request.endpoint,
                    "\"\(server.address)\" is not the address of a server: it must be https://HOST")
            }
            do throws(PathParameterError) {
                url = server.address + (try request.target())
            } catch {
                throw AppStoreServerAPIError(
                    .invalidRequest, request.endpoint,
                    "\"\(error.value)\" is not an identifier: it would change the path of the request")
            }
        }

        /// The bucket of the request.
        var key: RateLimiter.Key { RateLimiter.Key(host: server.address, endpoint: endpoint) }

        /// How many requests there may be within a second.
        var limit: Int { endpoint.entry.limit(inProduction: server.environment == .production) }

        /// The message, with the headers of Apple's libraries.
        func message(token: String) -> HTTPMessage {
            var headers = [
                (name: "Authorization", value: "Bearer " + token),
                (name: "Accept", value: "application/json"),
                (name: "User-Agent", value: "storekit-verify"),
            ]
            if let contentType { headers.append((name: "Content-Type", value: contentType)) }
            // A change that the App Store may have made is not sent once more by a transport.
            return HTTPMessage(
                method: endpoint.method.rawValue, url: url, fields: headers, body: body,
                mayArriveTwice: endpoint.isIdempotent)
        }

        /// Whether the request may be sent again.
        ///
        /// A request above the limit was not executed, and a request without a connection was not sent: both can be repeated,
        /// whatever they change. After all other errors it is unknown whether the App Store executed the request.
        func mayRepeat(after error: AppStoreServerAPIError) -> Bool {
            switch error.kind {
            case .rateLimited, .unreachable: true
            default: error.isRetryable && endpoint.isIdempotent
            }
        }

        func error(_ kind: AppStoreServerAPIError.Kind, _ message: String) -> AppStoreServerAPIError {
            AppStoreServerAPIError(kind, endpoint, message)
        }

        /// An error of a request that was not sent.
        func unsentError(_ kind: AppStoreServerAPIError.Kind, _ message: String) -> AppStoreServerAPIError {
            var error = self.error(kind, message)
            error.mayHaveBeenExecuted = false
            return error
        }

        func error(_ error: HTTPFailure) -> AppStoreServerAPIError {
            switch error.cause {
            case .cancelled: self.error(.cancelled, error.reason)
            case .deadline: self.error(.deadline, "\(server.address) did not answer before the deadline")
            case .tooLong: self.error(.unreadable, error.reason)
            case _ where error.wasSent:
                self.error(.connection, "the connection to \(server.address) failed: \(error.reason)")
            default: self.error(.unreachable, "there is no connection to \(server.address): \(error.reason)")
            }
        }

        func error(_ error: AnswerError, status: Int) -> AppStoreServerAPIError {
            var failure: AppStoreServerAPIError
            switch error {
            case .notJSON(let error):
                failure = self.error(.unreadable, "the answer is not one JSON object: \(error)")
            case .missing(let name): failure = self.error(.unreadable, "the answer lacks \(name)")
            case .wrong(let name, let expected, let found):
                failure = self.error(.unreadable, "\(name) of the answer must be \(expected), not \(found)")
            case .refused(let name, let error):
                failure = self.error(.unverified, "\(name) of the answer was refused: \(error.message)")
                failure.payloadError = error
            }
            failure.status = status
            return failure
        }
    }
#endif
