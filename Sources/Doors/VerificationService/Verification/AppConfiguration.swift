#if Service
    package import RequestSigning
    package import SignedPayloads
    internal import WireFormats

    /// The configuration file: several apps side by side, each with its own policy.
    ///
    ///     {"apps": {"shop": {"bundleIds": ["com.example.shop"], "environments": ["Production"]}}}
    package struct AppConfiguration: Sendable {
        /// An app's options in the file.
        package struct App: Sendable {
            package let name: String
            package let options: VerifierOptions
            /// `nil` if nothing is kept for the app.
            package let database: Database?
            /// The file of the app's shared secret, for `verifyReceipt`.
            package let sharedSecretFile: String?
            /// `nil` if the service does not sign for the app.
            package let signing: Signing?
            /// `nil` if the service answers no requests for retention messages.
            package let retentionRules: RetentionRules?
            /// `nil` if the database is not compared with the App Store.
            package let reconciliation: Reconciliation?
        }

        /// The key with which the service signs for an app, by the command line or the file.
        package struct Signing: Sendable {
            /// The file of the private key, a `.p8` file.
            package let keyFile: String
            /// The identifiers of App Store Connect.
            package let keyID: String
            package let issuerID: String

            /// `nil` if nothing is given.
            ///
            /// - Parameter policy: the app's.
            /// - Throws: if something is missing.
            package init?(
                keyFile: String?, keyID: String?, issuerID: String?, _ policy: VerificationPolicy
            ) throws(OptionsError) {
                if keyFile == nil, keyID == nil, issuerID == nil { return nil }
                guard let keyFile, let keyID, let issuerID, !keyID.isEmpty, !issuerID.isEmpty else {
                    throw OptionsError(
                        "signing needs a key file, the key's identifier and the issuer's (--signing-key, --signing-key-id and --signing-issuer-id, or \"signingKeyFile\", \"signingKeyId\" and \"signingIssuerId\" in a configuration)"
                    )
                }
                guard !policy.bundleIdentifiers.isEmpty else {
                    throw OptionsError(
                        "signing needs a bundle identifier (--bundle-id, or \"bundleIds\" in a configuration)"
                    )
                }
                (self.keyFile, self.keyID, self.issuerID) = (keyFile, keyID, issuerID)
            }
        }

        /// The options for keeping and forwarding an app's notifications, by the command line or the file.
        package struct Database: Sendable {
            /// The file that keeps the app's notifications and purchases.
            package let file: String
            /// The addresses to forward notifications to.
            package let forwardTo: [String]
            /// The file of the secret that signs forwarded notifications.
            package let forwardingSecretFile: String?
            /// Whether a notification's meaning is forwarded, in place of the App Store's body.
            package let forwardsMeaning: Bool
            /// How long notifications' bodies are kept; `nil` for ever.
            package let keepsBodies: Duration?

            /// `nil` if there is no file, and nothing to forward.
            ///
            /// - Parameter policy: the app's.
            /// - Throws: if an option would have no effect, or the file could have purchases of other apps.
            package init?(
                file: String?, forwardTo: [String], forwardingSecretFile: String?, forwardAs: String?,
                keepBodies: String?, _ policy: VerificationPolicy
            ) throws(OptionsError) {
                guard !forwardTo.isEmpty || forwardingSecretFile == nil else {
                    throw OptionsError(
                        "a secret for forwarding is of no use without an address to forward to")
                }
                guard forwardAs.map({ ["body", "meaning"].contains($0) && !forwardTo.isEmpty }) ?? true else {
                    throw OptionsError(
                        "forwarding sends \"body\", the App Store's, or \"meaning\", and needs an address to forward to"
                    )
                }
                guard let file else {
                    if forwardTo.isEmpty, keepBodies == nil { return nil }
                    throw OptionsError("\(keepBodies == nil ? "forwardTo" : "keepBodies") needs a database")
                }
                guard !policy.bundleIdentifiers.isEmpty else {
                    throw OptionsError(
                        "a database needs a bundle identifier (--bundle-id, or \"bundleIds\" in a configuration): without one, other apps' purchases would count as this app's"
                    )
                }
                self.file = file
                self.forwardTo = forwardTo
                self.forwardingSecretFile = forwardingSecretFile
                forwardsMeaning = forwardAs == "meaning"
                keepsBodies = try keepBodies.map { text throws(OptionsError) in try Self.time(text) }
            }

            /// Reads a time such as `90d`.
            private static func time(_ text: String) throws(OptionsError) -> Duration {
                guard let seconds = CalendarTime.seconds(span: text) else {
                    throw OptionsError(
                        "bodies of notifications are kept for a number of days or hours, such as 90d or 12h")
                }
                return .seconds(seconds)
            }
        }

        /// The apps, in the order of the file.
        package let apps: [App]

        /// Reads the file's content. An unknown member, a repeated one and a value of another type are refused.
        ///
        /// - Throws: a sentence that names the member.
        package init(json: [UInt8]) throws(OptionsError) {
            let members: [JSONTree.Member]
            do throws(JSONError) {
                members = try JSONTree.members(of: json.span)
            } catch {
                throw OptionsError("the configuration: \(error)")
            }
            guard members.count == 1, let first = members.first, first.name == "apps" else {
                let names = members.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw OptionsError(
                    "the configuration is an object with one member, \"apps\"; it has \(names.isEmpty ? "no member" : names)"
                )
            }
            guard let named = first.value.members else {
                throw OptionsError("\"apps\" must be an object, with a member for each app")
            }
            guard !named.isEmpty else { throw OptionsError("\"apps\" has no app") }
            var apps: [App] = []
            for app in named {
                guard !app.name.isEmpty, let options = app.value.members else {
                    throw OptionsError("the app \"\(app.name)\" must have a name, and an object of options")
                }
                do throws(OptionsError) {
                    apps.append(try App(app.name, options))
                } catch {
                    throw OptionsError("the app \"\(app.name)\": \(error)")
                }
            }
            let databases = apps.compactMap(\.database?.file)
            guard Set(databases).count == databases.count else {
                throw Self.sharedDatabase
            }
            self.apps = apps
        }

        /// Two names of one file are found when it is open.
        package static let sharedDatabase = OptionsError(
            "two apps have the same \"database\"; each has a policy, so each needs a file")
    }

    extension AppConfiguration.App {
        fileprivate init(_ name: String, _ members: [JSONTree.Member]) throws(OptionsError) {
            self.options = try VerifierOptions(
                members: members, from: .file,
                besides: [
                    "database", "forwardTo", "forwardingSecretFile", "forwardAs", "keepBodies",
                    "sharedSecretFile", "signingKeyFile", "signingKeyId", "signingIssuerId",
                    "retentionMessages", "reconcileEvery", "appStoreServer",
                ])
            let options = JSONTree.object(members)
            func text(_ name: String, _ what: String = "the name of a file") throws(OptionsError) -> String? {
                guard let value = options[name] else { return nil }
                guard let text = value.stringValue, !text.isEmpty else {
                    throw VerifierOptions.failure(name, what)
                }
                return text
            }
            let addresses = try options["forwardTo"].map { value throws(OptionsError) in
                try VerifierOptions.texts(value, "forwardTo")
            }
            database = try AppConfiguration.Database(
                file: try text("database"), forwardTo: addresses ?? [],
                forwardingSecretFile: try text("forwardingSecretFile"),
                forwardAs: try text("forwardAs", "\"body\" or \"meaning\""),
                keepBodies: try text("keepBodies", "a time, such as \"90d\""), self.options.policy)
            sharedSecretFile = try text("sharedSecretFile")
            signing = try AppConfiguration.Signing(
                keyFile: try text("signingKeyFile"), keyID: try text("signingKeyId", "a text"),
                issuerID: try text("signingIssuerId", "a text"), self.options.policy)
            let (policy, signs) = (self.options.policy, signing != nil)
            retentionRules = try options["retentionMessages"].map { rules throws(OptionsError) in
                try RetentionRules(rules, policy, signs: signs)
            }
            reconciliation = try AppConfiguration.Reconciliation(
                every: try text("reconcileEvery", "a time, such as \"24h\""),
                server: try text("appStoreServer", "an address"), hasDatabase: database != nil, signing,
                self.options.policy)
            self.name = name
        }
    }
#endif
