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

    /// A method and a path, and what answers them.
    final class Route: Sendable {
        typealias Handler = @Sendable (RouteRequest) async throws -> Response

        let method: HTTPRequest.Method
        /// The path's parts. One in braces, such as `{name}`, stands for any text.
        let parts: [Substring]
        let path: String
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
        ///   - handler: throws a `Problem` for what it refuses.
        init(
            _ method: HTTPRequest.Method, _ path: String, _ access: Access = .token, isStream: Bool = false,
            mayBlock: Bool = false, isCounted: Bool = true, handler: @escaping Handler
        ) {
            (self.method, self.path, self.access, self.isStream) = (method, path, access, isStream)
            (self.mayBlock, self.isCounted) = (mayBlock, isCounted)
            parts = path.split(separator: "/", omittingEmptySubsequences: false)
            self.handler = handler
        }
    }

    /// A request, with what the router has found in its target.
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
                    "The query has a parameter \"\(parameter.name.prefix(64))\"; there are: \(known.isEmpty ? "none" : known)."
                )
            }
            let once = query.map(\.name).filter { !repeated.contains($0) }
            guard Set(once).count == once.count else {
                throw Problem(.badRequest, "The query gives a parameter twice; give each one once.")
            }
        }
    }

    /// Finds the route of a request, refuses what has none, and turns problems into answers.
    ///
    /// A route with a fixed path wins over one with braces. The time of every answer is counted, problems
    /// too.
    struct Router: Sendable {
        /// A route of a path, and the texts for its braces.
        private typealias Candidate = (route: Route, parameters: [String: String])

        let metrics: ServiceMetrics
        /// Routes without braces, by their paths: one look-up for each request.
        private let exact: [String: [Candidate]]
        private let streams: [String]
        private let patterns: [Route]
        private let token: BearerTokens?
        private let hosts: HostRules
        let logger: Logger
        /// Writes a line for each request; `nil` if none is wanted.
        private let accessLogger: Logger?
        private let identifiers = RequestIdentifiers()
        /// Made for all routes at the start, so that no request adds a metric.
        private let counters: [String: RouteMetrics]
        /// Of requests without a route.
        private let others: RouteMetrics

        /// The longest target, in bytes: RFC 9110, section 4.1, asks for 8,000 at least.
        private static let longestTarget = 8_192

        init(
            _ routes: [Route], token: BearerTokens?, hosts: HostRules, metrics: ServiceMetrics,
            logger: Logger,
            accessLogger: Logger?
        ) {
            exact = Dictionary(grouping: routes.filter { !$0.path.contains("{") }, by: \.path)
                .mapValues { $0.map { ($0, [:]) } }
            streams = routes.filter(\.isStream).map(\.path)
            patterns = routes.filter { $0.path.contains("{") }
            self.token = token
            self.hosts = hosts
            self.metrics = metrics
            (self.logger, self.accessLogger) = (logger, accessLogger)
            others = metrics.route("other")
            counters = Dictionary(
                uniqueKeysWithValues: Set(routes.filter(\.isCounted).map(\.path)).sorted().map {
                    ($0, metrics.route($0))
                })
        }

        /// - Throws: only what ends the connection. A `Problem` and a timeout are answers.
        func respond(to request: Request, on channel: any Channel) async throws -> Response {
            let start = ContinuousClock.now
            let (path, query) = Self.parts(of: request.head.path ?? "/")
            let candidates = routes(at: path)
            let identity = RequestIdentity(request.headers, identifiers)
            var response: Response
            do {
                response = try await respond(to: request, query, candidates, channel, identity)
            } catch let problem as Problem {
                response = problem.response
            } catch is BodyTimeout {
                response =
                    Problem(
                        .requestTimeout, "The request's body did not arrive in time; send it without pauses.",
                        closes: true
                    ).response
            }
            if let field = RequestIdentity.field { response.headers[field] = identity.text }
            let (route, time) = (candidates.first?.route.path, start.duration(to: .now))
            (route.flatMap { counters[$0] } ?? others).record(response.status.code, time)
            if let accessLogger { log(request, identity, route, response.status.code, time, accessLogger) }
            return request.method == .head ? response.createHeadResponse() : response
        }

        /// Writes the line of a request, with the route and not the path, which names customers.
        private func log(
            _ request: Request, _ identity: RequestIdentity, _ route: String?, _ status: Int,
            _ time: Duration,
            _ logger: Logger
        ) {
            let facts: Logger.Metadata = [
                "method": .string(request.method.rawValue), "route": .string(route ?? "other"),
                "status": "\(status)", "milliseconds": "\(Int(time / .milliseconds(1)))",
            ]
            logger.info("request", metadata: identity.metadata.merging(facts) { $1 })
        }

        /// Whether a request's body comes and goes as long as the client likes.
        func isStream(_ target: String) -> Bool {
            let path = Self.parts(of: target).path
            return streams.contains { $0 == path }
        }

        /// The order matters: another site learns nothing; a wrong path is told without a token, so that a caller sees the mistake that is
        /// nearer.
        private func respond(
            to request: Request, _ query: Substring,
            _ candidates: [Candidate], _ channel: any Channel, _ identity: RequestIdentity
        ) async throws -> Response {
            if let refusal = hosts.refusal(of: request.head) {
                throw Problem(refusal.status, refusal.sentence)
            }
            guard (request.head.path?.utf8.count ?? 0) <= Self.longestTarget else {
                throw Problem(
                    .uriTooLong,
                    "The target is longer than \(Self.longestTarget) bytes; payloads go into the body.")
            }
            guard !candidates.isEmpty else {
                throw Problem(
                    .notFound, "There is nothing at this path; /openapi.json describes what there is.")
            }
            let method: HTTPRequest.Method = request.method == .head ? .get : request.method
            guard let (route, parameters) = candidates.first(where: { $0.route.method == method }) else {
                let methods = candidates.flatMap {
                    $0.route.method == .get ? ["GET", "HEAD"] : [$0.route.method.rawValue]
                }
                let allowed = methods.joined(separator: ", ")
                throw Problem(
                    .methodNotAllowed, "This path takes \(allowed) only.", headers: [.allow: allowed])
            }
            if route.access == .token, let token { try token.check(request.headers) }
            let request = RouteRequest(
                request, parameters, query: try Self.parameters(in: query), on: channel, identity, logger)
            guard route.mayBlock else { return try await route.handler(request) }
            return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                try await route.handler(request)
            }
        }

        private func routes(at path: Substring) -> [Candidate] {
            if let routes = exact[String(path)] { return routes }
            guard !patterns.isEmpty else { return [] }
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            return patterns.compactMap { route in Self.match(parts, route.parts).map { (route, $0) } }
        }

        /// - Returns: the texts for the braces; `nil` if the path is another one. An encoded slash stays
        ///   within its part.
        private static func match(_ parts: [Substring], _ pattern: [Substring]) -> [String: String]? {
            guard parts.count == pattern.count else { return nil }
            var parameters: [String: String] = [:]
            for (part, expected) in zip(parts, pattern) {
                if expected.hasPrefix("{") {
                    guard !part.isEmpty, let text = PercentEncoding.decoded(part) else { return nil }
                    parameters[String(expected.dropFirst().dropLast())] = text
                } else if part != expected {
                    return nil
                }
            }
            return parameters
        }

        /// The target may also be a whole URL (RFC 9112, section 3.2.2), which fits no route.
        private static func parts(of target: String) -> (path: Substring, query: Substring) {
            guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target[...], "") }
            return (target[..<mark], target[target.utf8.index(after: mark)...])
        }

        /// `+` is a space here, as in forms.
        private static func parameters(in query: Substring) throws(Problem) -> [(name: String, value: String)]
        {
            guard !query.isEmpty else { return [] }
            var parameters: [(name: String, value: String)] = []
            for pair in query.split(separator: "&") {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = PercentEncoding.decoded(sides[0], isQuery: true),
                    let value = PercentEncoding.decoded(sides.count == 2 ? sides[1] : "", isQuery: true)
                else { throw Problem(.badRequest, "The query is not percent-encoded UTF-8.") }
                parameters.append((name, value))
            }
            return parameters
        }
    }

    /// A request's body did not arrive in time.
    struct BodyTimeout: Error {}
#endif
