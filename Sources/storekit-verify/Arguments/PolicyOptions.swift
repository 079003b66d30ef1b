public import ArgumentParser
import Libcrypto
public import SignedPayloads
import WireFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The options that say whom to trust and what to ask of payloads.
struct PolicyOptions: ParsableArguments {
    @Option(
        name: .customLong("root"),
        help: ArgumentHelp(
            """
            Trust the certificates in FILE (DER or PEM, several too) instead of Apple Root CA - G3, and Apple Root \
            CA for receipts. Repeatable.
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
    var environments: [AcceptedEnvironment] = []

    @Option(
        name: .customLong("device-id"),
        help: ArgumentHelp(
            "Accept payloads made for this device only, as an app gets them on it; none that a server gets.",
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
    var maximumTokenBytes = 1 << 20

    @Option(
        help: ArgumentHelp(
            """
            Ask the issuers of certificates, by OCSP over HTTP, whether they were revoked: off asks nobody, soft lets \
            pass what no answer is to be had about, hard does not.
            """, valueName: "mode"))
    var revocation = RevocationMode.off

    func validate() throws {
        guard maximumTokenBytes > 0 else { throw ValidationError("--max-token-bytes must be at least 1.") }
    }

    /// What is asked of payloads.
    var policy: VerificationPolicy {
        var policy = VerificationPolicy()
        policy.environments = Set(environments.map { .init(rawValue: $0.rawValue) })
        policy.bundleIdentifiers = Set(bundleIdentifiers)
        policy.appAppleIdentifier = appAppleIdentifier
        policy.deviceIdentifier = deviceIdentifier
        policy.effectiveDate = effectiveDate
        policy.maximumTokenBytes = maximumTokenBytes
        return policy
    }

    /// Asks about revocation for all verifiers of a run; `nil` where nobody is to be asked.
    func makeRevocationChecker() -> RevocationChecker? {
        // The one place where a clock decides: answers are signed for a span of time.
        revocation == .off ? nil : RevocationChecker(overHTTP: revocation)
    }

    /// A verifier of signed payloads with these options.
    ///
    /// - Parameter revocation: what `makeRevocationChecker()` made for the run.
    /// - Throws: the exit status, after saying on standard error what is wrong with a root.
    func makeVerifier(_ revocation: RevocationChecker?) throws(ExitCode) -> SignedPayloadVerifier {
        try make(default: .appleRootCAG3) { anchors throws(TrustAnchorError) in
            try SignedPayloadVerifier(anchors: anchors, policy: policy, revocation: revocation)
        }
    }

    /// A verifier of app receipts with these options.
    ///
    /// - Parameters:
    ///   - revocation: what `makeRevocationChecker()` made for the run.
    ///   - deviceIdentifier: the device's bytes, in place of `--device-id`.
    ///   - remembersSigners: whether libcrypto's CMS decides a signer's first receipt alone, or all of them.
    /// - Throws: the exit status, after saying on standard error what is wrong with a root.
    func makeReceiptVerifier(
        _ revocation: RevocationChecker?, deviceIdentifier: [UInt8]? = nil, remembersSigners: Bool = true
    ) throws(ExitCode) -> ReceiptVerifier {
        try make(default: .appleRootCA) { anchors throws(TrustAnchorError) in
            try ReceiptVerifier(
                anchors: anchors, policy: policy, deviceIdentifier: deviceIdentifier, revocation: revocation,
                remembersSigners: remembersSigners)
        }
    }

    private func make<Verifier>(
        default anchor: TrustAnchor, _ make: ([TrustAnchor]) throws(TrustAnchorError) -> Verifier
    ) throws(ExitCode) -> Verifier {
        var anchors: [TrustAnchor] = []
        for path in roots {
            let content: [UInt8]
            do throws(SystemError) {
                content = try readFile(path, maximumBytes: Self.maximumRootBytes)
            } catch {
                StandardError.say("--root \(path.text): \(error)")
                throw .unreadableInput
            }
            do throws(TrustAnchorError) {
                anchors.append(contentsOf: try TrustAnchor.certificates(in: content))
            } catch {
                StandardError.say("--root \(path.text): \(error)")
                throw .usage
            }
        }
        do throws(TrustAnchorError) {
            return try make(roots.isEmpty ? [anchor] : anchors)
        } catch {
            StandardError.say("\(error)")
            throw .usage
        }
    }

    /// The largest file of roots that is read: the public web's roots, some 150 of them, take 250 kB.
    private static let maximumRootBytes = 16 << 20
}

extension RevocationMode: ExpressibleByArgument {}

/// The environments that can be asked for by name.
enum AcceptedEnvironment: String, ExpressibleByArgument, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
    case xcode = "Xcode"
    case localTesting = "LocalTesting"
}

/// Text, to be compared byte for byte.
func parseText(_ argument: String) throws -> String {
    guard let text = RawArgument.text(of: argument) else {
        throw ValidationError("'\(argument)' is not UTF-8.")
    }
    return text
}

/// A UUID in its usual form, in either case.
func parseUUID(_ text: String) throws -> UUID {
    guard let identifier = UUID(canonicalForm: text) else {
        throw ValidationError("'\(text)' is not a UUID.")
    }
    return identifier
}

/// A date of ISO 8601: `2025-10-11`, or `2025-10-11T19:51:52Z` with or without seconds, a fraction of them, and
/// an offset in place of the `Z`.
///
/// A time without a zone would be read differently from machine to machine, and is refused; so is a day or
/// an hour that does not exist.
func parseDate(_ text: String) throws -> Date {
    let form = /(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):(\d\d)))?/
    let error = ValidationError("'\(text)' is not a date of ISO 8601, such as 2025-10-11T19:51:52Z.")
    guard let match = text.wholeMatch(of: form) else { throw error }
    func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
    let fields = match.output
    let (hours, minutes) = (number(fields.9), number(fields.10))
    let seconds = CalendarTime.seconds(
        year: number(fields.1), month: number(fields.2), day: number(fields.3), hour: number(fields.4),
        minute: number(fields.5), second: number(fields.6))
    guard let seconds, hours < 24, minutes < 60 else { throw error }
    let offset = Double(hours * 3600 + minutes * 60) * (fields.8 == "-" ? -1 : 1)
    let fraction = fields.7.flatMap { Double("0.\($0)") } ?? 0
    return Date(timeIntervalSince1970: Double(seconds) + fraction - offset)
}
