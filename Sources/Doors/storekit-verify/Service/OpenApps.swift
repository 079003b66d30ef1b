#if Service
    import AppStoreServerAPI
    import ArgumentParser
    import CommandSupport
    import Platform
    import PurchaseDatabase
    import RequestSigning
    import SignedPayloads
    import StoreKitVerify
    import VerificationService
    import Essentials

    /// The apps of a service, with their databases, tasks and keys.
    struct OpenApps: Sendable {
        /// An app, with the resources that end with it.
        private struct App: Sendable {
            let served: ServedApp
            let revocation: RevocationChecker?
            let store: SQLiteTransactionStore?
        }

        private var apps: [App] = []

        /// The apps that the service answers for.
        var served: [ServedApp] { apps.map(\.served) }

        /// The app of the command line.
        init(
            _ setup: VerifierSetup, _ database: AppConfiguration.Database?, sharedSecretFile: String?,
            signing: AppConfiguration.Signing?, reconciliation: AppConfiguration.Reconciliation?
        ) throws(ExitCode) {
            try open("default", setup, database, sharedSecretFile, signing, nil, reconciliation)
        }

        /// The apps of a configuration.
        ///
        /// - Throws: an exit status, after a message.
        init(configuration file: FileName) throws {
            let json = try file.content(maximumBytes: Self.maximumFileBytes)
            let options = try StandardError.sayingWhy("--config \(file.text): ", status: .usage) {
                () throws(OptionsError) in try AppConfiguration(json: json)
            }
            var files: Set<FileIdentity> = []
            do {
                for app in options.apps {
                    let setup = VerifierSetup(
                        roots: app.options.roots.map { FileName(path: $0) }, policy: app.options.policy,
                        revocation: app.options.revocation)
                    let name = app.database.map { FileName(path: $0.file) }
                    // Those of the apps before exist by now, so another name of one, or a link, is found.
                    if let known = name.flatMap(FileIdentity.init), files.contains(known) {
                        StandardError.say("--config \(file.text): \(AppConfiguration.sharedDatabase)")
                        throw ExitCode.usage
                    }
                    try open(
                        app.name, setup, app.database, app.sharedSecretFile, app.signing, app.retentionRules,
                        app.reconciliation)
                    if let identity = name.flatMap(FileIdentity.init) { files.insert(identity) }
                }
            } catch {
                _ = close()
                throw error
            }
        }

        /// The longest configuration and token that are read.
        private static let maximumFileBytes = 1 << 20

        /// Closes the resources of the apps. Returns whether everything is on the disk.
        func close() -> Bool {
            apps.map { app in
                app.revocation?.close()
                do throws(SQLiteStoreError) {
                    try app.store?.close()
                    return true
                } catch {
                    StandardError.say("\(error)")
                    return false
                }
            }.allSatisfy(\.self)
        }

        /// Opens the resources of an app.
        ///
        /// - Throws: an exit status, after a message.
        private mutating func open(
            _ name: String, _ setup: VerifierSetup, _ database: AppConfiguration.Database?,
            _ sharedSecretFile: String?, _ signing: AppConfiguration.Signing?,
            _ retentionRules: RetentionRules?, _ reconciliation: AppConfiguration.Reconciliation?
        ) throws(ExitCode) {
            let signingKey = try signing.map { signing throws(ExitCode) in try Self.key(of: signing) }
            let sharedSecret = try sharedSecretFile.map { path throws(ExitCode) in
                try Self.tokens(in: FileName(path: path), "the shared secret")
            }
            let revocation = setup.makeRevocationChecker()
            let payloads = try setup.makeVerifier(revocation)
            var kept: AppDatabase?
            var store: SQLiteTransactionStore?
            if let database {
                let addresses = try Self.addresses(database.forwardTo)
                let secret = try database.forwardingSecretFile.map { path throws(ExitCode) in
                    try Self.forwardingSecret(in: path)
                }
                let opened = try SQLiteTransactionStore.open(database.file, payloads, for: .service)
                kept = AppDatabase(
                    opened, forwardingTo: addresses, secret: secret,
                    forwardsMeaning: database.forwardsMeaning, keepsBodies: database.keepsBodies,
                    reconciliation: try reconciliation.map { plan throws(ExitCode) in
                        try Self.plan(plan, payloads)
                    })
                store = opened
            }
            let app = ServedApp(
                name: name, payloads: payloads, receipts: try setup.makeReceiptVerifier(revocation),
                database: kept, sharedSecret: sharedSecret, signingKey: signingKey,
                retentionRules: retentionRules)
            apps.append(App(served: app, revocation: revocation, store: store))
        }

        /// Reads the private key with which the service signs.
        private static func key(of signing: AppConfiguration.Signing) throws(ExitCode) -> NamedKey {
            let key = try SigningKey.read(FileName(path: signing.keyFile))
            return try StandardError.sayingWhy(status: .usage) { () throws(RequestSigningError) in
                try NamedKey(key, keyID: signing.keyID, issuerID: signing.issuerID)
            }
        }

        /// The plan of comparing an app's database with the App Store. The client has the app's own verifier, with
        /// its revocation checks: the database keeps nothing that the verifier refuses.
        private static func plan(
            _ reconciliation: AppConfiguration.Reconciliation, _ payloads: SignedPayloadVerifier
        ) throws(ExitCode) -> ReconciliationPlan {
            let environment = reconciliation.environment
            let apple: AppStoreServerAPIClient.Server =
                environment == .production ? .production : .sandbox
            let server = reconciliation.server.map {
                AppStoreServerAPIClient.Server($0, environment: environment)
            }
            let signing = reconciliation.signing
            let key = try SigningKey.read(FileName(path: signing.keyFile))
            let issuer = try StandardError.sayingWhy(status: .usage) { () throws(RequestSigningError) in
                try RequestIssuer(
                    keyID: signing.keyID, issuerID: signing.issuerID, bundleID: reconciliation.bundleID)
            }
            let client = AppStoreServerAPIClient(
                for: issuer, signer: .key(key), server: server ?? apple, verifier: StoreKitVerifier(payloads))
            return ReconciliationPlan(client, every: reconciliation.pause)
        }

        /// Reads one token, or two on two lines.
        ///
        /// - Parameter use: the purpose of the file, as a message names it.
        static func tokens(in file: FileName, _ use: String) throws(ExitCode) -> BearerTokens {
            guard let tokens = BearerTokens(file: try file.content(maximumBytes: maximumFileBytes)) else {
                StandardError.say(
                    "\(use) \(file.text): the file must hold one token of at least 16 visible ASCII characters, or two on two lines"
                )
                throw .usage
            }
            return tokens
        }

        /// The addresses to forward to, each an `http` or `https` one.
        private static func addresses(_ texts: [String]) throws(ExitCode) -> [URL] {
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

        /// Reads the secret that signs forwarded notifications.
        private static func forwardingSecret(in path: String) throws(ExitCode) -> ForwardingSecret {
            do throws(ForwardingSecret.Failure) {
                return try ForwardingSecret(contentsOf: path)
            } catch {
                StandardError.say("\(error)")
                if case .unreadable = error { throw .unreadableInput }
                throw .usage
            }
        }
    }
#endif
