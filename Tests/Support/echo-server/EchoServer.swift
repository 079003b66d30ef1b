#if Service
    import Hummingbird
    import Logging

    /// Gives every request its body back: what the framework costs without any work.
    ///
    ///     echo-server PORT
    @main
    enum EchoServer {
        static func main() async throws {
            let port = CommandLine.arguments.last.flatMap { Int($0) } ?? 0
            let responder = CallbackResponder { (request: Request, _: BasicRequestContext) in
                let body = try await request.body.collect(upTo: 1 << 20)
                return Response(status: .ok, body: .init(byteBuffer: body))
            }
            let application = Application(
                responder: responder, configuration: .init(address: .hostname("127.0.0.1", port: port)),
                logger: Logger(label: "echo-server") { _ in SwiftLogNoOpLogHandler() })
            try await application.runService()
        }
    }
#else
    /// Without the trait, nothing.
    @main
    enum EchoServer {
        static func main() { print("Build with --traits Service.") }
    }
#endif
