#if TestServer
    import ArgumentParser
    import CommandSupport
    import Foundation
    import HTTPConnections
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import Logging
    import NIOCore
    import ServiceLifecycle
    import StoreKitTestSession
    import TestServerAPI
    import UnixSignals

    /// The HTTP side of the local server, and its clock.
    ///
    /// It carries bytes between sockets and `TestAppStoreAPI`, which knows paths, errors and limits, and needs no HTTP.
    struct TestServer: Sendable {
        let api: TestAppStoreAPI
        /// Where notifications go; `nil` if no address was named.
        let delivery: Delivery?
        private let clock: ServerClock

        /// The largest body that is read: an image.
        private static let longestBody = 16 << 20
        /// How often renewals are looked for, and notifications sent.
        private static let tick = Duration.milliseconds(100)

        init(api: TestAppStoreAPI, delivery: Delivery?) {
            self.api = api
            self.delivery = delivery
            clock = ServerClock(api.appStore)
        }

        /// Serves until a signal ends it.
        ///
        /// - Throws: an exit status, after a message.
        func run(_ listening: ListeningOptions, port: Int) async throws {
            let host = listening.host
            let hosts = HostRules(listeningOn: host, allowing: listening.allowedHosts)
            // Standard error has the command's own lines only; a framework's log would hide them.
            var logger = Logger(label: "storekit-test") { _ in SwiftLogNoOpLogHandler() }
            logger.logLevel = .critical
            let application = Application(
                responder: CallbackResponder { (request: Request, _: BasicRequestContext) in
                    if let refusal = hosts.refusal(of: request.head) {
                        let text = ByteBuffer(string: refusal.sentence + "\n")
                        return Response(status: refusal.status, body: .init(byteBuffer: text))
                    }
                    return try await self.respond(to: request)
                },
                server: HTTPServerBuilder {
                    RequestChannel(responder: $0) { [ConnectionGuard(ConnectionTimes(), PlainRefusals())] }
                },
                configuration: .init(address: .hostname(host, port: port)),
                // Port 0 asks the system for a free port, so the line names the one that was given.
                onServerRunning: { channel in
                    let port = channel.localAddress?.port ?? port
                    StandardError.say("the App Store Server API is at http://\(host):\(port)")
                }, logger: logger)
            var ending = ServiceGroupConfiguration(
                services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
            // A request that lets years pass is cancelled then.
            ending.maximumGracefulShutdownDuration = .seconds(2)
            let service = ServiceGroup(configuration: ending)
            // The first task that ends, ends the others: the server after a signal, or a task that cannot
            // write.
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await service.run()
                    } catch is CancellationError {
                    } catch {
                        StandardError.say("\(host):\(port): nothing can be served there (\(error))")
                        throw ExitCode.noResources
                    }
                }
                group.addTask { try await keepTime() }
                group.addTask { try await deliver() }
                group.addTask { try await testPerformance() }
                defer { group.cancelAll() }
                try await group.next()
            }
        }

        /// Reads a request, lets time pass up to now, and answers.
        ///
        /// The whole body is read before the answer, as each of Apple's bodies is small. A longer one gets
        /// the status 413.
        private func respond(to request: Request) async throws -> Response {
            var bytes: [UInt8] = []
            do {
                for try await buffer in request.body {
                    bytes += Array(buffer.readableBytesView)
                    guard bytes.count <= Self.longestBody else { return Response(status: .contentTooLarge) }
                }
            } catch is BodyTimeout {
                return Response(status: .requestTimeout, headers: [.connection: "close"])
            }
            let now = Date()
            try clock.advance(to: now)
            let answer = api.respond(
                to: ServerAPIRequest(
                    request.method.rawValue, target: request.uri.string,
                    headers: request.headers.map { .init($0.name.rawName, $0.value) }, body: bytes), at: now)
            var headers = HTTPFields()
            for field in answer.headers {
                // No name that the API writes is refused here; one with a space would be left out.
                guard let name = HTTPField.Name(field.name) else { continue }
                headers[name] = field.value
            }
            let response = Response(
                status: .init(code: answer.status), headers: headers,
                body: .init(byteBuffer: ByteBuffer(bytes: answer.body)))
            // A body would be read as the next answer.
            return request.method == .head ? response.createHeadResponse() : response
        }

        /// Renews subscriptions in time, even while no request comes.
        private func keepTime() async throws {
            while true {
                try await Task.sleep(for: Self.tick)
                try clock.advance(to: Date())
            }
        }

        /// Sends notifications in their order. Those that fail are sent again beside later ones.
        private func deliver() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                while true {
                    for notification in api.appStore.takeNotifications() {
                        // Taken all the same, so that the store does not keep notifications that have no
                        // address.
                        guard let delivery else { continue }
                        // One first attempt at a time keeps the order. A server that does not answer delays
                        // the next by the client's 30 seconds.
                        let result = try await delivery.attempt(notification)
                        record(result, notification)
                        guard result != .success else { continue }
                        group.addTask {
                            _ = try await delivery.sendAgain(notification) { record($0, notification) }
                        }
                    }
                    try await Task.sleep(for: Self.tick)
                }
            }
        }

        /// Sends the requests of performance tests. The API lets one run at a time.
        private func testPerformance() async throws {
            while true {
                for run in api.takePerformanceTests() {
                    try await PerformanceTester(api: api, run: run).send()
                }
                try await Task.sleep(for: Self.tick)
            }
        }

        /// Tells the API, whose notification history names each attempt.
        private func record(_ result: NotificationAttempt.Result, _ notification: TestNotification) {
            api.record(.init(at: api.appStore.now, result), of: notification.uuid)
        }
    }

    /// Answers bytes that are not HTTP with a sentence. The test server counts no connections.
    private struct PlainRefusals: ConnectionObserver {
        func connectionOpened() {}

        func connectionClosed() {}

        func connectionTimedOut(_ state: ConnectionState) {}

        func refuse(_ request: MalformedRequest) -> RefusedConnection {
            switch request {
            case .fieldsTooLarge:
                RefusedConnection(
                    .requestHeaderFieldsTooLarge, [:],
                    ByteBuffer(string: "The request's header fields are too many or too long.\n"))
            case .notHTTP:
                RefusedConnection(
                    .badRequest, [:],
                    ByteBuffer(string: "The request is not HTTP/1.1 as RFC 9112 defines it.\n"))
            }
        }
    }
#endif
