#if Service
    package import VerificationReports
    internal import WireFormats

    /// The configuration file: several apps side by side, each with its own policy.
    ///
    ///     {"apps": {"shop": {"bundleIds": ["com.example.shop"], "environments": ["Production"]}}}
    package struct AppConfiguration: Sendable {
        /// What the file says of an app.
        package struct App: Sendable {
            package let name: String
            package let options: VerifierOptions
            /// The file that keeps the app's notifications and purchases; `nil` for none.
            package let database: String?
            /// The addresses to forward notifications to.
            package let forwardTo: [String]
            /// The file of the secret that signs what is forwarded.
            package let forwardingSecretFile: String?
        }

        /// The apps, in the order of the file.
        package let apps: [App]

        /// Reads the file's content. An unknown member, a repeated one and a value of another type are refused.
        ///
        /// - Throws: a sentence that names the member.
        package init(json: [UInt8]) throws(OptionsError) {
            let members = try Self.members(of: json.span, in: "the configuration")
            guard members.count == 1, let first = members.first, first.name == "apps",
                let object = first.object
            else {
                let names = members.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw OptionsError(
                    "the configuration is an object with one member, \"apps\", which is an object; it has \(names.isEmpty ? "none" : names)"
                )
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
            let databases = apps.compactMap(\.database)
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
            let app = App(
                name: name, options: options, database: try text("database"), forwardTo: addresses ?? [],
                forwardingSecretFile: try text("forwardingSecretFile"))
            guard app.database != nil || (app.forwardTo.isEmpty && app.forwardingSecretFile == nil) else {
                throw OptionsError("what is forwarded is kept first: name a \"database\"")
            }
            guard !app.forwardTo.isEmpty || app.forwardingSecretFile == nil else {
                throw OptionsError("\"forwardingSecretFile\" is of no use without \"forwardTo\"")
            }
            return app
        }

        /// The reader of objects finds this many.
        private static let maximumMembers = 64

        /// The members of an object, and where those that are objects stand.
        private static func members(
            of json: Span<UInt8>, in place: String
        ) throws(OptionsError) -> [(name: String, object: Range<Int>?)] {
            do {
                var object = JSONObject(wanted: MemberNames([]))
                try object.read(json, uniqueNames: .required)
                var names: [String] = []
                var reader = JSONReader(0..<json.count)
                while let event = try reader.next(in: json) {
                    if reader.depth == 1, case .name(let name) = event { names.append(name.value(in: json)) }
                }
                guard names.count <= maximumMembers else {
                    throw OptionsError("\(place) has more than \(maximumMembers) members")
                }
                object = JSONObject(wanted: MemberNames(names))
                try object.read(json)
                return names.map { name in
                    if case .object(let range)? = object[name] { (name, range) } else { (name, nil) }
                }
            } catch let error as OptionsError {
                throw error
            } catch {
                throw OptionsError("\(place): \(error)")
            }
        }
    }
#endif
