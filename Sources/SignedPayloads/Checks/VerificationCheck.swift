/// The checks, in the order in which they run; the first to fail is the verdict.
public enum VerificationCheck: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// The token is within the size limit.
    case size = 1
    /// Three segments of strict base64url, a strict header, ES256, a chain.
    case encoding
    /// The chain leads to an anchor and breaks no rule, apart from time.
    case certificateChain
    /// The signature is the leaf's over header and payload.
    case signature
    /// The payload is one JSON object, with no member twice that a check reads.
    case payload
    /// The payload has a usable date, or the caller fixed one.
    case effectiveDate
    /// Leaf, intermediate and anchor were valid at that date.
    case validity
    /// No certificate was revoked, where a `RevocationChecker` asks.
    case revocation
    /// Environment, bundle identifier and app Apple ID are the caller's.
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
