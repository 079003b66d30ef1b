/// What to do about certificates that may have been revoked.
public enum RevocationMode: String, Hashable, Sendable, CaseIterable {
    /// Nobody is asked. A certificate that was revoked still passes.
    case off
    /// The issuer's service is asked. Where it gives no good answer, the certificate passes.
    case soft
    /// The issuer's service is asked. Where it gives no good answer, the certificate does not pass for now.
    case hard
}
