/// The checks, in the order in which they run; the first to fail is the verdict.
public enum VerificationCheck: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// The token is within the size limit.
    case size = 1
    /// The token has three segments of strict base64url, a strict header, ES256 and a chain.
    case encoding
    /// The chain leads to an anchor and breaks no rule. Time is checked later.
    case certificateChain
    /// The signature over header and payload was made with the leaf's key.
    case signature
    /// The payload is one JSON object. No member that a check reads occurs twice.
    case payload
    /// The payload has a usable date, or the caller fixed one.
    case effectiveDate
    /// Leaf, intermediate and anchor were valid at the effective date.
    case validity
    /// No certificate was revoked, if a `RevocationChecker` is given.
    case revocation
    /// Environment, bundle identifier and app Apple ID are those that the caller asked for.
    case identity
    /// The payload was made for the caller's device.
    case deviceVerification
    /// The signed payloads inside a notification pass as well.
    case nestedPayloads

    /// Whether one check runs before the other.
    public static func < (left: VerificationCheck, right: VerificationCheck) -> Bool {
        left.rawValue < right.rawValue
    }
}
