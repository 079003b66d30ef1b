#if Service
    internal import HTTPConnections
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import NIOCore
    internal import WireFormats

    /// Finds the route of a request, refuses requests without one, and turns problems into answers.
    ///
    /// A route with a fixed path wins over one with braces. The time of every answer is counted, problems
    /// too.
    struct Router: Sendable {
        /// A route of a path, and the texts for its braces.
        private typealias Candidate = (route: Route, parameters: [String: String])

        let routes: [Route]
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
            self.routes = routes
            exact = Dictionary(grouping: routes.filter { !$0.path.hasParameters }, by: \.path.text)
                .mapValues { $0.map { ($0, [:]) } }
            streams = routes.filter(\.isStream).map(\.path.text)
            patterns = routes.filter(\.path.hasParameters)
            self.token = token
            self.hosts = hosts
            self.metrics = metrics
            (self.logger, self.accessLogger) = (logger, accessLogger)
            others = metrics.route("other")
            counters = Dictionary(
                uniqueKeysWithValues: Set(routes.filter(\.isCounted).map(\.path.text)).sorted().map {
                    ($0, metrics.route($0))
                })
        }

        /// - Throws: only what ends the connection. A `Problem` and a timeout are answers.
        func respond(to request: Request, on channel: any Channel) async throws -> Response {
            let start = ContinuousClock.now
            let target = RequestTarget(request.head.path ?? "/")
            let candidates = routes(at: target.path)
            let identity = RequestIdentity(request.headers, identifiers)
            let route = candidates.first?.route.path.text
            var response: Response
            do {
                response = try await respond(to: request, target, candidates, channel, identity)
            } catch let problem as Problem {
                note(problem, route, identity)
                response = problem.response
            } catch is BodyTimeout {
                let problem = Problem(
                    .requestTimeout, "The request's body did not arrive in time; send it without pauses.",
                    closes: true, refusal: .slow)
                note(problem, route, identity)
                response = problem.response
            }
            if let field = RequestIdentity.field { response.headers[field] = identity.text }
            let time = start.duration(to: .now)
            (route.flatMap { counters[$0] } ?? others).record(response.status.code, time)
            if let accessLogger { log(request, identity, route, response.status.code, time, accessLogger) }
            return request.method == .head ? response.createHeadResponse() : response
        }

        /// Counts and logs a request that came to no handler: nothing else would tell that a proxy or a caller is set up wrongly.
        private func note(_ problem: Problem, _ route: String?, _ identity: RequestIdentity) {
            guard let refusal = problem.refusal else { return }
            metrics.refuse(refusal)
            logger.notice(
                "a request is refused before it is read",
                metadata: identity.metadata.merging([
                    "refusal": .string(refusal.rawValue), "route": .string(route ?? "other"),
                    "status": "\(problem.status.code)", "reason": .string(problem.detail),
                ]) { $1 })
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
            let path = RequestTarget(target).path
            return streams.contains { $0 == path }
        }

        /// The order matters. Another site learns nothing. 404 comes before 401: a caller who mistyped the path is not sent
        /// looking for a token.
        private func respond(
            to request: Request, _ target: RequestTarget,
            _ candidates: [Candidate], _ channel: any Channel, _ identity: RequestIdentity
        ) async throws -> Response {
            if let refusal = hosts.refusal(of: request.head) {
                throw Problem(
                    refusal.status, refusal.sentence,
                    refusal: refusal.status == .misdirectedRequest ? .host : .origin)
            }
            guard (request.head.path?.utf8.count ?? 0) <= Self.longestTarget else {
                throw Problem(
                    .uriTooLong,
                    "The target is longer than \(Self.longestTarget) bytes; payloads go into the body.",
                    refusal: .target)
            }
            guard !candidates.isEmpty else {
                throw Problem(
                    .notFound, "There is nothing at this path; /openapi.json describes what there is.",
                    refusal: .path)
            }
            let method: HTTPRequest.Method = request.method == .head ? .get : request.method
            guard let (route, parameters) = candidates.first(where: { $0.route.method == method }) else {
                let methods = candidates.flatMap {
                    $0.route.method == .get ? ["GET", "HEAD"] : [$0.route.method.rawValue]
                }
                let allowed = methods.joined(separator: ", ")
                throw Problem(
                    .methodNotAllowed, "This path takes \(allowed) only.", headers: [.allow: allowed],
                    refusal: .method)
            }
            if route.access == .token, let token { try token.check(request.headers) }
            let request = RouteRequest(
                request, parameters, query: try Self.parameters(in: target), on: channel, identity, logger)
            guard route.mayBlock else { return try await route.handler(request) }
            return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                try await route.handler(request)
            }
        }

        private func routes(at path: Substring) -> [Candidate] {
            if let routes = exact[String(path)] { return routes }
            guard !patterns.isEmpty else { return [] }
            let segments = PathTemplate.segments(of: path)
            return patterns.compactMap { route in
                route.path.parameters(of: segments).map { (route, $0) }
            }
        }

        private static func parameters(
            in target: RequestTarget
        ) throws(Problem) -> [(name: String, value: String)] {
            var parameters: [(name: String, value: String)] = []
            for item in target.items {
                guard let name = item.name, let value = item.value else {
                    throw Problem(.badRequest, "The query is not percent-encoded UTF-8.", refusal: .query)
                }
                parameters.append((name, value))
            }
            return parameters
        }
    }
#endif
