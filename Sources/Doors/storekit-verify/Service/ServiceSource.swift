#if Service
    import CommandSupport
    import ArgumentParser
    import Platform
    import SignedPayloads
    import Synchronization
    import VerificationService

    /// Where a service's configuration is read from: at the start, and again when SIGHUP comes.
    struct ServiceSource: Sendable {
        /// Several apps, each with a policy; `nil` for one app, which the command line describes.
        let config: FileName?
        /// The one app.
        let setup: VerifierSetup
        let database: AppConfiguration.Database?
        let sharedSecretFile: String?
        let signing: AppConfiguration.Signing?
        let reconciliation: AppConfiguration.Reconciliation?
        let tokenFile: FileName?

        /// Opens the apps.
        ///
        /// - Throws: an exit status, after a message.
        func openApps() throws -> OpenApps {
            let apps =
                if let config {
                    try OpenApps(configuration: config)
                } else {
                    try OpenApps(
                        setup, database, sharedSecretFile: sharedSecretFile, signing: signing,
                        reconciliation: reconciliation)
                }
            if tokenFile == nil, apps.served.contains(where: \.signs) {
                _ = apps.close()
                StandardError.say("a service that signs needs --token-file, on a loopback address too")
                throw ExitCode.usage
            }
            return apps
        }

        /// Reads the tokens that callers must present; `nil` if every caller is welcome.
        ///
        /// - Throws: an exit status, after a message.
        func tokens() throws(ExitCode) -> BearerTokens? {
            guard let tokenFile else { return nil }
            return try OpenApps.tokens(in: tokenFile, "--token-file")
        }
    }

    /// The apps that a service has at the moment.
    final class CurrentApps: Sendable {
        private let source: ServiceSource
        private let apps: Mutex<OpenApps>

        init(_ source: ServiceSource) throws {
            self.source = source
            apps = Mutex(try source.openApps())
        }

        var served: [ServedApp] { apps.withLock(\.served) }

        /// Opens the apps anew, beside the open ones.
        ///
        /// - Throws: why the configuration cannot be read. The open apps stay then.
        func reload() throws -> VerificationService.Reloaded {
            let (read, messages) = StandardError.keepingMessages {
                (try source.tokens(), try source.openApps())
            }
            switch read {
            case .failure: throw ReloadFailure(description: messages.joined(separator: "; "))
            case .success((let tokens, let new)):
                let old = apps.withLock { apps in
                    defer { apps = new }
                    return apps
                }
                return VerificationService.Reloaded(tokens: tokens, apps: new.served) { _ = old.close() }
            }
        }

        /// Closes the open apps. Returns whether everything is on the disk.
        func close() -> Bool { apps.withLock { $0.close() } }
    }

    /// Why a configuration was not read anew.
    struct ReloadFailure: Error, CustomStringConvertible {
        let description: String
    }
#endif
