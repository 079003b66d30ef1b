#if ServerAPI
    import AppStoreServerAPI
    import ArgumentParser
    import SignedPayloads
    import StoreKitVerify
    import Essentials

    /// The kinds of payloads that can be fetched.
    enum FetchKind: String, CaseIterable, ExpressibleByArgument {
        case history, refunds, statuses, transaction, order
        case appTransaction = "app-transaction"
        case notifications
    }

    /// A part of a fetch, whose pages come one after the other: a customer, or a span of time. Several parts are
    /// fetched at a time.
    struct FetchPart: Sendable {
        /// Makes the request for a page from the continuation of the page before; from `nil` for the first page.
        typealias Request = @Sendable (_ continuation: String?) -> APIRequest<TokenPage>

        /// The identifier, or the span in milliseconds. The state and messages call the part by it.
        let name: String
        /// Begins the part. All its pages are then asked for with one filter: the App Store refuses the token of a page
        /// with another.
        let begin: @Sendable () -> Request

        /// The part of one identifier.
        static func of(_ id: String, _ kind: FetchKind, _ filter: HistoryFilter) -> FetchPart {
            let request: Request = { continuation in
                switch kind {
                case .history:
                    APIRequest.transactionHistory(of: id, filter, revision: continuation).forTokens
                case .refunds: APIRequest.refundHistory(of: id, revision: continuation).forTokens
                case .statuses: APIRequest.subscriptionStatuses(of: id).forTokens
                case .transaction: APIRequest.transactionInfo(of: id).forTokens
                case .order: APIRequest.lookUpOrder(id).forTokens
                case .appTransaction, .notifications: APIRequest.appTransactionInfo(of: id).forTokens
                }
            }
            return FetchPart(name: id) { request }
        }

        /// How long Apple keeps notifications, in milliseconds: 180 days, and 30 in the Sandbox. A minute less, because a
        /// request takes time.
        static func kept(in environment: AppStoreEnvironment) -> Int {
            (environment == .production ? 180 : 30) * 86_400_000 - 60_000
        }

        /// Into how many parts a span is divided at most.
        ///
        /// 64 are several for each of the 8 jobs, so that no job is left alone with a long part. The number does not depend on
        /// the jobs: a state names parts, and a later run may have other jobs.
        private static let maximumParts = 64

        /// The notifications of a span of time, in parts of equal length, each at least a minute.
        ///
        /// Apple does not say whether the end is included, so a part ends where the next one begins. A notification of that
        /// millisecond may come twice, but is never left out.
        ///
        /// - Parameters:
        ///   - span: the span, in milliseconds since 1970.
        ///   - kept: how long Apple keeps notifications, in milliseconds.
        static func notifications(
            _ span: Range<Int>, _ filter: NotificationFilter, kept: Int
        ) -> [FetchPart] {
            let length = max(60_000, (span.count + maximumParts - 1) / maximumParts)
            return stride(from: span.lowerBound, to: span.upperBound, by: length).map { start in
                let end = min(start + length, span.upperBound)
                return FetchPart(name: "\(start)-\(end)") {
                    var filter = filter
                    // A run may go on later, when the first part reaches too far back.
                    let oldest = Int(Date().timeIntervalSince1970 * 1000) - kept
                    filter.startDate = Date(timeIntervalSince1970: Double(max(start, oldest)) / 1000)
                    filter.endDate = Date(timeIntervalSince1970: Double(max(end, oldest + 1)) / 1000)
                    return { [filter] continuation in
                        APIRequest.notificationHistory(filter, paginationToken: continuation).forTokens
                    }
                }
            }
        }
    }
#endif
