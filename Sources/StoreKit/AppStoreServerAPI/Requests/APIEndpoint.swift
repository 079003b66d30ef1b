#if ServerAPI
    internal import AppStoreTables

    /// An endpoint of the App Store Server API and of the APIs beside it: its name, its limit, and whether a request may
    /// be repeated.
    ///
    /// The limits are those of Apple's page
    /// [Identifying rate limits](https://developer.apple.com/documentation/appstoreserverapi/identifying-rate-limits).
    public struct APIEndpoint: Hashable, Sendable {
        /// A method of HTTP.
        public enum Method: String, Sendable {
            /// Reads.
            case get = "GET"
            /// Sets a value, or uploads one.
            case put = "PUT"
            /// Asks with a body, or starts something.
            case post = "POST"
            /// Removes a value.
            case delete = "DELETE"
        }

        /// The API that an endpoint belongs to. Error codes have their names there.
        public enum Family: Sendable {
            /// The App Store Server API, retention messaging, groups and seats.
            case server
            /// Advanced Commerce, whose error codes have other names.
            case advancedCommerce
            /// The External Purchase Server API.
            case externalPurchase
        }

        /// The method of HTTP.
        public let method: Method
        /// The path. `{}` stands for a parameter.
        public let path: String
        /// How many requests an app may make within a second in production. The Sandbox allows a tenth.
        public let requestsPerSecond: Int
        /// Whether a request may be repeated when it is unknown if the App Store executed it. A repetition then has the same
        /// effect and the same answer.
        public let isIdempotent: Bool
        /// The last part of the address of Apple's page.
        public let page: String

        /// The endpoint in the table.
        let entry: AppStoreEndpoint

        init(_ entry: AppStoreEndpoint) {
            self.entry = entry
            let facts = entry.facts
            method =
                switch facts.method {
                case .get: .get
                case .put: .put
                case .post: .post
                case .delete: .delete
                }
            path = facts.path.split(separator: "/").map { $0.first == "{" ? "/{}" : "/" + $0 }.joined()
            requestsPerSecond = facts.requestsPerSecond
            isIdempotent = facts.isIdempotent
            page = facts.page
        }

        /// The API that the endpoint belongs to.
        public var family: Family {
            if path.hasPrefix("/advancedCommerce") { return .advancedCommerce }
            return path.hasPrefix("/externalPurchase") ? .externalPurchase : .server
        }

        /// Every endpoint.
        public static let all = AppStoreEndpoint.allCases.map { APIEndpoint($0) }
    }
#endif
