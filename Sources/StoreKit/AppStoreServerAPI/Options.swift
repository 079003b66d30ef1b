#if ServerAPI
    public import SignedPayloads

    extension AppStoreServerAPIClient {
        /// Apple's server for an environment, or another one with the same API.
        public struct Server: Hashable, Sendable {
            /// The address, without a path: `https://api.storekit.apple.com`.
            public let address: String
            /// The environment. Outside of production, a tenth of Apple's limits applies.
            public let environment: AppStoreEnvironment

            /// Another server, such as the test store. Over `http`, every machine on the way can read the token.
            ///
            /// - Parameters:
            ///   - address: the address, without a path.
            ///   - environment: the environment of its answers.
            public init(_ address: String, environment: AppStoreEnvironment) {
                var address = address
                while address.hasSuffix("/") { address.removeLast() }
                (self.address, self.environment) = (address, environment)
            }

            /// Whether a token may be sent to an address: over TLS, or to this computer itself.
            package static func isSafe(_ address: String) -> Bool {
                let own = ["127.0.0.1", "[::1]", "localhost"].map { "http://" + $0 }
                guard let host = own.first(where: { address.hasPrefix($0) }) else {
                    return address.hasPrefix("https://")
                }
                // A port alone may follow: `http://localhost:1@example.com` is an address of example.com.
                var port = address.dropFirst(host.count)
                if port.hasSuffix("/") { port.removeLast() }
                return port.isEmpty
                    || port.hasPrefix(":") && port.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
            }

            /// Apple's server for purchases.
            public static let production = Server("https://api.storekit.apple.com", environment: .production)
            /// Apple's server for tests, TestFlight included.
            public static let sandbox = Server(
                "https://api.storekit-sandbox.apple.com", environment: .sandbox)
        }

        /// Limits, deadlines and repetitions.
        public struct Options: Sendable {
            /// The server that is asked too, after the first one did not find the transaction.
            ///
            /// Apple's page
            /// [TransactionIdNotFoundError](https://developer.apple.com/documentation/appstoreserverapi/transactionidnotfounderror)
            /// asks for this where the environment of a transaction is not known. `nil` asks one server alone.
            public var fallback: Server?
            /// Whether requests wait, to stay within Apple's limits.
            public var limitsRate = true
            /// The time for a request with all its waits and repetitions. The signer's closure alone may take longer.
            public var deadline = Duration.seconds(60)
            /// How often a request is repeated, and when.
            public var retries = Retries()
            /// The longest answer that is read, in bytes.
            ///
            /// 8 MiB: the largest pages have 20 notifications of 20 kB, and an answer with statuses has no published limit.
            /// Reading takes some twenty times as much memory at worst.
            public var maximumAnswerBytes = 8 << 20

            /// A file in PEM form with the roots that a server's certificate may come from, such as those of a company's
            /// proxy; `nil` for the roots of this computer. TLS is of version 1.2 or later.
            public var trustedCertificates: String?

            /// One server, Apple's limits, a minute, and three repetitions.
            public init() {}
        }

        /// How often a request is repeated, and when.
        ///
        /// The wait before a repetition is drawn by lot, between zero and a bound that doubles each time. After
        /// `Retry-After`, the time that the App Store named comes first.
        public struct Retries: Hashable, Sendable {
            /// How often a request is repeated; 0 for never.
            public var maximum = 3
            /// The bound of the first wait.
            public var firstWait = Duration.milliseconds(250)
            /// The largest bound.
            public var longestWait = Duration.seconds(8)

            /// Three repetitions, after up to 0.25, 0.5 and 1 seconds.
            public init() {}

            /// A wait by lot.
            ///
            /// - Parameter repetition: 0 for the first.
            func wait(before repetition: Int) -> Duration {
                // From zero to an hour, whatever the caller asks for, so that doubling stays within the type.
                let longest = min(max(longestWait, .zero), .seconds(3600))
                var bound = min(max(firstWait, .zero), longest)
                for _ in 0..<max(repetition, 0) where bound < longest { bound = min(bound * 2, longest) }
                return bound * Double.random(in: 0...1)
            }
        }
    }
#endif
