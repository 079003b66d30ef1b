import ArgumentParser
import OperatingSystem
import SignedPayloads
import VerificationReports

#if Service
    import VerificationService
#endif
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `storekit-verify serve`: verdicts over HTTP.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Verify over HTTP, for applications in any language.",
        discussion: """
            POST a token, a JSON object around one, or a receipt to /v1/verify, or one a line to \
            /v1/verify/batch; GET /openapi.json describes the rest. SIGTERM and SIGINT end the service when what \
            was accepted is answered. Standard error gets the address, and then JSON logs without payloads.

            Exit status: 0 ended by a signal, 64 usage, 66 a file can't be read, 71 the address can't be \
            listened on.
            """)

    @OptionGroup var policy: PolicyOptions

    @Option(help: ArgumentHelp("Listen on this address.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("Listen on this port; 0 is any that is free.", valueName: "number"))
    var port = 8080

    @Option(
        help: ArgumentHelp(
            "Answer only requests with the bearer token in FILE, but for /healthz and /readyz.",
            valueName: "file"))
    var tokenFile: FileName?

    @Option(
        help: ArgumentHelp(
            "Serve several apps, each with a policy of its own, from a JSON file.", valueName: "file"))
    var config: FileName?

    @Option(
        name: .customLong("max-body-bytes"),
        help: ArgumentHelp("Refuse longer bodies of /v1/verify.", valueName: "bytes"))
    var maximumBodyBytes = 2 << 20

    @Option(
        name: .customLong("max-connections"),
        help: ArgumentHelp("Keep this many connections open; others wait.", valueName: "number"))
    var maximumConnections = 16_384

    @Option(
        name: .customLong("idle-seconds"),
        help: ArgumentHelp("Close a connection that is silent between requests.", valueName: "number"))
    var idleSeconds = 60

    @Option(
        name: .customLong("body-seconds"),
        help: ArgumentHelp(
            "Give a client this long to send a body; of a batch, to send or read its next part.",
            valueName: "number"))
    var bodySeconds = 30

    @Option(help: ArgumentHelp("Verify batches on this many cores (default: all).", valueName: "number"))
    var jobs: Int?

    func validate() throws {
        try VerifyCommand.validate(jobs: jobs)
        guard (0...65_535).contains(port) else { throw ValidationError("--port is from 0 to 65535.") }
        guard maximumBodyBytes > 0 else { throw ValidationError("--max-body-bytes must be at least 1.") }
        guard maximumConnections > 0 else { throw ValidationError("--max-connections must be at least 1.") }
        guard idleSeconds > 0, bodySeconds > 0 else { throw ValidationError("A time is at least 1 second.") }
        guard config == nil || policy.setup == VerifierSetup() else {
            throw ValidationError("--config gives each app's policy; no other option may name one.")
        }
    }

    #if Service
        func run() throws {
            var configuration = VerificationService.Configuration()
            configuration.host = host
            configuration.port = port
            configuration.maximumBodyBytes = maximumBodyBytes
            configuration.maximumConnections = min(
                maximumConnections, VerificationService.raiseDescriptorLimit() - 64)
            configuration.times.idle = .seconds(idleSeconds)
            configuration.times.body = .seconds(bodySeconds)
            configuration.times.writing = .seconds(bodySeconds)
            configuration.jobs = VerifyCommand.number(ofJobs: jobs)
            configuration.token = try tokenFile.map { try token(in: $0) }
            let apps = try makeApps()
            defer { for app in apps { app.revocation?.close() } }
            ignoreWriteSignals()
            let service = VerificationService(configuration, apps: apps.map(\.app)) {
                StandardError.write($0)
            }
            let (host, port) = (host, port)
            let failure = service.runToEnd { StandardError.say("listening on http://\(host):\($0)") }
            if let failure {
                StandardError.say("\(host):\(port): nothing can be served there (\(failure))")
                throw ExitCode.noResources
            }
        }

        private typealias App = (app: ServedApp, revocation: RevocationChecker?)

        private func makeApps() throws(ExitCode) -> [App] {
            guard let config else { return [try app("default", policy.setup)] }
            let json = try read(config)
            let options: AppConfiguration
            do throws(OptionsError) {
                options = try AppConfiguration(json: json)
            } catch {
                StandardError.say("--config \(config.text): \(error)")
                throw .usage
            }
            var apps: [App] = []
            for (name, options) in options.apps {
                let roots = options.roots.map { FileName(bytes: Array($0.utf8)) }
                let setup = VerifierSetup(
                    roots: roots, policy: options.policy, revocation: options.revocation)
                apps.append(try app(name, setup))
            }
            return apps
        }

        private func app(_ name: String, _ setup: VerifierSetup) throws(ExitCode) -> App {
            let revocation = setup.makeRevocationChecker()
            let app = ServedApp(
                name: name, payloads: try setup.makeVerifier(revocation),
                receipts: try setup.makeReceiptVerifier(revocation))
            return (app, revocation)
        }

        private func token(in file: FileName) throws(ExitCode) -> BearerToken {
            guard let token = BearerToken(file: try read(file)) else {
                StandardError.say(
                    "--token-file \(file.text): the file must hold one token of visible ASCII characters")
                throw .usage
            }
            return token
        }

        /// The longest configuration and token that are read.
        private static let maximumFileBytes = 1 << 20

        private func read(_ file: FileName) throws(ExitCode) -> [UInt8] {
            do throws(SystemError) {
                return try readFile(file, maximumBytes: Self.maximumFileBytes)
            } catch {
                StandardError.say(unreadable: file, error)
                throw .unreadableInput
            }
        }
    #else
        func run() throws { throw ServiceMissing.error }
    #endif
}

/// What a build without the service says.
enum ServiceMissing {
    static var error: ValidationError {
        ValidationError(
            "This build has no service. Build the command with: swift build -c release --traits Service")
    }
}
