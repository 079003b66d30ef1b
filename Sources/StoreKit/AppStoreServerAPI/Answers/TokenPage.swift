#if ServerAPI
    /// The signed members of an answer, in their order and as they were sent. Other members are left out.
    ///
    /// The members are **not verified**: the caller verifies a whole page at once.
    package struct TokenPage: APIPage {
        /// The signed members, as compact JWS.
        package let tokens: [String]
        /// Whether there is another page.
        package let hasMore: Bool
        /// The token or revision of the next page.
        package let continuation: String?

        /// The names of members with signed texts.
        private static let members: Set = [
            "signedTransactions", "signedPayload", "signedTransactionInfo", "signedRenewalInfo",
            "signedAppTransactionInfo",
        ]

        init(_ answer: AnswerObject) throws(AnswerError) {
            tokens = try answer.texts(of: Self.members)
            hasMore = try answer.optionalBool("hasMore") ?? false
            let revision = try answer.optionalText("revision")
            let token = try answer.optionalText("paginationToken")
            continuation = revision ?? token
        }
    }

    extension APIRequest {
        /// The same request, for the signed members of its answer alone.
        package var forTokens: APIRequest<TokenPage> {
            APIRequest<TokenPage>(endpoint.entry, parameters, query: query, body: body) {
                answer throws(AnswerError) in
                try TokenPage(answer)
            }
        }
    }
#endif
