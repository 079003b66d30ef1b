#if ServerAPI
    import AppStoreServerAPI
    import ArgumentParser
    import CommandSupport
    import Platform
    import RequestSigning
    import SignedPayloads
    import StoreKitVerify

    /// The options of every command that asks the App Store: the key, the app, and the server.
    struct ServerOptions: ParsableArguments {
        @OptionGroup var policy: PolicyOptions

        @Option(help: ArgumentHelp("The private key, a .p8 file.", valueName: "file"))
        var key: FileName

        @Option(name: .customLong("key-id"), help: ArgumentHelp("The key's identifier.", valueName: "id"))
        var keyID: String

        @Option(
            name: [.customLong("issuer-id"), .customLong("issuer")],
            help: ArgumentHelp(
                "The issuer's identifier, above the keys in App Store Connect.", valueName: "id"))
        var issuerID: String

        @Option(
            help: ArgumentHelp(
                "Ask this server, such as storekit-test serve, instead of Apple's.", valueName: "address"))
        var server: String?

        @Option(
            name: .customLong("tls-root"),
            help: ArgumentHelp(
                "Trust the servers of these roots (PEM), such as a company's proxy, instead of this computer's.",
                valueName: "file"))
        var tlsRoots: FileName?

        @Flag(
            name: .customLong("no-rate-limit"), help: "Do not keep Apple's limits; for a server of one's own."
        )
        var ignoresLimits = false

        /// Refuses options that would send a token over an open line, or ask Apple's servers about an environment of Xcode.
        func validate() throws {
            // The token names one app (`bid`).
            guard policy.bundleIdentifiers.count == 1 else {
                throw ValidationError("The App Store is asked about one app: give one --bundle-id.")
            }
            guard policy.environments.count <= 2 else {
                throw ValidationError("At most two environments are asked, one after the other.")
            }
            if server == nil, !environments.allSatisfy({ [.production, .sandbox].contains($0) }) {
                throw ValidationError("Apple's servers are Production and Sandbox; --server names another.")
            }
            if let server, !AppStoreServerAPIClient.Server.isSafe(server) {
                throw ValidationError(
                    "--server must be https://HOST: over http, others on the way can read the token. Only this computer itself may be http://127.0.0.1:PORT."
                )
            }
            if server == nil, ignoresLimits {
                throw ValidationError("--no-rate-limit is for a server of --server: Apple's has limits.")
            }
        }

        /// The environments to ask, in this order. Another server than Apple's is one for tests, so it is the Sandbox's unless
        /// an option says more.
        var environments: [AppStoreEnvironment] {
            policy.environments.isEmpty ? [server == nil ? .production : .sandbox] : policy.environments
        }

        private var servers: [AppStoreServerAPIClient.Server] {
            environments.map { environment in
                if let server { return .init(server, environment: environment) }
                return environment == .production ? .production : .sandbox
            }
        }

        /// The server that a part of a list came from.
        func server(named environment: String) -> AppStoreServerAPIClient.Server? {
            servers.first { $0.environment.rawValue == environment }
        }

        /// The verifier of fetched payloads: of the app, and of the environments that are asked.
        func makeVerifier(_ revocation: RevocationChecker?) throws(ExitCode) -> SignedPayloadVerifier {
            var setup = policy.setup
            setup.policy.environments = Set(environments)
            return try setup.makeVerifier(revocation)
        }

        /// Runs the body of a command that asks once, with a client whose answers are verified as the options say.
        ///
        /// - Throws: an exit status, after a message.
        func withClient(_ body: (AppStoreServerAPIClient) throws -> Void) throws {
            let revocation = policy.setup.makeRevocationChecker()
            defer { revocation?.close() }
            try body(makeClient(makeVerifier(revocation)))
        }

        /// The client.
        ///
        /// - Throws: an exit status, after a message.
        func makeClient(_ verifier: SignedPayloadVerifier) throws(ExitCode) -> AppStoreServerAPIClient {
            var options = AppStoreServerAPIClient.Options()
            options.limitsRate = !ignoresLimits
            options.fallback = servers.count > 1 ? servers[1] : nil
            options.trustedCertificates = tlsRoots?.text
            // Read once here, for a message about the file: the transport would report a failed connection.
            if let tlsRoots { _ = try tlsRoots.textContent(maximumBytes: 16 << 20, hint: "") }
            let key = try SigningKey.read(key)
            let issuer = try StandardError.sayingWhy(status: .usage) { () throws(RequestSigningError) in
                try RequestIssuer(keyID: keyID, issuerID: issuerID, bundleID: policy.bundleIdentifiers[0])
            }
            return AppStoreServerAPIClient(
                for: issuer, signer: .key(key), server: servers[0], verifier: StoreKitVerifier(verifier),
                options: options)
        }
    }
#endif
