#if ServerAPI
    extension AppStoreServerAPIClient {
        /// The pages of a customer's transactions.
        ///
        /// - Parameters:
        ///   - transactionID: any transaction of the customer, or the customer's `appTransactionId`.
        ///   - filter: the limits of the history.
        ///   - revision: of the last page that is known; `nil` from the beginning.
        ///   - server: the server of that page; `nil` asks as the options say. With a fallback, name it: one server does not
        ///     know the pages of another.
        public func transactionHistory(
            of transactionID: String, _ filter: HistoryFilter = HistoryFilter(),
            after revision: String? = nil,
            from server: Server? = nil
        ) -> APIPages<TransactionPage> {
            APIPages(client: self, start: revision, startServer: server) {
                .transactionHistory(of: transactionID, filter, revision: $0)
            }
        }

        /// The pages of a customer's refunds, the oldest first.
        ///
        /// - Parameters:
        ///   - transactionID: any transaction of the customer.
        ///   - revision: of the last page that is known; `nil` from the beginning.
        ///   - server: the server of that page; `nil` asks as the options say. With a fallback, name it: one server does not
        ///     know the pages of another.
        public func refundHistory(
            of transactionID: String, after revision: String? = nil,
            from server: Server? = nil
        ) -> APIPages<TransactionPage> {
            APIPages(client: self, start: revision, startServer: server) {
                .refundHistory(of: transactionID, revision: $0)
            }
        }

        /// The pages of notifications.
        ///
        /// - Parameters:
        ///   - filter: which notifications. It must be the same after an interruption.
        ///   - paginationToken: of the last page that is known; `nil` from the beginning.
        ///   - server: the server of that page; `nil` asks as the options say. With a fallback, name it: one server does not
        ///     know the pages of another.
        public func notificationHistory(
            _ filter: NotificationFilter, after paginationToken: String? = nil, from server: Server? = nil
        ) -> APIPages<NotificationPage> {
            APIPages(client: self, start: paginationToken, startServer: server) {
                .notificationHistory(filter, paginationToken: $0)
            }
        }

        /// The pages of a group's members.
        ///
        /// - Parameters:
        ///   - groupID: the group.
        ///   - limit: how many members a page has, up to 100; `nil` leaves it to the App Store.
        ///   - paginationToken: of the last page that is known; `nil` from the beginning.
        public func groupMembers(
            of groupID: String, limit: Int? = nil, after paginationToken: String? = nil
        ) -> APIPages<GroupMemberPage> {
            APIPages(client: self, start: paginationToken, startServer: nil) {
                .groupMembers(of: groupID, limit: limit, paginationToken: $0)
            }
        }
    }
#endif
