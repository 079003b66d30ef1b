#if Service
    import HTTPTypes
    import Hummingbird
    import NIOCore
    import NIOEmbedded
    import ServiceLifecycle
    import Synchronization
    import VerificationService

    /// A service that tests ask, without a process.
    final class TestedService: Sendable {
        let application: ServiceApplication
        private let written: Lines

        /// - Parameters:
        ///   - apps: at least one, with different names.
        ///   - configure: changes the settings.
        init(_ apps: [ServedApp], _ configure: (inout VerificationService.Configuration) -> Void = { _ in }) {
            var settings = VerificationService.Configuration()
            settings.version = "1.2.3"
            (settings.jobs, settings.port) = (2, 0)
            configure(&settings)
            let lines = Lines()
            written = lines
            application = ServiceApplication(settings, apps: apps) { lines.add($0) }
        }

        /// The lines of the log so far.
        var log: [String] {
            get async {
                application.flushLog()
                return written.all
            }
        }

        /// Asks the routes, without connections.
        func asked<Value: Sendable>(
            _ ask: @Sendable (Client) async throws -> Value
        ) async throws -> Value {
            let client = Client { head, body in
                let response = try await self.response(to: head, RequestBody(buffer: body))
                let writer = Collector()
                try await response.body.write(writer)
                return Answer(response.head, writer.body.withLock(\.self))
            }
            return try await ending { try await ask(client) }
        }

        /// Asks a server with connections.
        ///
        /// - Parameter ask: gets a client with one connection, and the port for others.
        func served<Value: Sendable>(
            _ ask: @escaping @Sendable (Client, _ port: Int) async throws -> Value
        ) async throws -> Value {
            let (ports, listening) = AsyncStream.makeStream(of: Int.self)
            let server = try application.server { listening.yield($0) }
            let group = ServiceGroup(configuration: .init(services: [server], logger: application.logger))
            return try await ending {
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask {
                        // Without a port, nothing would be waited for any more.
                        defer { listening.finish() }
                        try await group.run()
                    }
                    guard let port = await ports.first(where: { _ in true }) else {
                        throw CancellationError()
                    }
                    let connection = try await Connection(port: port)
                    let result: Result<Value, any Error>
                    do {
                        result = .success(
                            try await ask(Client { try await connection.answer(to: $0, $1) }, port))
                    } catch {
                        result = .failure(error)
                    }
                    await connection.close()
                    await group.triggerGracefulShutdown()
                    try await tasks.waitForAll()
                    return try result.get()
                }
            }
        }

        private func ending<Value>(_ body: () async throws -> Value) async throws -> Value {
            do {
                let value = try await body()
                await application.end()
                return value
            } catch {
                await application.end()
                throw error
            }
        }

        /// The answer to a request whose body the test makes. The answer's body is not written yet.
        func response(
            to head: HTTPRequest, _ body: RequestBody
        ) async throws -> Response {
            try await application.respond(to: Request(head: head, body: body), on: NIOAsyncTestingChannel())
        }

        private final class Lines: Sendable {
            private let lines = Mutex<[String]>([])
            var all: [String] { lines.withLock(\.self) }
            func add(_ line: String) { lines.withLock { $0.append(line) } }
        }

        /// Takes an answer's body.
        private final class Collector: ResponseBodyWriter, Sendable {
            let body = Mutex(ByteBuffer())

            func write(_ buffer: ByteBuffer) async throws {
                body.withLock { body in _ = body.writeImmutableBuffer(buffer) }
            }

            func finish(_ trailers: HTTPFields?) async throws {}
        }
    }
#endif
