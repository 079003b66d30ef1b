/// Judges the revocation of a signer's certificates.
package final class SignerRevocation: Sendable {
    private let links: [(issuance: JudgedIssuance, status: CertificateStatus)]
    private let checker: RevocationChecker

    init(_ links: [(JudgedIssuance, CertificateStatus)], _ checker: RevocationChecker) {
        self.links = links
        self.checker = checker
    }

    /// Whether payloads of all dates pass at a second, by the answers that are known.
    ///
    /// If not, this starts the requests that are due, and does not wait for them.
    package func passes(at now: Int64) -> Bool {
        if links.allSatisfy({ $0.status.passes(at: now) }) { return true }
        for link in links { _ = link.status.consult(at: now) }
        return links.allSatisfy { $0.status.passes(at: now) }
    }

    /// The present status of each certificate. Starts no request and does not wait.
    package var findings: [RevocationFinding] {
        let now = checker.now
        return links.map { finding($0.issuance, $0.status.status(at: now)) }
    }

    /// Judges each certificate, the leaf first.
    ///
    /// A certificate that was revoked at the effective date or before does not pass. A certificate that was
    /// revoked later passes, because the payload was signed before. A compromised key never passes: its
    /// holder can choose the date.
    ///
    /// - Parameters:
    ///   - effectiveDate: when the certificates must have been valid, in seconds since 1970.
    ///   - waits: whether to wait for answers. If not, a missing answer throws `RevocationUnknown.pending` in
    ///     any mode.
    package func check(
        effectiveDate: Int64, waits: Bool
    ) throws(RevocationError) -> [RevocationFinding] {
        let now = checker.now
        // All requests start before the first wait.
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
        // A revoked certificate is reported before a certificate with an unknown status.
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
