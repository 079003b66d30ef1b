#if Service
    internal import WireFormats

    /// The configuration file: several apps side by side, each with its own policy.
    ///
    ///     {"apps": {"shop": {"bundleIds": ["com.example.shop"], "environments": ["Production"]}}}
    package struct AppConfiguration: Sendable {
        /// What the file says of an app.
        package struct App: Sendable {
            package let name: String
            package let options: VerifierOptions
            /// `nil` if nothing is kept for the app.
            package let database: Database?
        }

        /// What an app keeps and forwards, as the command line or the file says it.
        package struct Database: Sendable {
            /// The file that keeps the app's notifications and purchases.
            package let file: String
            /// The addresses to forward notifications to.
            package let forwardTo: [String]
            /// The file of the secret that signs what is forwarded.
            package let forwardingSecretFile: String?

            /// `nil` if there is no file, and nothing to forward.
            ///
            /// - Throws: if what is given would have no effect.
            package init?(
                file: String?, forwardTo: [String], forwardingSecretFile: String?
            ) throws(OptionsError) {
                guard !forwardTo.isEmpty || forwardingSecretFile == nil else {
                    throw OptionsError(
                        "a secret for forwarding is of no use without an address to forward to")
                }
                guard let file else {
                    if forwardTo.isEmpty { return nil }
                    throw OptionsError("forwardTo needs a database")
                }
                self.file = file
                self.forwardTo = forwardTo
                self.forwardingSecretFile = forwardingSecretFile
            }
        }

        /// The apps, in the order of the file.
        package let apps: [App]

        /// Reads the file's content. An unknown member, a repeated one and a value of another type are refused.
        ///
        /// - Throws: a sentence that names the member.
        package init(json: [UInt8]) throws(OptionsError) {
            let members = try Self.members(of: json.span, in: "the configuration")
            guard members.count == 1, let first = members.first, first.name == "apps" else {
                let names = members.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw OptionsError(
                    "the configuration is an object with one member, \"apps\"; it has \(names.isEmpty ? "none" : names)"
                )
            }
            guard let object = first.object else {
                throw OptionsError("\"apps\" must be an object, with a member for each app")
            }
            let named = try Self.members(of: json.span.extracting(object), in: "\"apps\"")
            guard !named.isEmpty else { throw OptionsError("\"apps\" has no app") }
            var apps: [App] = []
            for app in named {
                guard !app.name.isEmpty, let place = app.object else {
                    throw OptionsError("the app \"\(app.name)\" must have a name, and an object of options")
                }
                do throws(OptionsError) {
                    let bytes = json.span.extracting(
                        object.lowerBound + place.lowerBound..<object.lowerBound + place.upperBound)
                    apps.append(try Self.app(app.name, bytes))
                } catch {
                    throw OptionsError("the app \"\(app.name)\": \(error)")
                }
            }
            let databases = apps.compactMap(\.database?.file)
            guard Set(databases).count == databases.count else {
                throw OptionsError(
                    "two apps have the same \"database\"; each has a policy, so each needs a file")
            }
            self.apps = apps
        }

        private static func app(_ name: String, _ json: Span<UInt8>) throws(OptionsError) -> App {
            let names = ["database", "forwardTo", "forwardingSecretFile"]
            let options = try VerifierOptions(json: json, from: .file, besides: names)
            var object = JSONObject(wanted: MemberNames(names))
            do { try object.read(json) } catch { throw OptionsError("\(error)") }
            func text(_ name: String) throws(OptionsError) -> String? {
                guard let value = object[name] else { return nil }
                guard case .string(let text) = value, !text.value(in: json).isEmpty else {
                    throw VerifierOptions.failure(name, "the name of a file")
                }
                return text.value(in: json)
            }
            let addresses = try object["forwardTo"].map { value throws(OptionsError) in
                try VerifierOptions.texts(value, "forwardTo", json)
            }
            let database = try Database(
                file: try text("database"), forwardTo: addresses ?? [],
                forwardingSecretFile: try text("forwardingSecretFile"))
            return App(name: name, options: options, database: database)
        }

        /// The members of an object, and where those that are objects stand.
        private static func members(
            of json: Span<UInt8>, in place: String
        ) throws(OptionsError) -> [(name: String, object: Range<Int>?)] {
            do throws(JSONError) {
                var object = JSONObject(wanted: MemberNames([]))
                try object.read(json, uniqueNames: .required)
                // The names are the file's: `MemberNames` is for names that are known beforehand.
                var members: [(name: String, object: Range<Int>?)] = []
                var reader = JSONReader(0..<json.count)
                var start = 0
                while let event = try reader.next(in: json) {
                    switch (event, reader.depth) {
                    case (.name(let name), 1): members.append((name.value(in: json), nil))
                    case (.beginObject, 2): start = reader.position - 1
                    case (.endObject, 1): members[members.count - 1].object = start..<reader.position
                    default: break
                    }
                }
                return members
            } catch {
                throw OptionsError("\(place): \(error)")
            }
        }
    }
#endif
