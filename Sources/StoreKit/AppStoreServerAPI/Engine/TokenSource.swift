#if ServerAPI
    internal import RequestSigning
    internal import Essentials

    /// Keeps the token of the requests, and signs the next one in time.
    ///
    /// A token is valid for five minutes, as in Apple's libraries. Two requests that need one at the same time may sign two.
    actor TokenSource {
        /// A signed token.
        struct Token: Sendable {
            let text: String
            /// When it was signed, by this computer's clock.
            let start: Date

            /// When it ends, by this computer's clock.
            var end: Date { start + Double(TokenSource.lifetime) }
        }

        /// How long a token is valid, in seconds.
        static let lifetime = 300
        /// How many seconds a token is still valid when the next one is signed. A slow request needs them.
        private static let reserve = 60.0

        private let issuer: RequestIssuer
        private let signer: AppStoreServerAPIClient.Signer
        private let now: @Sendable () -> Date
        private var current: Token?

        init(
            _ issuer: RequestIssuer, _ signer: AppStoreServerAPIClient.Signer,
            now: @escaping @Sendable () -> Date
        ) { (self.issuer, self.signer, self.now) = (issuer, signer, now) }

        /// A token that is valid now.
        ///
        /// - Throws: `RequestSigningError`, or the error of the caller's closure.
        func token() async throws -> Token {
            let start = now()
            if let current {
                // A clock that was set back makes the token one of the future.
                let age = start.timeIntervalSince(current.start)
                if age >= 0, age < Double(Self.lifetime) - Self.reserve { return current }
            }
            let unsigned = try issuer.serverAPIToken(at: start, lasting: Self.lifetime)
            let text: String
            switch signer.source {
            case .key(let key): text = try unsigned.signed(by: key)
            case .closure(let sign): text = try await sign(unsigned)
            }
            let token = Token(text: text, start: start)
            current = token
            return token
        }

        /// Forgets a token that the App Store refused.
        func forget(_ token: Token) {
            if current?.text == token.text { current = nil }
        }
    }
#endif
