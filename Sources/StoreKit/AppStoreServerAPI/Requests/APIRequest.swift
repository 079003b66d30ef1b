#if ServerAPI
    internal import AppStoreTables
    internal import StoreKitVerify
    internal import WireFormats

    /// A request to the App Store, with the type of its answer.
    ///
    /// Its static functions make it, one for each endpoint: `.transactionInfo(of:)`, `.subscriptionStatuses(of:_:)` and so
    /// on. ``AppStoreServerAPIClient/send(_:)`` sends it.
    public struct APIRequest<Answer: Sendable>: Sendable {
        /// A name and a value of the query.
        typealias Item = (name: String, value: String)

        /// Reads an answer, whose signed members are verified.
        typealias Read = @Sendable (AnswerObject) throws(AnswerError) -> Answer

        /// The endpoint, with method, path and limit.
        public let endpoint: APIEndpoint
        /// The values for each `{}` in the endpoint's path, in this order.
        let parameters: [String]
        let query: [Item]
        let body: APIRequestBody
        /// Gives the answer's value by its body.
        let value: @Sendable ([UInt8], StoreKitVerifier) throws(AnswerError) -> Answer

        init(
            _ endpoint: AppStoreEndpoint, _ parameters: [String] = [], query: [Item] = [],
            body: APIRequestBody = .none,
            read: @escaping Read
        ) {
            (self.endpoint, self.parameters, self.query) = (APIEndpoint(endpoint), parameters, query)
            self.body = body
            value = { (body, verifier) throws(AnswerError) in try read(AnswerObject(body, verifier)) }
        }

        /// The query for a page: empty for the first one.
        static func page(_ name: String, _ value: String?) -> [Item] { value.map { [(name, $0)] } ?? [] }

        /// The path with its parameters and the query.
        ///
        /// - Throws: a parameter that cannot stand in a path. It is empty, `.` or `..`.
        func target() throws(PathParameterError) -> String {
            var path = ""
            var rest = parameters[...]
            for segment in endpoint.path.split(separator: "/") {
                path += "/"
                guard segment == "{}" else {
                    path += segment
                    continue
                }
                let value = rest.popFirst() ?? ""
                guard !["", ".", ".."].contains(value) else { throw PathParameterError(value: value) }
                path += PercentEncoding.encoded(value)
            }
            let items = query.map { name, value in
                PercentEncoding.encoded(name) + "=" + PercentEncoding.encoded(value)
            }
            return items.isEmpty ? path : path + "?" + items.joined(separator: "&")
        }
    }

    extension APIRequest where Answer == Void {
        /// A request whose answer has no value: the body is not read.
        init(
            _ endpoint: AppStoreEndpoint, _ parameters: [String], query: [Item] = [],
            body: APIRequestBody = .none
        ) {
            (self.endpoint, self.parameters, self.query) = (APIEndpoint(endpoint), parameters, query)
            self.body = body
            value = { _, _ in }
        }
    }

    /// The content that a request sends, with its media type.
    enum APIRequestBody: Sendable {
        case none
        case json([UInt8])
        case png([UInt8])
    }

    /// A parameter that would name another path.
    struct PathParameterError: Error {
        let value: String
    }
#endif
