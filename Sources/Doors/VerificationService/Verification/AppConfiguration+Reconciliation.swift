#if Service
    internal import AppStoreServerAPI
    package import SignedPayloads
    internal import WireFormats

    extension AppConfiguration {
        /// How an app's database is compared with the App Store, by the command line or the file.
        package struct Reconciliation: Sendable {
            /// The time between two comparisons.
            package let pause: Duration
            /// The address of another server than Apple's.
            package let server: String?
            /// The key of requests.
            package let signing: Signing
            /// The app.
            package let bundleID: String
            /// The environment that is asked.
            package let environment: AppStoreEnvironment

            /// `nil` if nothing is given.
            ///
            /// - Parameters:
            ///   - time: the time between two comparisons, such as `24h`.
            ///   - server: the address of another server than Apple's.
            ///   - hasDatabase: whether the app keeps purchases.
            ///   - policy: the app's.
            /// - Throws: the option that is missing or wrong.
            package init?(
                every time: String?, server: String?, hasDatabase: Bool, _ signing: Signing?,
                _ policy: VerificationPolicy
            ) throws(OptionsError) {
                guard let time else {
                    if server == nil { return nil }
                    throw OptionsError(
                        "a server of the App Store (--app-store-server, or \"appStoreServer\") is asked by comparisons alone: say how often (--reconcile-every, or \"reconcileEvery\")"
                    )
                }
                guard let seconds = CalendarTime.seconds(span: time) else {
                    throw OptionsError(
                        "a database is compared with the App Store every so many days or hours, such as 24h")
                }
                guard hasDatabase, let signing else {
                    throw OptionsError(
                        "comparing with the App Store needs a database, and a key to ask with (--signing-key, or \"signingKeyFile\")"
                    )
                }
                guard let bundleID = policy.bundleIdentifiers.first, policy.bundleIdentifiers.count == 1,
                    let environment = policy.environments.first, policy.environments.count == 1
                else {
                    throw OptionsError(
                        "the App Store is asked about one app in one environment: give one bundle identifier and one environment"
                    )
                }
                guard server.map(AppStoreServerAPIClient.Server.isSafe) ?? true else {
                    throw OptionsError(
                        "the App Store's server must be https://HOST: over http, others on the way can read the token; only this computer itself may be http://127.0.0.1:PORT"
                    )
                }
                guard server != nil || [.production, .sandbox].contains(environment) else {
                    throw OptionsError(
                        "Apple's servers are Production and Sandbox; another environment needs --app-store-server, or \"appStoreServer\""
                    )
                }
                (pause, self.server, self.signing) = (.seconds(seconds), server, signing)
                (self.bundleID, self.environment) = (bundleID, environment)
            }
        }
    }
#endif
