/// How strictly the revocation of certificates is checked.
public enum RevocationMode: String, Hashable, Sendable, CaseIterable {
    /// No responder is asked. A revoked certificate still passes.
    case off
    /// The issuer's responder is asked. If no good answer can be had, the certificate passes.
    case soft
    /// The issuer's responder is asked. If no good answer can be had, the certificate does not pass for now.
    case hard
}
