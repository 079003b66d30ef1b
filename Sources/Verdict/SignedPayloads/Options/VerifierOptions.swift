package import Revocation
package import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

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
    /// The App Store's environments.
    private static let environments: [VerificationPolicy.Environment] = [
        .production, .sandbox, .xcode, .localTesting,
    ]
    private static let checks = [
        "bundleIds", "appAppleId", "environments", "deviceId", "effectiveDate", "maxTokenBytes", "revocation",
    ]

    /// Where the options come from, which decides what there is to choose.
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

    /// Reads a JSON object. An unknown member, a repeated one and a value of another type are refused: an option that is
    /// passed over would leave a check undone.
    ///
    /// - Parameter others: the names of members that the caller reads.
    package init(
        json: Span<UInt8>, from source: Source = .caller, besides others: [String] = []
    ) throws(OptionsError) {
        let names = source.names + others
        var object = JSONObject(wanted: MemberNames(names))
        var unknown: String?
        do throws(JSONError) {
            try object.read(json, uniqueNames: .required)
            var reader = JSONReader(0..<json.count)
            while let event = try reader.next(in: json) {
                guard reader.depth == 1, case .name(let name) = event else { continue }
                let text = name.value(in: json)
                if unknown == nil, !names.contains(text) { unknown = text }
            }
        } catch {
            throw OptionsError("the options: \(error)")
        }
        if let unknown {
            throw OptionsError(
                "there is no option \"\(HiddenCharacters.escaped(in: String(unknown.prefix(64))))\"; there are "
                    + names.joined(separator: ", "))
        }
        for name in source.names {
            if let value = object[name] { try set(name, value, json) }
        }
    }

    private mutating func set(_ name: String, _ value: JSONValue, _ json: Span<UInt8>) throws(OptionsError) {
        switch name {
        case "bundleIds": policy.bundleIdentifiers = Set(try Self.texts(value, name, json))
        case "environments":
            let texts = try Self.texts(value, name, json)
            let known = Self.environments.map(\.rawValue)
            guard texts.allSatisfy(known.contains) else {
                throw Self.failure(name, "an array of \(known.joined(separator: ", "))")
            }
            policy.environments = Set(texts.map { VerificationPolicy.Environment(rawValue: $0) })
        case "appAppleId":
            policy.appAppleIdentifier = Int64(try Self.integer(value, name, json, atLeast: .min))
        case "deviceId":
            guard case .string(let text) = value, let uuid = UUID(canonicalForm: text.value(in: json)) else {
                throw Self.failure(name, "a UUID")
            }
            policy.deviceIdentifier = uuid
        case "effectiveDate":
            guard case .string(let text) = value,
                let seconds = CalendarTime.seconds(iso8601: text.value(in: json))
            else { throw Self.failure(name, "a date of ISO 8601, such as 2025-10-11T19:51:52Z") }
            policy.effectiveDate = Date(timeIntervalSince1970: seconds)
        case "maxTokenBytes": policy.maximumTokenBytes = try Self.integer(value, name, json, atLeast: 1)
        case "roots": roots = try Self.texts(value, name, json)
        case "revocation": revocation = try Self.choice(value, name, json)
        case "engine": engine = try Self.choice(value, name, json)
        case "jobs": jobs = min(try Self.integer(value, name, json, atLeast: 1), Self.maximumJobs)
        case "debug":
            guard value == .true || value == .false else { throw Self.failure(name, "true or false") }
            isDebugging = value == .true
        default: break
        }
    }

    // MARK: - Values

    /// Why an option's value is refused.
    package static func failure(_ name: String, _ expected: String) -> OptionsError {
        OptionsError("the option \"\(name)\" must be \(expected)")
    }

    /// An option that is an array of strings.
    package static func texts(
        _ value: JSONValue, _ name: String, _ json: Span<UInt8>
    ) throws(OptionsError) -> [String] {
        let failure = failure(name, "an array of strings")
        guard case .array(let range) = value else { throw failure }
        var texts: [String?] = []
        // The array was checked with its object.
        try? JSONArray.forEach(of: json, in: range) { element in
            if case .string(let text) = element {
                texts.append(text.value(in: json))
            } else {
                texts.append(nil)
            }
        }
        guard texts.allSatisfy({ $0 != nil }) else { throw failure }
        return texts.compactMap(\.self)
    }

    private static func integer(
        _ value: JSONValue, _ name: String, _ json: Span<UInt8>, atLeast minimum: Int
    ) throws(OptionsError) -> Int {
        guard case .number(let range) = value,
            let number = Int(String(decoding: Array(copying: json.extracting(range)), as: UTF8.self)),
            number >= minimum
        else { throw failure(name, minimum == .min ? "an integer" : "an integer from \(minimum)") }
        return number
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: JSONValue, _ name: String, _ json: Span<UInt8>
    ) throws(OptionsError) -> Choice {
        guard case .string(let text) = value, let choice = Choice(rawValue: text.value(in: json)) else {
            throw failure(name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }
}
