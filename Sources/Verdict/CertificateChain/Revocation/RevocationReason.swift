/// The reason that an issuer gives for a revocation (RFC 5280, section 5.3.1).
public enum RevocationReason: String, Hashable, Sendable, CaseIterable {
    /// The issuer gives no particular reason.
    case unspecified
    /// Another person may have the certificate's private key.
    case keyCompromise
    /// Another person may have the private key of the authority to which the certificate belongs.
    case cACompromise
    /// The subject's name has changed.
    case affiliationChanged
    /// A newer certificate has taken its place.
    case superseded
    /// The certificate is no longer needed.
    case cessationOfOperation
    /// The certificate is suspended.
    case certificateHold
    /// The certificate was suspended, and no longer is.
    case removeFromCRL
    /// The issuer has withdrawn a right that the certificate grants.
    case privilegeWithdrawn
    /// Another person may have the private key of the attribute authority to which the certificate belongs.
    case aACompromise

    /// The reason with this number; `nil` if RFC 5280 has no reason with it.
    init?(number: Int) {
        switch number {
        case 0: self = .unspecified
        case 1: self = .keyCompromise
        case 2: self = .cACompromise
        case 3: self = .affiliationChanged
        case 4: self = .superseded
        case 5: self = .cessationOfOperation
        case 6: self = .certificateHold
        case 8: self = .removeFromCRL
        case 9: self = .privilegeWithdrawn
        case 10: self = .aACompromise
        default: return nil
        }
    }

    /// Whether another person may sign with the key. Such a signer can choose any date.
    public var isCompromise: Bool {
        switch self {
        case .keyCompromise, .cACompromise, .aACompromise: true
        case .unspecified, .affiliationChanged, .superseded, .cessationOfOperation, .certificateHold,
            .removeFromCRL, .privilegeWithdrawn:
            false
        }
    }
}
