internal import WireFormats

/// Checks that a payload has the environment and the app that the caller asked for.
struct IdentityChecks {
    let payload: PayloadMembers
    let policy: VerificationPolicy
    /// Whether the signer is a certificate that the caller pinned for Xcode or local testing.
    let signerIsPinned: Bool

    /// Throws at the first identity that does not match.
    func check() throws(VerificationError) {
        let claims = identityClaims
        for claim in claims { try checkEnvironment(claim) }
        for claim in claims { try checkBundleIdentifier(claim) }
        for claim in claims { try checkAppAppleIdentifier(claim) }
    }

    /// The comparisons made in payloads of a kind, for a person: the identities that the caller asked for and
    /// the kind carries.
    static func comparisons(in kind: SignedPayloadKind, policy: VerificationPolicy) -> [String] {
        var comparisons: [String] = []
        let isNotification = kind == .notification
        if !policy.environments.isEmpty { comparisons.append("environment") }
        if !policy.bundleIdentifiers.isEmpty, isNotification || kind.hasBundleIdentifier {
            comparisons.append("bundle identifier")
        }
        if policy.appAppleIdentifier != nil, isNotification || kind.hasAppAppleIdentifier {
            comparisons.append("app Apple ID")
        }
        return comparisons
    }

    /// The environment and the app that a payload, or a part of a notification, claims.
    private struct Claim {
        let object: JSONObject
        let environment: String?
        let hasBundleIdentifier: Bool
        let hasAppAppleIdentifier: Bool
    }

    /// A notification carries these claims in its parts; other payloads carry them at the top. A notification
    /// has one part. If it had several, each would have to pass.
    private var identityClaims: [Claim] {
        guard payload.kind == .notification, !payload.parts.isEmpty else {
            let environment = payload.kind.environmentMember.flatMap {
                payload.string($0, in: payload.object)
            }
            return [
                Claim(
                    object: payload.object, environment: environment,
                    hasBundleIdentifier: payload.kind.hasBundleIdentifier,
                    hasAppAppleIdentifier: payload.kind.hasAppAppleIdentifier)
            ]
        }
        return payload.parts.map { part in
            Claim(
                object: part.object, environment: environment(of: part.object, named: part.name),
                hasBundleIdentifier: true, hasAppAppleIdentifier: true)
        }
    }

    /// An external purchase token has no environment. Apple marks sandbox tokens by the prefix of their
    /// identifier (`externalPurchaseId` in App Store Server Notifications).
    private func environment(of part: JSONObject, named name: String) -> String? {
        guard name == "externalPurchaseToken" else { return payload.string("environment", in: part) }
        guard let identifier = payload.string("externalPurchaseId", in: part) else { return nil }
        let isSandbox = identifier.utf8.starts(with: "SANDBOX".utf8)
        return (isSandbox ? VerificationPolicy.Environment.sandbox : .production).rawValue
    }

    private func checkEnvironment(_ claim: Claim) throws(VerificationError) {
        // A pinned certificate signs only for its own environments, even if the caller accepts more.
        let accepted = signerIsPinned ? policy.environments.filter(\.isSelfSigned) : policy.environments
        guard signerIsPinned || !accepted.isEmpty else { return }
        let isAccepted = claim.environment.map { found in accepted.contains { isSame($0.rawValue, found) } }
        guard isAccepted ?? false else {
            throw VerificationError(
                .environment(
                    found: claim.environment?.abbreviated(),
                    accepted: accepted.map(\.rawValue).sorted()))
        }
    }

    private func checkBundleIdentifier(_ claim: Claim) throws(VerificationError) {
        guard !policy.bundleIdentifiers.isEmpty, claim.hasBundleIdentifier else { return }
        let found = payload.string("bundleId", in: claim.object)
        let isAccepted = found.map { found in policy.bundleIdentifiers.contains { isSame($0, found) } }
        guard isAccepted ?? false else {
            throw VerificationError(
                .bundleIdentifier(found: found?.abbreviated(), accepted: policy.bundleIdentifiers.sorted()))
        }
    }

    /// Only production payloads always carry the number. In other environments it may be absent or 0, but it
    /// must not be another app's.
    private func checkAppAppleIdentifier(_ claim: Claim) throws(VerificationError) {
        guard let expected = policy.appAppleIdentifier, claim.hasAppAppleIdentifier else { return }
        let value = claim.object["appAppleId"]
        let production = VerificationPolicy.Environment.production.rawValue
        let mayBeAbsent = claim.environment.map { !isSame($0, production) } ?? false
        if value == nil || value == .null, mayBeAbsent { return }
        guard case .number(let range)? = value else {
            throw VerificationError(.appAppleIdentifier(found: value?.kind, accepted: expected))
        }
        let found = DecimalNumber(payload.json.span, in: range).integer
        if found == expected || found == 0 && mayBeAbsent { return }
        let written = String(decoding: payload.json[range].prefix(64), as: UTF8.self)
        throw VerificationError(.appAppleIdentifier(found: written, accepted: expected))
    }

    /// Compares byte for byte: Swift's == treats canonically equivalent strings as equal.
    private func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
