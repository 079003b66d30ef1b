package import CertificateChain
internal import Essentials
package import WireFormats

/// Why options in JSON are refused: a sentence.
package struct OptionsError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The options of a verifier, as a JSON object gives them: a caller of the C library's, or an app's in the service's
/// configuration.
package struct VerifierOptions: Sendable {
    package private(set) var policy = VerificationPolicy()
    package private(set) var revocation = RevocationMode.off
    package private(set) var engine = BatchVerifier.Engine.auto
    package private(set) var jobs = 1
    package private(set) var isDebugging = false
    /// The files of roots, where they are given as names; empty otherwise.
    package private(set) var roots: [String] = []

    /// More threads than this never help.
    private static let maximumJobs = 64
    private static let checks = [
        "bundleIds", "appAppleId", "environments", "deviceId", "effectiveDate", "maxTokenBytes", "revocation",
    ]

    /// The origin of the options, which decides the allowed names.
    package enum Source: Sendable {
        /// A program that calls the library: it gives roots as bytes, and chooses the threads.
        case caller
        /// A configuration file: it names files of roots, and all apps share the threads.
        case file

        fileprivate var names: [String] {
            switch self {
            case .caller: VerifierOptions.checks + ["engine", "jobs", "debug"]
            case .file: VerifierOptions.checks + ["roots"]
            }
        }
    }

    /// The defaults.
    package init() {}

    /// Reads a JSON object; see `init(members:from:besides:)`.
    package init(json: Span<UInt8>) throws(OptionsError) {
        let members: [JSONTree.Member]
        do throws(JSONError) {
            members = try JSONTree.members(of: json)
        } catch {
            throw OptionsError("the options: \(error)")
        }
        try self.init(members: members, from: .caller)
    }

    /// Reads the members of an object. An unknown one and a value of another type are refused: an option that is passed
    /// over would leave a check undone.
    ///
    /// - Parameter others: the names of members that the caller reads.
    package init(
        members: [JSONTree.Member], from source: Source, besides others: [String] = []
    ) throws(OptionsError) {
        let names = source.names + others
        if let unknown = members.first(where: { !names.contains($0.name) })?.name {
            throw OptionsError(
                "there is no option \"\(HiddenCharacters.escaped(in: String(unknown.prefix(64))))\"; there are "
                    + names.joined(separator: ", "))
        }
        let options = JSONTree.object(members)
        // In this order, so that of two wrong values always the same one is named.
        for name in source.names {
            if let value = options[name] { try set(name, value) }
        }
    }

    private mutating func set(_ name: String, _ value: JSONTree) throws(OptionsError) {
        switch name {
        case "bundleIds": policy.bundleIdentifiers = Set(try Self.texts(value, name))
        case "environments":
            let environments = try Self.texts(value, name).map(AppStoreEnvironment.init(known:))
            guard !environments.contains(nil) else {
                let known = AppStoreEnvironment.known.map(\.rawValue)
                throw Self.failure(name, "an array of \(known.joined(separator: ", "))")
            }
            policy.environments = Set(environments.compactMap(\.self))
        case "appAppleId": policy.appAppleIdentifier = Int64(try Self.integer(value, name, atLeast: .min))
        case "deviceId":
            guard let uuid = value.stringValue.flatMap({ UUID(canonicalForm: $0) }) else {
                throw Self.failure(name, "a UUID")
            }
            policy.deviceIdentifier = uuid
        case "effectiveDate":
            guard let date = value.stringValue.flatMap({ Date(iso8601: $0) }) else {
                throw Self.failure(name, "a date of ISO 8601, such as 2025-10-11T19:51:52Z")
            }
            policy.effectiveDate = date
        case "maxTokenBytes": policy.maximumTokenBytes = try Self.integer(value, name, atLeast: 1)
        case "roots": roots = try Self.texts(value, name)
        case "revocation": revocation = try Self.choice(value, name)
        case "engine": engine = try Self.choice(value, name)
        case "jobs": jobs = min(try Self.integer(value, name, atLeast: 1), Self.maximumJobs)
        case "debug":
            guard case .bool(let isDebugging) = value else { throw Self.failure(name, "true or false") }
            self.isDebugging = isDebugging
        default: break
        }
    }

    // MARK: - Values

    /// Why an option's value is refused.
    package static func failure(_ name: String, _ expected: String) -> OptionsError {
        OptionsError("the option \"\(name)\" must be \(expected)")
    }

    /// An option that is an array of strings.
    ///
    /// An empty one is refused: a template writes it for a variable that is not set, and it would restrict nothing.
    package static func texts(_ value: JSONTree, _ name: String) throws(OptionsError) -> [String] {
        let texts = value.elements?.map(\.stringValue) ?? [nil]
        guard !texts.contains(nil) else { throw failure(name, "an array of strings") }
        guard !texts.isEmpty, !texts.contains("") else {
            throw failure(name, "an array of one string or more, none of them empty")
        }
        return texts.compactMap(\.self)
    }

    private static func integer(
        _ value: JSONTree, _ name: String, atLeast minimum: Int
    ) throws(OptionsError) -> Int {
        guard let number = value.wholeNumber, number >= minimum else {
            throw failure(name, minimum == .min ? "an integer" : "an integer from \(minimum)")
        }
        return number
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: JSONTree, _ name: String
    ) throws(OptionsError) -> Choice {
        guard let choice = value.stringValue.flatMap(Choice.init(rawValue:)) else {
            throw failure(name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }
}
