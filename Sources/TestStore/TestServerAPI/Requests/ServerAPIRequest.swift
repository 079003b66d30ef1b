internal import AppStoreTables
internal import WireFormats

/// A request to the App Store Server API, as it came over HTTP.
///
/// It has no type of an HTTP library, so that tests and any server can make one.
public struct ServerAPIRequest: Hashable, Sendable {
    /// A name and a value: of a query or of a header.
    public struct Field: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value, decoded.
        public let value: String

        /// - Parameters:
        ///   - name: the name.
        ///   - value: the value, decoded.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The method, in capital letters.
    public var method: String
    /// The path without the query, still percent-encoded.
    public var path: String
    /// The items of the query, decoded, in their order.
    public var query: [Field]
    /// The headers.
    public var headers: [Field]
    /// The body's bytes.
    public var body: [UInt8]

    /// - Parameters:
    ///   - method: the method, in capital letters.
    ///   - path: the path without the query, still percent-encoded.
    ///   - query: the items of the query, decoded, in their order.
    ///   - headers: the headers.
    ///   - body: the body's bytes.
    public init(
        _ method: String, _ path: String, query: [Field] = [], headers: [Field] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// - Parameters:
    ///   - method: the method, in capital letters.
    ///   - target: the path and the query, as the request line has them.
    ///   - headers: the headers.
    ///   - body: the body's bytes.
    public init(_ method: String, target: String, headers: [Field] = [], body: [UInt8] = []) {
        let target = RequestTarget(target)
        let query = target.items.map { Field($0.nameOrSent, $0.valueOrSent) }
        self.init(method, String(target.path), query: query, headers: headers, body: body)
    }

    /// The first header with a name, whose case does not matter (RFC 9110, section 5.1).
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }
}

/// An answer of the App Store Server API.
public struct ServerAPIResponse: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The headers. The length of the body is left to the transport.
    public var headers: [ServerAPIRequest.Field]
    /// The body's bytes.
    public var body: [UInt8]

    /// An answer without a body.
    init(status: Int) {
        self.status = status
        headers = []
        body = []
    }

    init(status: Int = 200, _ object: ObjectText) {
        self.status = status
        // Apple's Python library reads errors of exactly this type alone.
        headers = [.init("Content-Type", "application/json")]
        body = object.utf8
    }

    /// An answer with one member.
    init(status: Int = 200, _ name: String, _ value: String) {
        var object = ObjectText()
        object.add(name, value)
        self.init(status: status, object)
    }

    /// The two members of Apple's error responses.
    init(_ error: ErrorTable.Entry) {
        var object = ObjectText()
        object.add("errorCode", error.code)
        object.add("errorMessage", error.message)
        // The first three digits of a code are the status.
        self.init(status: error.code / 10_000, object)
    }
}
