#if Service
    internal import Dispatch
    internal import HTTPConnections
    internal import HTTPTypes
    internal import Hummingbird
    internal import HummingbirdCore
    internal import Logging
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix
    internal import NotificationInbox
    internal import Platform
    internal import ServiceLifecycle
    internal import StoreKitVerifySQLite
    internal import Synchronization
    internal import UnixSignals

    /// Verification over HTTP/1.1, for callers in any language.
    ///
    /// The module is HTTP around the verifiers: it has no rule about payloads. The command reads files and
    /// options for it.
    package struct VerificationService: Sendable {
        /// Where the service listens, and how much it takes.
        package struct Configuration: Sendable {
            /// The loopback address: a service that others reach is a decision of the operator.
            package var host = "127.0.0.1"
            /// 0 is any port that is free.
            package var port = 8080
            /// The version of the command that serves.
            package var version = ""
            /// The names that the service has besides those of its address.
            package var allowedHosts: [String] = []
            /// What callers must present; `nil` if every caller is welcome.
            package var token: BearerToken?
            /// The longest body of `/v1/verify`.
            ///
            /// In bytes: two megabytes, twice the longest token.
            package var maximumBodyBytes = 2 << 20
            /// What the bodies of all requests together may take in memory.
            ///
            /// In bytes.
            package var bodyMemory = 256 << 20
            /// The most connections that are open at a time. Others wait until one is closed.
            package var maximumConnections = 16_384
            /// The threads for batches, receipts and inspections.
            package var jobs = 1
            package var times = ConnectionTimes()
            /// How long requests are accepted after a signal, while `/readyz` says otherwise to load balancers.
            package var draining = Duration.seconds(5)
            /// How long requests that were accepted have after that.
            package var ending = Duration.seconds(30)

            package init() {}
        }

        private let configuration: Configuration
        private let apps: [ServedApp]
        private let log: @Sendable (String) -> Void

        /// - Parameters:
        ///   - configuration: where the service listens, and how much it takes.
        ///   - apps: at least one, with different names.
        ///   - log: writes a line to standard error.
        package init(
            _ configuration: Configuration, apps: [ServedApp], log: @escaping @Sendable (String) -> Void
        ) {
            (self.configuration, self.apps, self.log) = (configuration, apps, log)
        }

        /// Serves until SIGTERM or SIGINT, and then as long as the configuration says. Requests that were accepted are
        /// answered first.
        ///
        /// - Parameter whenListening: gets the port.
        /// - Throws: why the address cannot be listened on.
        package func run(whenListening: @escaping @Sendable (Int) -> Void) async throws {
            let threads = NIOThreadPool(numberOfThreads: configuration.jobs)
            threads.start()
            let readiness = Readiness()
            let write = log
            let logger = Logger(label: "storekit-verify") { _ in JSONLog(.notice, write) }
            let served = ServedApps(apps)
            let router = router(served, threads, readiness, logger)
            let port = configuration.port
            let date = DateField()
            let server = try server(router).buildServer(
                configuration: .init(
                    // Up to 4,096 connections wait in the kernel while all places are taken.
                    address: .hostname(configuration.host, port: configuration.port), backlog: 4_096,
                    availableConnectionsDelegate: .maximum(configuration.maximumConnections, logger: logger)),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
            ) { request, writer, channel in
                var response = try await router.respond(to: request, on: channel)
                response.headers[.date] = date.value
                try await writer.write(response: response.head, body: response.body)
            } onServerRunning: {
                whenListening($0.localAddress?.port ?? port)
            }
            var group = ServiceGroupConfiguration(
                // The last one ends first: what is accepted meanwhile is forwarded after the next start.
                services: served.databases.map(Forwarding.init)
                    + [server, Draining(readiness: readiness, time: configuration.draining)],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
            group.maximumGracefulShutdownDuration = configuration.draining + configuration.ending
            do {
                try await ServiceGroup(configuration: group).run()
            } catch {
                try? await threads.shutdownGracefully()
                guard let failure = error as? IOError else { throw error }
                // In the system's words: the port is taken, or is for the administrator alone.
                throw SystemError(number: failure.errnoCode)
            }
            try await threads.shutdownGracefully()
        }

        /// Serves while this thread waits; see `run(whenListening:)`.
        ///
        /// Must not be called from a task: it blocks its thread.
        ///
        /// - Returns: why the address cannot be listened on; `nil` after a signal.
        package func runToEnd(whenListening: @escaping @Sendable (Int) -> Void) -> (any Error)? {
            let ended = DispatchSemaphore(value: 0)
            let failure = Mutex<(any Error)?>(nil)
            let service = self
            Task {
                do {
                    try await service.run(whenListening: whenListening)
                } catch {
                    failure.withLock { $0 = error }
                }
                ended.signal()
            }
            ended.wait()
            return failure.withLock(\.self)
        }

        private func router(
            _ served: ServedApps, _ threads: NIOThreadPool, _ readiness: Readiness, _ logger: Logger
        ) -> Router {
            let bodies = BodyReader(
                maximumBytes: configuration.maximumBodyBytes,
                memory: BodyMemory(limit: configuration.bodyMemory))
            let metrics = ServiceMetrics()
            let verify = VerifyHandler(apps: served, bodies: bodies, threads: threads, metrics: metrics)
            let batch = BatchHandler(
                apps: served, bodies: bodies, threads: threads, jobs: configuration.jobs, metrics: metrics,
                running: RunningBatches(window: configuration.times.body))
            let operation = OperationHandlers(
                metrics: metrics, readiness: readiness,
                databases: DatabaseChecks(served.databases.map(\.store), logger), apps: served,
                version: configuration.version)
            let notifications = NotificationHandlers(
                apps: served, bodies: bodies, metrics: metrics, logger: logger)
            let customers = CustomerHandlers(apps: served, logger: logger)
            // One line a route.
            return Router(
                [
                    Route(.post, "/v1/verify", handler: verify.respond),
                    Route(.post, "/v1/verify/batch", isStream: true, handler: batch.respond),
                    Route(
                        .post, "/v1/notifications", .everyone, mayBlock: true, handler: notifications.receive),
                    Route(
                        .get, "/v1/notifications/{notificationUUID}", mayBlock: true,
                        handler: notifications.notification),
                    Route(.get, "/v1/deliveries", mayBlock: true, handler: notifications.undelivered),
                    Route(.post, "/v1/deliveries/retry", mayBlock: true, handler: notifications.deliverAgain),
                    Route(
                        .get, "/v1/customers/{name}/entitlements", mayBlock: true,
                        handler: customers.entitlements),
                    Route(.get, "/v1/customers/{name}/timeline", mayBlock: true, handler: customers.timeline),
                    Route(
                        .get, "/v1/customers/{name}/timeline.svg", mayBlock: true, handler: customers.picture),
                    Route(.get, "/healthz", .everyone, handler: operation.health),
                    Route(.get, "/readyz", .everyone, mayBlock: true, handler: operation.ready),
                    Route(.get, "/v1/service", handler: operation.service),
                    Route(.get, "/metrics", handler: operation.metrics(_:)),
                    Route(.get, "/openapi.json", handler: operation.description),
                ] + PageFiles.routes, token: configuration.token,
                hosts: HostRules(listeningOn: configuration.host, allowing: configuration.allowedHosts),
                metrics: metrics)
        }

        private func server(_ router: Router) -> HTTPServerBuilder {
            let times = configuration.times
            var limits = NIOHTTPDecoderLimitConfiguration()
            // In bytes, for one field and for all together: longer than any that a proxy adds; a token goes into the body.
            (limits.maxHeaderFieldSize, limits.maxHeaderListSize) = (16_384, 16_384)
            limits.maxHeaderFieldCount = 100
            return HTTPServerBuilder { [limits] responder in
                EventLoopChannel(
                    RequestChannel(responder: responder, limits: limits) {
                        [
                            ConnectionGuard(times, isStream: router.isStream, router.metrics)
                        ]
                    })
            }
        }
    }

    /// Forwards what an app's database has queued, until the service ends.
    ///
    /// A delivery that is interrupted stays queued, and is sent again after the next start.
    private struct Forwarding: Service {
        let database: AppDatabase

        func run() async throws {
            try await cancelWhenGracefulShutdown { try await database.forwarder.run() }
        }
    }

    /// Tells load balancers that the service is ending, and gives them time to send requests elsewhere.
    private struct Draining: Service {
        let readiness: Readiness
        let time: Duration

        func run() async throws {
            try? await gracefulShutdown()
            readiness.end()
            try? await Task.sleep(for: time)
        }
    }
#endif
