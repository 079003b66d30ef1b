internal import CertificateChain
internal import Libcrypto

/// The result of one check.
public struct CheckResult: Hashable, Sendable {
    /// How a check can end.
    public enum Outcome: String, Hashable, Sendable {
        /// The check ran and passed.
        case passed
        /// The check ran and failed: this is the verdict.
        case failed
        /// The caller did not ask for the check, or there was nothing to check.
        case notAsked
        /// An earlier check failed, so this one did not run.
        case notReached
    }

    /// Which check it was; `VerificationCheck` has them in their order.
    public let check: VerificationCheck
    /// How the check ended.
    public let outcome: Outcome
    /// The finding of the check, for a person.
    public let reason: String

    /// The result of one check, from the trace of the verification and the failure that ended it.
    init(
        _ check: VerificationCheck, _ trace: VerificationTrace, failure: PayloadError?,
        whyNotAsked: @autoclosure () -> String?, finding: @autoclosure () -> String
    ) {
        self.check = check
        if let failure, failure.check == check {
            outcome = .failed
            reason = (failure.member.map { "\($0): " } ?? "") + failure.message
        } else if !trace.passed.contains(check) || failure.map({ $0.check < check }) ?? false {
            outcome = .notReached
            reason = "not reached"
        } else if let whyNot = whyNotAsked() {
            outcome = .notAsked
            reason = whyNot
        } else {
            outcome = .passed
            reason = finding()
        }
    }

    /// The reason why revocation is not checked; `nil` if it is checked.
    static func whyNoRevocation(_ checker: RevocationChecker?, signerIsPinned: Bool?) -> String? {
        if checker?.mode ?? .off == .off { return "off: no revocation service was asked" }
        return signerIsPinned ?? false ? "no responder to ask: the certificate is pinned" : nil
    }

    /// The revocation status of the certificates, for a person.
    static func revocation(_ findings: [RevocationFinding]?) -> String {
        findings.map { $0.map(\.description).joined(separator: "; ") } ?? "nothing stands in the way"
    }
}

/// The checks that a payload has passed, noted during its verification.
final class VerificationTrace {
    private(set) var passed: Set<VerificationCheck> = []

    /// Notes a check that was passed, or was not asked for.
    func pass(_ check: VerificationCheck) { passed.insert(check) }
}

extension SignedPayloadVerifier {
    /// The results of all checks of a token, in their order.
    func results(
        _ trace: VerificationTrace, _ verdict: Result<VerifiedPayload, PayloadError>, tokenBytes: Int
    ) -> [CheckResult] {
        VerificationCheck.allCases.map { check in
            CheckResult(
                check, trace, failure: verdict.failure, whyNotAsked: whyNotAsked(check, verdict),
                finding: finding(of: check, payload: try? verdict.get(), tokenBytes: tokenBytes))
        }
    }

    private func whyNotAsked(
        _ check: VerificationCheck, _ verdict: Result<VerifiedPayload, PayloadError>
    ) -> String? {
        switch check {
        case .revocation:
            let isPinned = (try? verdict.get()).map { $0.certificates.count == 1 }
            return CheckResult.whyNoRevocation(revocation, signerIsPinned: isPinned)
        case .identity:
            guard !policy.acceptsAnyIdentity else { return "not asked for" }
            guard case .success(let payload) = verdict else { return nil }
            return judge.comparisons(in: payload.kind).isEmpty
                ? "nothing to compare: this kind of payload names no app" : nil
        case .deviceVerification: return policy.deviceIdentifier == nil ? "not asked for" : nil
        case .nestedPayloads:
            guard case .success(let payload) = verdict else { return nil }
            return payload.nested.isEmpty ? "no signed payload inside" : nil
        default: return nil
        }
    }

    /// The finding of a check that passed. Less is known if a later check failed.
    private func finding(of check: VerificationCheck, payload: VerifiedPayload?, tokenBytes: Int) -> String {
        switch check {
        case .size: return "\(tokenBytes) bytes, and the limit is \(policy.maximumTokenBytes)"
        case .encoding: return "three segments, a strict header, ES256"
        case .certificateChain:
            return payload?.certificates.last.map { "trusted by \"\($0.subject)\"" }
                ?? "leads to a trust anchor"
        case .signature: return "matches the header and payload"
        case .payload: return "one JSON object"
        case .effectiveDate:
            let source =
                policy.effectiveDate == nil ? payload?.kind.dateMember ?? "the payload's" : "as asked for"
            return payload.map { "\($0.effectiveDateISO8601) (\(source))" } ?? "a date of the years 1 to 9999"
        case .validity: return "every certificate was valid at the effective date"
        case .identity:
            return payload.map { "\(judge.comparisons(in: $0.kind).joined(separator: ", ")) as asked for" }
                ?? "as asked for"
        case .deviceVerification: return "made for the device asked for"
        case .nestedPayloads:
            return payload.map { $0.nested.map(\.member).joined(separator: ", ") + " verified" } ?? "verified"
        case .revocation: return CheckResult.revocation(payload?.revocation)
        }
    }
}

extension VerifiedPayload {
    /// The effective date in the form of ISO 8601, with milliseconds.
    public var effectiveDateISO8601: String { date.iso8601 }
}

extension Result {
    /// The failure, if the result is one.
    var failure: Failure? {
        switch self {
        case .success: nil
        case .failure(let error): error
        }
    }
}
