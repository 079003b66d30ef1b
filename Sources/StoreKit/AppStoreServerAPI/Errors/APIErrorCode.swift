#if ServerAPI
    internal import AppStoreTables

    /// Apple's number for an error. Its first three digits are the HTTP status, except in reports of external purchases.
    ///
    /// Unknown numbers are kept.
    public struct APIErrorCode: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Makes a code from its number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The App Store knows no such transaction of this app in this environment.
        public static let transactionIDNotFound = APIErrorCode(rawValue: 4_040_010)
        /// The App Store knows no such original transaction of this app in this environment.
        public static let originalTransactionIDNotFound = APIErrorCode(rawValue: 4_040_005)
        /// The identifier does not have the form of a transaction's.
        public static let invalidTransactionID = APIErrorCode(rawValue: 4_000_006)
        /// The revision does not belong to this history.
        public static let invalidRequestRevision = APIErrorCode(rawValue: 4_000_005)
        /// The token does not belong to this list.
        public static let invalidPaginationToken = APIErrorCode(rawValue: 4_000_014)
        /// The token of a page ended.
        public static let paginationTokenExpired = APIErrorCode(rawValue: 4_000_017)
        /// App Store Connect has no address for notifications.
        public static let serverNotificationURLNotFound = APIErrorCode(rawValue: 4_040_007)
        /// There were more requests than Apple allows.
        public static let rateLimitExceeded = APIErrorCode(rawValue: 4_290_000)

        /// Whether Apple says that the request may be sent again.
        var isRetryable: Bool { ErrorTable.retryable.contains(rawValue) }

        /// Apple's name, such as `TransactionIdNotFoundError`; `nil` for a code that this version does not know.
        ///
        /// - Parameter family: the API whose error it is.
        public func name(in family: APIEndpoint.Family) -> String? {
            let table: ErrorTable? =
                switch family {
                case .server: nil
                case .advancedCommerce: .advancedCommerce
                case .externalPurchase: .externalPurchase
                }
            let entry = table?[rawValue] ?? ErrorTable.server[rawValue]
            return entry.map { $0.name + "Error" }
        }
    }
#endif
