#if Service
    internal import HTTPConnections
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import NIOCore
    internal import WireFormats

    /// Who may call a route.
    ///
    /// The default is the stricter one: a new route needs the token unless it says otherwise.
    enum Access {
        /// Everyone who reaches the port: health, and the address that Apple calls.
        case everyone
        /// Who has the bearer token, if one is set.
        case token
    }

    /// A method and a path, and the handler that answers them.
    final class Route: Sendable {
        typealias Handler = @Sendable (RouteRequest) async throws -> Response

        let method: HTTPRequest.Method
        let path: PathTemplate
        let access: Access
        /// Whether the body comes and goes as long as the client likes, so that no time is set for the whole of it.
        let isStream: Bool
        /// Whether the handler may wait on its thread, for the database. The others share a thread with connections.
        let mayBlock: Bool
        /// Whether requests are counted by themselves. The page's files are counted together.
        let isCounted: Bool
        let handler: Handler

        /// - Parameters:
        ///   - path: begins with a slash. A part in braces matches any text that is not empty.
        ///   - isStream: only for a path without braces; see `Router.isStream(_:)`.
        ///   - handler: throws a `Problem` for a request that it refuses.
        init(
            _ method: HTTPRequest.Method, _ path: String, _ access: Access = .token, isStream: Bool = false,
            mayBlock: Bool = false, isCounted: Bool = true, handler: @escaping Handler
        ) {
            (self.method, self.access, self.isStream) = (method, access, isStream)
            self.path = PathTemplate(path)
            (self.mayBlock, self.isCounted) = (mayBlock, isCounted)
            self.handler = handler
        }
    }

    /// A request, with the parameters that the router has found in its target.
    ///
    /// It is a class because it goes through many functions, and a copy of the framework's request is long.
    final class RouteRequest: Sendable {
        let request: Request
        /// The texts that stand for the names in braces, percent-decoded.
        let parameters: [String: String]
        /// The query's parameters, percent-decoded.
        let query: [(name: String, value: String)]
        /// The connection.
        let channel: any Channel
        private let identity: RequestIdentity
        private let service: Logger

        init(
            _ request: Request, _ parameters: [String: String], query: [(name: String, value: String)],
            on channel: any Channel, _ identity: RequestIdentity, _ logger: Logger
        ) {
            (self.request, self.parameters, self.query, self.channel) = (request, parameters, query, channel)
            (self.identity, service) = (identity, logger)
        }

        /// Writes lines with the request's identifier.
        var logger: Logger {
            var logger = service
            for (key, value) in identity.metadata { logger[metadataKey: key] = value }
            return logger
        }

        var eventLoop: any EventLoop { channel.eventLoop }

        /// The body is read from here on. A client that waits with it is told to send it.
        func inviteBody() {
            if request.headers[.expect] != nil {
                channel.triggerUserOutboundEvent(BodyInvitation(), promise: nil)
            }
        }

        /// A parameter of the query; `nil` if there is none.
        func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

        /// Refuses parameters that no part of the service reads. One that is misspelt would otherwise be passed over.
        ///
        /// - Parameters:
        ///   - names: those that may come once.
        ///   - repeated: those that may come several times.
        func allowQuery(_ names: [String], repeated: [String] = []) throws(Problem) {
            guard !query.isEmpty else { return }
            for parameter in query where !names.contains(parameter.name) && !repeated.contains(parameter.name)
            {
                let known = (names + repeated).sorted().joined(separator: ", ")
                throw Problem(
                    .badRequest,
                    "Unknown query parameter \"\(parameter.name.prefix(64))\"; \(known.isEmpty ? "this path takes no parameters" : "known: \(known)")."
                )
            }
            let once = query.map(\.name).filter { !repeated.contains($0) }
            guard Set(once).count == once.count else {
                throw Problem(.badRequest, "The query gives a parameter twice; give each one once.")
            }
        }
    }
#endif
