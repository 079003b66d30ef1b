#if ServerAPI
    extension AppStoreServerAPIError {
        /// The remedy, in a sentence.
        public var advice: String {
            switch kind {
            case .refused: code.flatMap { Self.advice[$0.rawValue] } ?? adviceByStatus
            case .unauthorized:
                tokenAdvice ?? "Look at the key, the issuer, the bundle identifier and the clock."
            case .rateLimited:
                "Send requests more slowly; Apple counts them by the hour, for each endpoint and app."
            case .unreachable: "Look at the server's address, its certificate and the network."
            case .connection:
                endpoint.isIdempotent || !mayHaveBeenExecuted
                    ? "Look at the network, and send the request again."
                    : "Ask for the App Store's state before you send the request again: it may have been executed."
            case .deadline:
                endpoint.isIdempotent || !mayHaveBeenExecuted
                    ? "Send the request again, or with a longer deadline."
                    : "Ask for the App Store's state before you send the request again: it may have been executed."
            case .cancelled: "Do nothing: the caller ended the request."
            case .unreadable:
                "Look at the server's address: the answer is not the App Store's, or is of a newer version."
            case .unverified:
                "Look at the verifier's policy, and at the environment and app of the server that was asked."
            case .invalidRequest: "Correct the request; it was not sent."
            case .unsigned: "Look at the key, or at the service that signs."
            }
        }

        private var adviceByStatus: String {
            switch status ?? 0 {
            case 400, 405, 413, 415: "Correct the request before it is sent again."
            case 403: "Do not repeat the request: the state of the purchase or of the app does not allow it."
            case 404: "Look at the identifier, the bundle identifier of the key, and the environment."
            case 409: "Use the present one, or choose another identifier."
            case 500...: "Send the request again later."
            default: "Look at the server's address: the App Store does not answer with this status."
            }
        }

        /// The remedies for codes whose status alone does not give one.
        private static let advice: [Int: String] = {
            let transaction =
                "Look at the identifier, and whether the purchase is of this app and of this environment: Production and Sandbox have their own."
            let later = "Send the same request again in some seconds."
            return [
                4_000_006: "Take the identifier of a transaction, which has digits alone.",
                4_000_012: "Begin at most 180 days ago.",
                4_000_013: "Let the end come after the start.",
                4_000_014: "Use the token of the page before, with the same filters, or begin again.",
                4_000_017: "Begin again: the token of the page is too old.",
                4_000_019: "Name a transaction or a type of notification, not both.",
                4_000_035: "Send nothing about a customer who has not consented.",
                4_000_048: "Name a transaction; this endpoint takes no identifier of an app transaction.",
                4_000_097: "Choose a new reference; it is repeated only after a time-out.",
                4_000_185: "Name the transaction of the family member who paid.",
                4_000_187: "Name the original transaction, the first of the chain.",
                4_000_227: "Name the purchaser's transaction, not one that an organization assigned.",
                4_030_004: "Extend only a subscription that is active and was paid for at least one period.",
                4_030_005: "Wait: a subscription is extended at most twice in 365 days.",
                4_030_007: "Extend the subscription of the family member who paid.",
                4_030_028: "Extend the purchaser's subscription, not an assigned one.",
                4_040_001: "Look at the identifier: there is no account for it in this environment.",
                4_040_002: later,
                4_040_003: "Look at the bundle identifier: the App Store knows no such app.",
                4_040_004: later,
                4_040_005: transaction,
                4_040_006: later,
                4_040_007: "Set an address for notifications of this environment in App Store Connect.",
                4_040_008: "Ask again in some seconds; a token lasts for six months.",
                4_040_010: transaction,
                4_040_022: "Ask for the customer's groups again: a group ends with its subscription.",
                5_000_001: later,
            ]
        }()
    }
#endif
