#if Service
    internal import Dispatch
    package import HTTPConnections
    internal import HTTPTypes
    internal import Logging
    internal import NIOCore
    internal import NIOPosix
    package import Platform
    internal import PurchaseDatabase
    internal import ServiceLifecycle
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
            /// The tokens of which callers must present one; `nil` if every caller is welcome.
            package var tokens: BearerTokens?
            /// Reads the configuration anew, when SIGHUP comes; `nil` if there is nothing to read.
            package var reload: (@Sendable () throws -> Reloaded)?
            /// Whether each request has a line in the log.
            package var logsRequests = false
            /// Whether `/verifyReceipt` needs no token, as Apple's endpoint.
            package var opensVerifyReceipt = false
            /// The longest body of `/v1/verify`.
            ///
            /// In bytes: two megabytes, twice the longest token.
            package var maximumBodyBytes = 2 << 20
            /// Whether notifications that the App Store signed, and only the configuration refuses, get a status of 4xx.
            package var refusesForeignNotifications = false
            /// How old a check of the databases may be that requests share.
            package var readinessAge = Duration.seconds(1)
            /// The memory that the bodies of all requests may take together.
            ///
            /// In bytes.
            package var bodyMemory = 256 << 20
            /// Where the files are that hold verdicts which clients have not read.
            package var spoolFolder = FileName(path: "/tmp")
            /// The bytes that these files may have together.
            ///
            /// In bytes: one gigabyte, the verdicts on some gigabytes of tokens.
            package var maximumSpoolBytes = 1 << 30
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

            /// Sets how long a client may be silent between requests, and how long it has for a body. The second is also how
            /// long it has to send the next part of a batch, and to read.
            package mutating func setTimes(idle: Duration, body: Duration) {
                (times.idle, times.body, times.writing) = (idle, body, body)
            }
        }

        /// A configuration that was read anew.
        package struct Reloaded: Sendable {
            /// The tokens of which callers must present one now; `nil` if every caller is welcome, as before.
            let tokens: BearerTokens?
            let apps: [ServedApp]
            /// Closes the databases that nothing uses any more.
            let closeReplaced: @Sendable () -> Void

            package init(
                tokens: BearerTokens?, apps: [ServedApp], closeReplaced: @escaping @Sendable () -> Void
            ) {
                (self.tokens, self.apps, self.closeReplaced) = (tokens, apps, closeReplaced)
            }
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
            let application = ServiceApplication(configuration, apps: apps, log: log)
            let server = try application.server { port in
                whenListening(port)
                application.logger.notice(
                    "the service has started", metadata: configuration.metadata(apps, port))
            }
            do {
                try await ServiceGroup(configuration: group(application, server)).run()
            } catch {
                await application.end()
                guard let failure = error as? IOError else { throw error }
                // In the system's words: the port is taken, or is for the administrator alone.
                throw SystemError(number: failure.errnoCode)
            }
            await application.end()
        }

        /// Everything that runs until a signal comes.
        private func group(
            _ application: ServiceApplication, _ server: any Service
        ) -> ServiceGroupConfiguration {
            let (apps, logger) = (application.apps, application.logger)
            var group = ServiceGroupConfiguration(
                // The last one ends first: notifications that come meanwhile are forwarded after the next start.
                services: [
                    AppRunner(apps: apps, metrics: application.metrics, logger: logger),
                    Reloading(configuration: configuration, apps: apps, logger: logger), server,
                    Draining(
                        readiness: application.readiness, time: configuration.draining, logger: logger),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
            group.maximumGracefulShutdownDuration = configuration.draining + configuration.ending
            return group
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
    }

    extension VerificationService.Configuration {
        /// The configuration in the log's first line: no address to forward to and no secret.
        fileprivate func metadata(_ apps: [ServedApp], _ port: Int) -> Logger.Metadata {
            let kept = apps.filter { $0.database != nil }
            return [
                "version": .string(version), "host": .string(host), "port": "\(port)",
                "apps": .string(apps.map(\.name).sorted().joined(separator: ", ")),
                "appsWithDatabase": .string(kept.map(\.name).sorted().joined(separator: ", ")),
                "tokens": tokens == nil ? "none" : "required",
            ]
        }
    }

    /// Tells load balancers that the service is ending, and gives them time to send requests elsewhere.
    private struct Draining: Service {
        let readiness: Readiness
        let time: Duration
        let logger: Logger

        func run() async throws {
            // A service that could not listen is cancelled: it has nothing to drain.
            guard (try? await gracefulShutdown()) != nil else { return }
            readiness.end()
            logger.notice("the service is ending", metadata: ["drainSeconds": "\(time.components.seconds)"])
            // If this fails, the message of the start has failed too, and that was reported.
            try? ServiceManager.notify(.stopping, status: "ending, after \(time.components.seconds) s")
            try? await Task.sleep(for: time)
        }
    }
#endif
