#if ServerAPI
    internal import AppStoreTables
    internal import WireFormats
    public import Essentials

    extension APIRequest where Answer == [CustomerGroup] {
        /// Get Customer Groups, in the Sandbox alone.
        ///
        /// - Parameter transactionID: any transaction of the customer.
        public static func customerGroups(of transactionID: String) -> Self {
            APIRequest(.customerGroups, [transactionID]) { (answer) throws(AnswerError) in
                try answer.objects("groups", CustomerGroup.init)
            }
        }
    }

    extension APIRequest where Answer == GroupMemberPage {
        /// Get Group Members, in the Sandbox alone. ``AppStoreServerAPIClient/groupMembers(of:limit:after:)`` asks for all pages.
        ///
        /// - Parameters:
        ///   - groupID: the group.
        ///   - limit: how many members a page has, up to 100; `nil` leaves it to the App Store.
        ///   - paginationToken: of the page before.
        public static func groupMembers(
            of groupID: String, limit: Int? = nil, paginationToken: String? = nil
        ) -> Self {
            let limits = limit.map { [(name: "limit", value: String($0))] } ?? []
            return APIRequest(
                .groupMembers, [groupID], query: limits + page("paginationToken", paginationToken),
                read: GroupMemberPage.init)
        }
    }

    extension APIRequest where Answer == ClaimedSeat {
        /// Claim Seat, in the Sandbox alone.
        ///
        /// - Parameters:
        ///   - originalTransactionID: the purchaser's first transaction.
        ///   - requestIdentifier: a new one for each claim. Keep it before the request is sent: a repetition gives the same claim.
        ///   - appTransactionID: the member's app transaction, if it is known.
        public static func claimSeat(
            of originalTransactionID: String, requestIdentifier: UUID, appTransactionID: String? = nil
        ) -> Self {
            var body = ObjectText()
            body.add("requestIdentifier", requestIdentifier)
            body.add("appTransactionId", appTransactionID)
            return APIRequest(
                .claimSeat, [originalTransactionID], body: .json(body.utf8), read: ClaimedSeat.init)
        }
    }

    extension APIRequest where Answer == SeatInfo {
        /// Get Seat Info, in the Sandbox alone.
        ///
        /// - Parameter originalTransactionID: the purchaser's first transaction.
        public static func seatInfo(of originalTransactionID: String) -> Self {
            APIRequest(.seatInfo, [originalTransactionID], read: SeatInfo.init)
        }
    }

    extension APIRequest where Answer == Void {
        /// Unclaim Seat, in the Sandbox alone.
        ///
        /// - Parameters:
        ///   - seatClaimID: the claim.
        ///   - originalTransactionID: the purchaser's first transaction.
        public static func unclaimSeat(_ seatClaimID: UUID, of originalTransactionID: String) -> Self {
            APIRequest(.unclaimSeat, [originalTransactionID, seatClaimID.uuidString.lowercased()])
        }

        /// Associate Seat, in the Sandbox alone.
        ///
        /// - Parameters:
        ///   - seatClaimID: the claim.
        ///   - originalTransactionID: the purchaser's first transaction.
        ///   - appTransactionID: the member's app transaction.
        public static func associateSeat(
            _ seatClaimID: UUID, of originalTransactionID: String, with appTransactionID: String
        ) -> Self {
            var body = ObjectText()
            body.add("appTransactionId", appTransactionID)
            return APIRequest(
                .associateSeat, [originalTransactionID, seatClaimID.uuidString.lowercased()],
                body: .json(body.utf8))
        }
    }
#endif
