internal import Revocation
internal import SignedPayloads
internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The options of a verifier, as the caller's JSON object gives them.
struct VerifierOptions {
    var policy = VerificationPolicy()
    var revocation = RevocationMode.off
    var engine = BatchVerifier.Engine.auto
    var jobs = 1
    var isDebugging = false

    /// More threads than this never help.
    private static let maximumJobs = 64
    /// The App Store's environments.
    private static let environments: [VerificationPolicy.Environment] = [
        .production, .sandbox, .xcode, .localTesting,
    ]
    private static let names = [
        "bundleIds", "appAppleId", "environments", "deviceId", "effectiveDate", "maxTokenBytes", "revocation",
        "engine", "jobs", "debug",
    ]

    /// The defaults.
    init() {}

    /// Reads a JSON object. An unknown member, a repeated one and a value of another type are refused: an option that is
    /// passed over would leave a check undone.
    init(json: Span<UInt8>) throws(CallFailure) {
        var object = JSONObject(wanted: MemberNames(Self.names))
        var unknown: String?
        do throws(JSONError) {
            try object.read(json, uniqueNames: .required)
            var reader = JSONReader(0..<json.count)
            while let event = try reader.next(in: json) {
                guard reader.depth == 1, case .name(let name) = event else { continue }
                let text = name.value(in: json)
                if unknown == nil, !Self.names.contains(text) { unknown = text }
            }
        } catch {
            throw CallFailure(.invalidOptions, "the options: \(error)")
        }
        if let unknown {
            throw CallFailure(
                .invalidOptions,
                "there is no option \"\(HiddenCharacters.escaped(in: String(unknown.prefix(64))))\"; there are "
                    + Self.names.joined(separator: ", "))
        }
        for name in Self.names {
            if let value = object[name] { try set(name, value, json) }
        }
    }

    private mutating func set(_ name: String, _ value: JSONValue, _ json: Span<UInt8>) throws(CallFailure) {
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

    private static func failure(_ name: String, _ expected: String) -> CallFailure {
        CallFailure(.invalidOptions, "the option \"\(name)\" must be \(expected)")
    }

    private static func texts(
        _ value: JSONValue, _ name: String, _ json: Span<UInt8>
    ) throws(CallFailure) -> [String] {
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
    ) throws(CallFailure) -> Int {
        guard case .number(let range) = value,
            let number = Int(String(decoding: Array(copying: json.extracting(range)), as: UTF8.self)),
            number >= minimum
        else { throw failure(name, minimum == .min ? "an integer" : "an integer from \(minimum)") }
        return number
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: JSONValue, _ name: String, _ json: Span<UInt8>
    ) throws(CallFailure) -> Choice {
        guard case .string(let text) = value, let choice = Choice(rawValue: text.value(in: json)) else {
            throw failure(name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }
}

extension [UInt8] {
    fileprivate init(copying bytes: Span<UInt8>) {
        self.init()
        append(bytes)
    }
}
