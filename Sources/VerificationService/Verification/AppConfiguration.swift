#if Service
    package import VerificationReports
    internal import WireFormats

    /// The configuration file: several apps side by side, each with its own policy.
    ///
    ///     {"apps": {"shop": {"bundleIds": ["com.example.shop"], "environments": ["Production"]}}}
    package struct AppConfiguration: Sendable {
        /// The apps' names and options, in the order of the file.
        package let apps: [(name: String, options: VerifierOptions)]

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
            var apps: [(name: String, options: VerifierOptions)] = []
            for app in named {
                guard !app.name.isEmpty, let place = app.object else {
                    throw OptionsError("the app \"\(app.name)\" must have a name, and an object of options")
                }
                do throws(OptionsError) {
                    let bytes = json.span.extracting(
                        object.lowerBound + place.lowerBound..<object.lowerBound + place.upperBound)
                    apps.append((app.name, try VerifierOptions(json: bytes, from: .file)))
                } catch {
                    throw OptionsError("the app \"\(app.name)\": \(error)")
                }
            }
            self.apps = apps
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
