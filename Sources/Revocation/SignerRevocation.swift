internal import CertificateChain

/// What is known about the revocation of a signer's certificates.
package final class SignerRevocation: Sendable {
    private let links: [(issuance: JudgedIssuance, status: CertificateStatus)]
    private let checker: RevocationChecker

    init(_ links: [(JudgedIssuance, CertificateStatus)], _ checker: RevocationChecker) {
        self.links = links
        self.checker = checker
    }

    /// Whether payloads of all dates pass at a second, without another look.
    ///
    /// Where they don't, whatever request is due is made, for the next time. Nothing is waited for.
    package func passes(at now: Int64) -> Bool {
        if links.allSatisfy({ $0.status.passes(at: now) }) { return true }
        for link in links { _ = link.status.consult(at: now) }
        return links.allSatisfy { $0.status.passes(at: now) }
    }

    /// What is known now, without asking or waiting.
    package var findings: [RevocationFinding] {
        let now = checker.now
        return links.map { finding($0.issuance, $0.status.status(at: now)) }
    }

    /// Judges each certificate, the leaf first.
    ///
    /// One that was revoked at the effective date, or before, does not pass. One that was revoked later does, for what
    /// it signed before, unless somebody else may have its key: the effective date is the signer's own word.
    ///
    /// - Parameters:
    ///   - effectiveDate: when the certificates must have been valid, in seconds since 1970.
    ///   - waits: whether to wait for answers; where not, `RevocationUnknown.pending` says that one is awaited, in any
    ///     mode.
    package func check(
        effectiveDate: Int64, waits: Bool
    ) throws(RevocationError) -> [RevocationFinding] {
        let now = checker.now
        // All are asked at once, before the first is waited for.
        let advice = links.map { $0.status.consult(at: now) }
        var findings: [RevocationFinding] = []
        for (link, advice) in zip(links, advice) {
            let status = try status(of: link, advice, waits: waits)
            if case .revoked(let date, let reason, _) = status,
                date <= effectiveDate || reason?.isCompromise ?? false
            {
                throw error(
                    link.issuance, .revoked(at: date, reason: reason, effectiveDate: effectiveDate))
            }
            findings.append(finding(link.issuance, status))
        }
        // A certificate that was revoked says more than one that nothing is known about.
        if checker.mode == .hard {
            for finding in findings {
                guard case .unknown(let why) = finding.status else { continue }
                throw RevocationError(
                    position: finding.position, certificate: finding.certificate, violation: .unknown(why))
            }
        }
        return findings
    }

    private func status(
        of link: (issuance: JudgedIssuance, status: CertificateStatus), _ advice: StatusMemory.Advice,
        waits: Bool
    ) throws(RevocationError) -> RevocationStatus {
        switch advice {
        case .known(let status): return status
        case .wait:
            guard waits else { throw error(link.issuance, .unknown(.pending)) }
            link.status.waitForAnswer()
            return link.status.status(at: checker.now)
        }
    }

    private func finding(_ issuance: JudgedIssuance, _ status: RevocationStatus) -> RevocationFinding {
        RevocationFinding(position: issuance.position, certificate: issuance.certificate, status: status)
    }

    private func error(_ issuance: JudgedIssuance, _ violation: RevocationError.Violation) -> RevocationError
    {
        RevocationError(position: issuance.position, certificate: issuance.certificate, violation: violation)
    }
}
