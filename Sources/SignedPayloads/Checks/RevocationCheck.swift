internal import Revocation

/// Check 8, revocation.
extension SignerRevocation? {
    /// Checks that no certificate was revoked, if revocation is checked.
    ///
    /// - Parameters:
    ///   - date: the effective date.
    ///   - waits: whether to wait for answers on the caller's thread.
    /// - Returns: what is known about each certificate.
    func check(_ date: EffectiveDate, waits: Bool) throws(VerificationError) -> [RevocationFinding] {
        guard let self else { return [] }
        do throws(RevocationError) {
            return try self.check(effectiveDate: date.second, waits: waits)
        } catch {
            throw VerificationError(.revocation(error))
        }
    }
}

extension VerificationError {
    /// The certificate whose answer is pending, if that is the only thing that is wrong.
    var awaitedCertificate: CertificateDescription? {
        guard case .revocation(let error) = cause, error.violation == .unknown(.pending) else { return nil }
        return error.certificate
    }
}
