#if SQLite || ServerAPI
    /// One HTTP request to a server.
    package struct HTTPMessage: Sendable {
        /// A field of a head.
        package typealias Field = (name: String, value: String)

        let method: String
        let url: String
        let fields: [Field]
        let body: [UInt8]
        /// Whether the request may arrive twice.
        ///
        /// A server may close a kept connection at the moment when the next request is on its way. libcurl sends it again
        /// over another connection, without knowing what became of the first one.
        let mayArriveTwice: Bool

        /// - Parameters:
        ///   - method: the method, in capital letters.
        ///   - url: the address, of `http` or `https`.
        ///   - fields: the fields of the head.
        ///   - body: the body.
        ///   - mayArriveTwice: whether the request may be sent again where a kept connection has ended. Otherwise it gets a new
        ///     connection.
        package init(method: String, url: String, fields: [Field], body: [UInt8], mayArriveTwice: Bool) {
            (self.method, self.url, self.fields, self.body) = (method, url, fields, body)
            self.mayArriveTwice = mayArriveTwice
        }

        /// Whether a request of this kind has a body, even an empty one (RFC 9110, section 8.6).
        var hasBody: Bool { !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) }

        /// Whether the address is of HTTP, and no text can end a line of the head before its time.
        var isWellFormed: Bool {
            let texts = [method, url] + fields.flatMap { [$0.name, $0.value] }
            return (url.hasPrefix("http://") || url.hasPrefix("https://"))
                && texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
        }

        /// The lines of the head that libcurl is given.
        ///
        /// A name with a colon alone leaves out what libcurl adds by itself: a media type, and the question whether a large
        /// body may come, whose answer it would wait for.
        var lines: [String] {
            func has(_ name: String) -> Bool { fields.contains { $0.name.lowercased() == name } }
            let left = ["Content-Type", "Expect"].filter { !has($0.lowercased()) }.map { $0 + ":" }
            return left + fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        }

        /// The host of the address, without the brackets of IPv6.
        var host: String {
            let rest = url.drop { $0 != ":" }.dropFirst(3)
            let authority = rest.prefix { !"/?#".contains($0) }
            let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
            if server.hasPrefix("[") { return String(server.dropFirst().prefix { $0 != "]" }) }
            return String(server.prefix { $0 != ":" })
        }
    }

    /// The answer to a request.
    package struct HTTPAnswer: Sendable {
        /// The status of the final answer. Interim ones (RFC 9110, section 15.2) are passed over.
        package let status: Int
        /// The fields of the head, in their order.
        package let fields: [HTTPMessage.Field]
        /// The body, if bodies are read.
        package let body: [UInt8]

        /// The first field with a name, in any case.
        package func field(_ name: String) -> String? {
            let name = name.lowercased()
            return fields.first { $0.name.lowercased() == name }?.value
        }
    }
#endif
