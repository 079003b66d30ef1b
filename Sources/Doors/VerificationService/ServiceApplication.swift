#if Service
    internal import HTTPConnections
    package import Hummingbird
    internal import HummingbirdCore
    package import Logging
    package import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix
    package import ServiceLifecycle
    internal import WireFormats

    /// The parts of the service that answer requests, put together: without signals, without an end, and without an address
    /// unless it is asked for one.
    ///
    /// `VerificationService` runs it until a signal comes. Tests ask it directly, or over connections.
    package struct ServiceApplication: Sendable {
        /// Whether load balancers may send requests.
        package let readiness = Readiness()
        package let logger: Logger
        let apps: ServedApps
        let metrics = ServiceMetrics()
        let router: Router
        let log: LogQueue
        private let settings: VerificationService.Configuration
        /// The threads that all apps share for batches, receipts and inspections.
        private let threads: NIOThreadPool

        /// Starts the threads, which `end()` ends.
        ///
        /// - Parameters:
        ///   - settings: how much the service takes.
        ///   - apps: at least one, with different names.
        ///   - write: writes a line to standard error, and may block.
        package init(
            _ settings: VerificationService.Configuration, apps: [ServedApp],
            log write: @escaping @Sendable (String) -> Void
        ) {
            let log = LogQueue(gap: JSONLog.gap(ofLines:), write: write)
            let logger = Logger(label: "storekit-verify") { _ in
                JSONLog(.notice, limitedBy: LogLimiter(), log.add)
            }
            (self.log, self.logger, self.settings) = (log, logger, settings)
            threads = NIOThreadPool(numberOfThreads: settings.jobs)
            threads.start()
            self.apps = ServedApps(apps)
            let routes = ServiceRoutes(
                configuration: settings, apps: self.apps, threads: threads, metrics: metrics, logger: logger)
            router = Router(
                routes.all(readiness), token: settings.tokens,
                hosts: HostRules(listeningOn: settings.host, allowing: settings.allowedHosts),
                metrics: metrics, logger: logger,
                accessLogger: settings.logsRequests
                    ? Logger(label: "requests") { _ in JSONLog(.info, log.add) } : nil)
        }

        /// Answers a request.
        ///
        /// - Parameter channel: the request's connection.
        package func respond(to request: Request, on channel: any Channel) async throws -> Response {
            try await router.respond(to: request, on: channel)
        }

        /// A server on an address. Each connection ends its slow, silent and endless clients.
        ///
        /// - Parameter whenListening: gets the port.
        package func server(
            whenListening: @escaping @Sendable (Int) -> Void
        ) throws -> any Service {
            let connections = ServiceConnections(metrics: metrics, logger: logger)
            let (router, port, date) = (router, settings.port, DateField())
            var limits = NIOHTTPDecoderLimitConfiguration()
            // In bytes, for one field and for all together: longer than any that a proxy adds; a token goes into the body.
            (limits.maxHeaderFieldSize, limits.maxHeaderListSize) = (16_384, 16_384)
            limits.maxHeaderFieldCount = 100
            let builder = HTTPServerBuilder { [limits, times = settings.times] responder in
                EventLoopChannel(
                    RequestChannel(responder: responder, limits: limits) {
                        [ConnectionGuard(times, isStream: router.isStream, connections)]
                    })
            }
            return try builder.buildServer(
                configuration: .init(
                    // Up to 4,096 connections wait in the kernel while all places are taken.
                    address: .hostname(settings.host, port: port), backlog: 4_096,
                    availableConnectionsDelegate: .maximum(settings.maximumConnections, logger: logger)),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
            ) { request, writer, channel in
                var response = try await router.respond(to: request, on: channel)
                response.headers[.date] = date.value
                try await writer.write(response: response.head, body: response.body)
            } onServerRunning: {
                whenListening($0.localAddress?.port ?? port)
            }
        }

        /// The methods and paths that are answered. Those of the page are no interface for programs.
        package var routes: [(method: String, path: String, needsToken: Bool, isPage: Bool)] {
            router.routes.map { ($0.method.rawValue, $0.path.text, $0.access == .token, !$0.isCounted) }
        }

        /// Reads the configuration's apps anew, in place of those before.
        package func replaceApps(by apps: [ServedApp]) { self.apps.replace(by: apps) }

        /// Ends the threads when their work is done, and writes the log's last lines.
        package func end() async {
            for app in apps.all { await app.endThreads() }
            try? await threads.shutdownGracefully()
            flushLog()
        }

        /// Waits until the lines of the log so far are written: a second at most, in which any program that reads takes them.
        package func flushLog() { log.flush(within: .seconds(1)) }
    }
#endif
