#if ServerAPI
    /// A page of a list.
    public protocol APIPage: Sendable {
        /// Whether there is another page.
        var hasMore: Bool { get }
        /// The token or revision of the next page. Keep it to go on after an interruption.
        var continuation: String? { get }
    }

    /// The pages of a list, from the first or from one that follows a known page.
    ///
    /// A page is asked for when the loop wants it, so memory holds one page. After an interruption, the same list goes on
    /// `after:` the last page's ``APIPage/continuation``.
    public struct APIPages<Page: APIPage>: AsyncSequence, Sendable {
        /// A page.
        public typealias Element = Page
        /// The error of a page. It ends the iteration.
        public typealias Failure = AppStoreServerAPIError

        let client: AppStoreServerAPIClient
        let start: String?
        /// The server of the page that is known.
        let startServer: AppStoreServerAPIClient.Server?
        let request: @Sendable (_ continuation: String?) -> APIRequest<Page>

        /// An iteration from the beginning.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self, continuation: start) }

        /// Asks for one page after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let pages: APIPages
            private var continuation: String?
            /// The server of the first page. The other one does not know its token.
            private var server: AppStoreServerAPIClient.Server?
            private var isAtEnd = false
            /// The error to throw next: the last page says that there is another one, and does not name it.
            private var failure: AppStoreServerAPIError?

            init(pages: APIPages, continuation: String?) {
                (self.pages, self.continuation, server) = (pages, continuation, pages.startServer)
            }

            /// The next page.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(AppStoreServerAPIError) -> Page? {
                if let failure {
                    self.failure = nil
                    throw failure
                }
                if isAtEnd { return nil }
                isAtEnd = true
                let request = pages.request(continuation)
                let response = try await pages.client.response(to: request, from: server)
                let page = response.value
                if page.hasMore {
                    if let next = page.continuation, next != continuation {
                        (continuation, server, isAtEnd) = (next, response.server, false)
                    } else {
                        // A page that names itself would make the list endless. The page's own content is valid.
                        failure = AppStoreServerAPIError(
                            .unreadable, request.endpoint,
                            "the answer says that there is another page, and does not name it")
                    }
                }
                return page
            }
        }
    }
#endif
