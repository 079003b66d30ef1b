/// Why a certificate was revoked, as its issuer says (RFC 5280, section 5.3.1).
public enum RevocationReason: String, Hashable, Sendable, CaseIterable {
    /// No reason in particular.
    case unspecified
    /// Somebody else may have the certificate's private key.
    case keyCompromise
    /// Somebody else may have the private key of the authority that the certificate is for.
    case cACompromise
    /// The subject's name has changed.
    case affiliationChanged
    /// There is a newer certificate.
    case superseded
    /// The certificate is no longer needed.
    case cessationOfOperation
    /// It is suspended.
    case certificateHold
    /// It was suspended, and no longer is.
    case removeFromCRL
    /// The subject may no longer do what the certificate allows.
    case privilegeWithdrawn
    /// Somebody else may have the private key of the attribute authority that the certificate is for.
    case aACompromise

    /// The reason of the number; `nil` where it stands for none.
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

    /// Whether somebody else may be signing, and then with whatever date he likes.
    public var isCompromise: Bool {
        switch self {
        case .keyCompromise, .cACompromise, .aACompromise: true
        case .unspecified, .affiliationChanged, .superseded, .cessationOfOperation, .certificateHold,
            .removeFromCRL, .privilegeWithdrawn:
            false
        }
    }
}
