public import ArgumentParser
import CommandSupport
import Essentials
import Libcrypto
import Platform
public import SignedPayloads
import WireFormats

/// The options that name the trusted roots and the checks on payloads.
///
/// Every command that verifies has this group, so that an option means the same in each.
struct PolicyOptions: ParsableArguments {
    @Option(
        name: .customLong("root"),
        help: ArgumentHelp(
            """
            Trust the certificates in FILE (DER or PEM, several too) instead of Apple Root CA - G3, and \
            Apple Root CA for receipts. Repeatable.
            """,
            valueName: "file"))
    var roots: [FileName] = []

    @Option(
        name: .customLong("bundle-id"),
        help: ArgumentHelp("Accept payloads of this app only. Repeatable.", valueName: "identifier"),
        transform: parseText)
    var bundleIdentifiers: [String] = []

    @Option(
        name: .customLong("app-apple-id"),
        help: ArgumentHelp(
            "Accept payloads of the app with this number at Apple only (where a payload has one).",
            valueName: "number"))
    var appAppleIdentifier: Int64?

    @Option(
        name: .customLong("environment"),
        help: ArgumentHelp(
            "Accept payloads of this environment only. Repeatable.", valueName: "name"))
    var environments: [AppStoreEnvironment] = []

    @Option(
        name: .customLong("device-id"),
        help: ArgumentHelp(
            "Accept payloads made for this device only. Apps get them on the device; servers never do.",
            valueName: "uuid"),
        transform: parseUUID)
    var deviceIdentifier: UUID?

    @Option(
        name: .customLong("effective-date"),
        help: ArgumentHelp(
            "Judge certificates at this date (ISO 8601) instead of each payload's own.", valueName: "date"),
        transform: parseDate)
    var effectiveDate: Date?

    @Option(
        name: .customLong("max-token-bytes"),
        help: ArgumentHelp("Refuse tokens longer than this.", valueName: "bytes"))
    var maximumTokenBytes = VerificationPolicy().maximumTokenBytes

    @Option(
        help: ArgumentHelp(
            """
            Ask by OCSP over HTTP whether certificates were revoked. off: do not ask. soft: accept a \
            certificate if no responder answers. hard: refuse it then.
            """, valueName: "mode"))
    var revocation = RevocationMode.off

    /// Files of roots are read later, so that a wrong one is reported with its name and reason.
    func validate() throws {
        guard maximumTokenBytes > 0 else { throw ValidationError("--max-token-bytes must be at least 1.") }
        guard !bundleIdentifiers.contains("") else { throw ValidationError("--bundle-id is empty.") }
    }

    /// The checks on payloads.
    var policy: VerificationPolicy {
        var policy = VerificationPolicy()
        policy.environments = Set(environments)
        policy.bundleIdentifiers = Set(bundleIdentifiers)
        policy.appAppleIdentifier = appAppleIdentifier
        policy.deviceIdentifier = deviceIdentifier
        policy.effectiveDate = effectiveDate
        policy.maximumTokenBytes = maximumTokenBytes
        return policy
    }

    /// The roots, the policy and the mode of revocation for verifiers.
    var setup: VerifierSetup { VerifierSetup(roots: roots, policy: policy, revocation: revocation) }
}

extension RevocationMode: ExpressibleByArgument {}

/// An unknown environment is a usage error.
extension AppStoreEnvironment: ExpressibleByArgument {
    /// Reads an environment's name.
    public init?(argument: String) { self.init(known: argument) }

    /// The names, for the help and for a message.
    public static var allValueStrings: [String] { known.map(\.rawValue) }

    /// Shells complete the names.
    public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// A UUID in its usual form, in upper or lower case.
func parseUUID(_ text: String) throws -> UUID {
    guard let identifier = UUID(canonicalForm: text) else {
        throw ValidationError("'\(text)' is not a UUID.")
    }
    return identifier
}

/// A date of ISO 8601: `2025-10-11`, or `2025-10-11T19:51:52Z`. Seconds and their fraction are optional, and
/// an offset may stand in place of the `Z`.
func parseDate(_ text: String) throws -> Date {
    guard let date = Date(iso8601: text) else {
        throw ValidationError("'\(text)' is not a date of ISO 8601, such as 2025-10-11T19:51:52Z.")
    }
    return date
}
