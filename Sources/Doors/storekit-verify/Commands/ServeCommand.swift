import ArgumentParser
import CommandSupport
import Essentials
import Platform
import SignedPayloads

#if Service
    import PurchaseDatabase
    import VerificationService

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
                "Forward each notification to this address too; it may be given several times.",
                valueName: "url"),
            transform: parseText)
        var forwardTo: [String] = []

        @Option(
            help: ArgumentHelp("Sign forwarded notifications with the secret in FILE.", valueName: "file"),
            transform: parseText)
        var forwardingSecretFile: String?

        @Flag(
            help:
                "Answer 4xx, not 503, to genuine notifications of other apps and environments, and of another root than --root."
        )
        var refuseForeignNotifications = false

        @Flag(
            help:
                "Answer POST /verifyReceipt without the token, for clients of Apple's endpoint of this name.")
        var verifyReceipt = false

        @Option(
            help: ArgumentHelp(
                "Answer /verifyReceipt about subscriptions only if its password is the shared secret in FILE.",
                valueName: "file"),
            transform: parseText)
        var sharedSecretFile: String?

        @Option(
            help: ArgumentHelp(
                "Sign offers and requests for the app with the private key in FILE, a .p8 file.",
                valueName: "file"),
            transform: parseText)
        var signingKey: String?

        @Option(
            name: .customLong("signing-key-id"), help: ArgumentHelp("The key's identifier.", valueName: "id"),
            transform: parseText)
        var signingKeyID: String?

        @Option(
            name: .customLong("signing-issuer-id"),
            help: ArgumentHelp("The issuer's identifier.", valueName: "id"),
            transform: parseText)
        var signingIssuerID: String?

        @Option(
            help: ArgumentHelp(
                """
                Compare the database with the App Store at the start and every TIME, such as 24h, and keep missing \
                payloads. It asks about purchases whose newest payload is older than TIME, with the signing key.
                """,
                valueName: "time"),
            transform: parseText)
        var reconcileEvery: String?

        @Option(
            help: ArgumentHelp(
                "Ask this server, such as storekit-test serve, instead of Apple's.", valueName: "address"),
            transform: parseText)
        var appStoreServer: String?

        @Option(
            help: ArgumentHelp(
                "Forward the App Store's body, or the meaning: typed JSON for a receiver that does not verify.",
                valueName: "body|meaning"),
            transform: parseText)
        var forwardAs: String?

        @Option(
            help: ArgumentHelp(
                "Drop the bodies of notifications after a time, such as 90d or 12h; their identifiers stay.",
                valueName: "time"),
            transform: parseText)
        var keepBodies: String?

        @Option(
            name: .customLong("max-body-bytes"),
            help: ArgumentHelp("Refuse longer bodies of /v1/verify.", valueName: "bytes"))
        var maximumBodyBytes = 2 << 20

        @Option(
            name: .customLong("max-spool-bytes"),
            help: ArgumentHelp(
                """
                Keep up to this many bytes of verdicts in files, for all batches whose clients do not read yet; with \
                0, no file is made.
                """,
                valueName: "bytes"))
        var maximumSpoolBytes = 1 << 30

        @Option(
            help: ArgumentHelp(
                "Make these files here (default: $TMPDIR, or /tmp). They have no names.", valueName: "folder")
        )
        var spoolFolder: FileName?

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
                "After SIGTERM, accept requests for this long, while /readyz answers 503.",
                valueName: "number"))
        var drainSeconds = 5

        @Flag(help: "Log each request: its route, status, time and identifier.")
        var accessLog = false

        @Option(help: ArgumentHelp("Verify batches on this many cores (default: all).", valueName: "number"))
        var jobs: Int?

        /// With a configuration, options may not set values that the configuration has for each app: it would be unclear which
        /// counts.
        func validate() throws {
            try VerifyCommand.validate(jobs: jobs)
            // Without a token, others in the network could ask about customers.
            try listening.requireLoopback(unless: tokenFile != nil, "give a token with --token-file")
            guard (0...65_535).contains(port) else { throw ValidationError("--port is from 0 to 65535.") }
            guard maximumBodyBytes > 0 else { throw ValidationError("--max-body-bytes must be at least 1.") }
            guard maximumSpoolBytes >= 0 else {
                throw ValidationError("--max-spool-bytes must be at least 0.")
            }
            guard maximumConnections > 0 else {
                throw ValidationError("--max-connections must be at least 1.")
            }
            guard idleSeconds > 0, bodySeconds > 0 else {
                throw ValidationError("A time is at least 1 second.")
            }
            guard (0...3_600).contains(drainSeconds) else {
                throw ValidationError("--drain-seconds is from 0 to 3600.")
            }
            guard config != nil else { return }
            let namesDatabase =
                database != nil || !forwardTo.isEmpty || forwardingSecretFile != nil || forwardAs != nil
                || keepBodies != nil
            let namesKey = signingKey ?? signingKeyID ?? signingIssuerID != nil
            let given = [
                (policy.setup != VerifierSetup(), "policy; no other option may name one"),
                (namesDatabase, "database; no other option may name one"),
                (sharedSecretFile != nil, "sharedSecretFile; no option may name one"),
                (namesKey, "signingKeyFile; no option may name one"),
                (reconcileEvery ?? appStoreServer != nil, "reconcileEvery; no option may give it"),
            ]
            for (isGiven, what) in given where isGiven {
                throw ValidationError("--config gives each app's \(what).")
            }
        }

        func run() throws {
            let source = try source()
            let apps = try CurrentApps(source)
            var configuration = try makeConfiguration()
            configuration.tokens = try source.tokens()
            configuration.reload = { try apps.reload() }
            WriteSignals.ignore()
            let service = VerificationService(configuration, apps: apps.served) { StandardError.write($0) }
            let address = "http://\(listening.host)"
            let failure = service.runToEnd { Self.announce("listening on \(address):\($0)") }
            let isClosed = apps.close()
            if let failure { throw report(failure) }
            guard isClosed else { throw ExitCode.unwritableOutput }
        }

        /// Says that the service answers, to people and to the service manager, which then starts dependent units.
        private static func announce(_ status: String) {
            StandardError.say(status)
            do throws(SystemError) {
                try ServiceManager.notify(.ready, status: status)
            } catch {
                StandardError.say("the service manager does not answer at its NOTIFY_SOCKET: \(error)")
            }
        }

        /// The service's settings for connections and limits. A reload does not change them.
        private func makeConfiguration() throws -> VerificationService.Configuration {
            var configuration = VerificationService.Configuration()
            configuration.host = listening.host
            configuration.allowedHosts = listening.allowedHosts
            configuration.port = port
            configuration.opensVerifyReceipt = verifyReceipt
            configuration.refusesForeignNotifications = refuseForeignNotifications
            configuration.maximumBodyBytes = maximumBodyBytes
            configuration.maximumSpoolBytes = maximumSpoolBytes
            configuration.spoolFolder = try usableSpoolFolder()
            // 64 descriptors are left for databases, spooled batches and the log.
            configuration.maximumConnections = min(maximumConnections, DescriptorLimit.raise() - 64)
            configuration.setTimes(idle: .seconds(idleSeconds), body: .seconds(bodySeconds))
            configuration.draining = .seconds(drainSeconds)
            configuration.logsRequests = accessLog
            configuration.version = BuildFacts.version
            configuration.jobs = VerifyCommand.number(ofJobs: jobs)
            return configuration
        }

        /// Where the service reads its apps from, at the start and at each reload: the options, or the file that they name.
        private func source() throws(ExitCode) -> ServiceSource {
            var kept: AppConfiguration.Database?
            var signing: AppConfiguration.Signing?
            var reconciliation: AppConfiguration.Reconciliation?
            if config == nil {
                try StandardError.sayingWhy(status: .usage) { () throws(OptionsError) in
                    signing = try AppConfiguration.Signing(
                        keyFile: signingKey, keyID: signingKeyID, issuerID: signingIssuerID, policy.policy)
                    kept = try AppConfiguration.Database(
                        file: database, forwardTo: forwardTo, forwardingSecretFile: forwardingSecretFile,
                        forwardAs: forwardAs, keepBodies: keepBodies, policy.policy)
                    reconciliation = try AppConfiguration.Reconciliation(
                        every: reconcileEvery, server: appStoreServer, hasDatabase: kept != nil, signing,
                        policy.policy)
                }
            }
            return ServiceSource(
                config: config, setup: policy.setup, database: kept, sharedSecretFile: sharedSecretFile,
                signing: signing, reconciliation: reconciliation, tokenFile: tokenFile)
        }

        /// The folder for the verdicts of long batches, after a file was made there for a try. In the system's folder, a failure
        /// is a warning: clients that read while they send need no files.
        ///
        /// - Throws: after a message, if no file can be made in the folder that the operator has named.
        private func usableSpoolFolder() throws(ExitCode) -> FileName {
            let usual = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
            let folder = spoolFolder ?? FileName(path: usual ?? "/tmp")
            guard maximumSpoolBytes > 0 else { return folder }
            do throws(SystemError) {
                _ = try FileDescriptor.unnamed(in: folder)
            } catch {
                guard spoolFolder == nil else {
                    StandardError.say("--spool-folder \(folder.text): no file can be made there: \(error)")
                    throw .unwritableOutput
                }
                StandardError.say(
                    "no file can be made in \(folder.text), so long batches need clients that read while they send; --spool-folder names another folder: \(error)"
                )
            }
            return folder
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
    }
#else
    /// `storekit-verify serve` in a build without the service: it says how to get one, whatever the options.
    ///
    /// The service's options would be some forty kilobytes of the released file.
    struct ServeCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve", abstract: "Verify over HTTP; this build has no service.")

        @Argument(parsing: .captureForPassthrough, help: .hidden)
        var options: [String] = []

        func run() throws {
            throw ValidationError(
                "This build has no service. Build the command with: swift build -c release --traits Service")
        }
    }
#endif
