import ArgumentParser
import CommandSupport
import Platform
import SignedPayloads

#if Service
    import NotificationInbox
    import StoreKitVerifySQLite
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
            /v1/verify/batch; GET /openapi.json describes the rest. With --database, /v1/notifications is an \
            address for the App Store, and customers' entitlements are at /v1/customers. SIGTERM and SIGINT \
            end the service: for --drain-seconds it goes on while /readyz answers 503, and then each connection \
            ends with its last answer. Standard error gets the address, and then \
            JSON logs without payloads.

            Exit status: 0 ended by a signal, 64 usage, 66 a file can't be read, 71 the address can't be \
            listened on, 74 the database can't be written.
            """)

    @OptionGroup var policy: PolicyOptions

    @OptionGroup var listening: ListeningOptions

    @Option(help: ArgumentHelp("Listen on this port; 0 is any that is free.", valueName: "number"))
    var port = 8080

    @Option(
        help: ArgumentHelp(
            """
            Answer only requests with the bearer token in FILE, except for /healthz and /readyz. It has at \
            least 16 characters.
            """,
            valueName: "file"))
    var tokenFile: FileName?

    @Option(
        help: ArgumentHelp(
            "Serve several apps, each with a policy of its own, from a JSON file.", valueName: "file"))
    var config: FileName?

    @Option(
        help: ArgumentHelp(
            """
            Keep notifications and purchases in this SQLite file; it is made if it does not exist. It needs \
            --bundle-id.
            """,
            valueName: "file"),
        transform: parseText)
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Forward each notification to this address too; it may be given several times.", valueName: "url"),
        transform: parseText)
    var forwardTo: [String] = []

    @Option(
        help: ArgumentHelp("Sign forwarded notifications with the secret in FILE.", valueName: "file"),
        transform: parseText)
    var forwardingSecretFile: String?

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

    @Option(
        name: .customLong("drain-seconds"),
        help: ArgumentHelp(
            "After SIGTERM, accept requests for this long, while /readyz answers 503.", valueName: "number"))
    var drainSeconds = 5

    @Option(help: ArgumentHelp("Verify batches on this many cores (default: all).", valueName: "number"))
    var jobs: Int?

    func validate() throws {
        try VerifyCommand.validate(jobs: jobs)
        try listening.requireLoopback(unless: tokenFile != nil, "give a token with --token-file")
        guard (0...65_535).contains(port) else { throw ValidationError("--port is from 0 to 65535.") }
        guard maximumBodyBytes > 0 else { throw ValidationError("--max-body-bytes must be at least 1.") }
        guard maximumConnections > 0 else { throw ValidationError("--max-connections must be at least 1.") }
        guard idleSeconds > 0, bodySeconds > 0 else { throw ValidationError("A time is at least 1 second.") }
        guard (0...3_600).contains(drainSeconds) else {
            throw ValidationError("--drain-seconds is from 0 to 3600.")
        }
        guard config == nil || policy.setup == VerifierSetup() else {
            throw ValidationError("--config gives each app's policy; no other option may name one.")
        }
        guard config == nil || (database == nil && forwardTo.isEmpty && forwardingSecretFile == nil) else {
            throw ValidationError("--config gives each app's database; no other option may name one.")
        }
    }

    #if Service
        func run() throws {
            let configuration = try makeConfiguration()
            let apps = try makeApps()
            WriteSignals.ignore()
            let service = VerificationService(configuration, apps: apps.map(\.served)) {
                StandardError.write($0)
            }
            let host = listening.host
            let failure = service.runToEnd {
                StandardError.say("listening on http://\(host):\($0)")
            }
            let isClosed = apps.map { $0.close() }.allSatisfy(\.self)
            if let failure { throw report(failure) }
            guard isClosed else { throw ExitCode.unwritableOutput }
        }

        private func makeConfiguration() throws -> VerificationService.Configuration {
            var configuration = VerificationService.Configuration()
            configuration.version = StorekitVerify.configuration.version
            configuration.host = listening.host
            configuration.allowedHosts = listening.allowedHosts
            configuration.port = port
            configuration.maximumBodyBytes = maximumBodyBytes
            configuration.maximumConnections = min(maximumConnections, DescriptorLimit.raise() - 64)
            configuration.times.idle = .seconds(idleSeconds)
            configuration.times.body = .seconds(bodySeconds)
            configuration.times.writing = .seconds(bodySeconds)
            configuration.draining = .seconds(drainSeconds)
            configuration.jobs = VerifyCommand.number(ofJobs: jobs)
            configuration.token = try tokenFile.map { try token(in: $0) }
            return configuration
        }

        /// Says why the service ended, and returns the exit status for it.
        private func report(_ failure: any Error) -> ExitCode {
            if failure is SQLiteStoreError {
                StandardError.say("\(failure)")
                return .unwritableOutput
            }
            StandardError.say(
                "--host \(listening.host) --port \(port): the service cannot listen there: \(failure)")
            return .noResources
        }

        private struct App {
            let served: ServedApp
            let revocation: RevocationChecker?
            let store: SQLiteTransactionStore?

            /// Ends what belongs to the app. Returns whether everything is on the disk.
            func close() -> Bool {
                revocation?.close()
                do throws(SQLiteStoreError) {
                    try store?.close()
                    return true
                } catch {
                    StandardError.say("\(error)")
                    return false
                }
            }
        }

        private func makeApps() throws -> [App] {
            guard let config else {
                let kept = try sayingWhy { () throws(OptionsError) in
                    try AppConfiguration.Database(
                        file: database, forwardTo: forwardTo, forwardingSecretFile: forwardingSecretFile,
                        policy.policy)
                }
                return [try app("default", policy.setup, kept)]
            }
            let json = try config.content(maximumBytes: Self.maximumFileBytes)
            let options = try sayingWhy("--config \(config.text): ") {
                () throws(OptionsError) in try AppConfiguration(json: json)
            }
            var files: Set<FileIdentity> = []
            return try options.apps.map { app in
                let roots = app.options.roots.map { FileName(path: $0) }
                let setup = VerifierSetup(
                    roots: roots, policy: app.options.policy, revocation: app.options.revocation)
                let file = app.database.map { FileName(path: $0.file) }
                // Those of the apps before exist by now, so another name of one, or a link, is found.
                if let known = file.flatMap(FileIdentity.init), files.contains(known) {
                    StandardError.say("--config \(config.text): \(AppConfiguration.sharedDatabase)")
                    throw ExitCode.usage
                }
                let opened = try self.app(app.name, setup, app.database)
                if let file = file.flatMap(FileIdentity.init) { files.insert(file) }
                return opened
            }
        }

        /// Reports why options are refused.
        private func sayingWhy<Value>(
            _ place: String = "", _ read: () throws(OptionsError) -> Value
        ) throws(ExitCode) -> Value {
            do throws(OptionsError) { return try read() } catch {
                StandardError.say("\(place)\(error)")
                throw .usage
            }
        }

        private func app(
            _ name: String, _ setup: VerifierSetup, _ database: AppConfiguration.Database?
        ) throws(ExitCode) -> App {
            let revocation = setup.makeRevocationChecker()
            let payloads = try setup.makeVerifier(revocation)
            var kept: AppDatabase?
            var store: SQLiteTransactionStore?
            if let database {
                let addresses = try addresses(database.forwardTo)
                let secret = try database.forwardingSecretFile.map { path throws(ExitCode) in
                    try forwardingSecret(in: path)
                }
                let opened = try SQLiteTransactionStore.open(database.file, payloads, for: .service)
                kept = AppDatabase(opened, forwardingTo: addresses, secret: secret)
                store = opened
            }
            let app = ServedApp(
                name: name, payloads: payloads, receipts: try setup.makeReceiptVerifier(revocation),
                database: kept)
            return App(served: app, revocation: revocation, store: store)
        }

        private func addresses(_ texts: [String]) throws(ExitCode) -> [URL] {
            var addresses: [URL] = []
            for text in texts {
                guard let url = URL(string: text), NotificationForwarder.canForward(to: url) else {
                    StandardError.say(
                        "cannot forward to '\(text)': the address must be http://HOST… or https://HOST…")
                    throw .usage
                }
                addresses.append(url)
            }
            return addresses
        }

        private func forwardingSecret(in path: String) throws(ExitCode) -> ForwardingSecret {
            do throws(ForwardingSecret.Failure) {
                return try ForwardingSecret(contentsOf: path)
            } catch {
                StandardError.say("\(error)")
                if case .unreadable = error { throw .unreadableInput }
                throw .usage
            }
        }

        private func token(in file: FileName) throws(ExitCode) -> BearerToken {
            guard let token = BearerToken(file: try file.content(maximumBytes: Self.maximumFileBytes)) else {
                StandardError.say(
                    "--token-file \(file.text): the file must hold one token of at least 16 visible ASCII characters"
                )
                throw .usage
            }
            return token
        }

        /// The longest configuration and token that are read.
        private static let maximumFileBytes = 1 << 20
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
