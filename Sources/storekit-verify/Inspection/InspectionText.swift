import SignedPayloads

/// An inspection laid out for a person.
struct InspectionText {
    private static let labelWidth = 28

    let style: TerminalStyle

    /// The whole text, ending in a line break.
    func text(for inspection: Inspection) -> String {
        lines(for: inspection).joined(separator: "\n") + "\n"
    }

    private func lines(for inspection: Inspection) -> [String] {
        var lines = verdict(of: inspection)
        lines += section("Header", header(of: inspection))
        lines += section("Certificates, as presented", inspection.certificates.flatMap(certificate))
        lines += section("Dates", inspection.dates.map(date))
        lines += section("Checks", inspection.checks.map(check))
        let isVerified = (try? inspection.verdict.get()) != nil
        let label = isVerified ? "Payload" : "Payload — UNVERIFIED, do not rely on it"
        lines += section(label, inspection.payload.map(document) ?? [], isWarning: !isVerified)
        for nested in inspection.nested {
            lines += ["", style.bold("Inside: \(nested.member)")]
            lines += self.lines(for: nested.inspection).map { $0.isEmpty ? "" : "  " + $0 }
        }
        return lines
    }

    func section(_ title: String, _ content: [String], isWarning: Bool = false) -> [String] {
        guard !content.isEmpty else { return [] }
        return ["", isWarning ? style.bad(title) : style.bold(title)] + content.map { "  " + $0 }
    }

    func row(_ label: String, _ value: String) -> String {
        label + String(repeating: " ", count: max(1, Self.labelWidth - label.count)) + value
    }

    private func verdict(of inspection: Inspection) -> [String] {
        verdict(inspection.verdict, kind: inspection.kind?.rawValue ?? "unreadable")
    }

    func verdict<Value>(_ verdict: Result<Value, VerificationError>, kind: String) -> [String] {
        switch verdict {
        case .success:
            return [row(style.good("✓ verified"), kind)]
        case .failure(let error):
            return [
                row(style.bad("✗ NOT VERIFIED"), kind),
                "  \(visible(error.description))",
            ]
        }
    }

    private func header(of inspection: Inspection) -> [String] {
        var lines: [String] = []
        for member in HeaderMembers.all(in: inspection.header ?? []) {
            lines.append(row(visible(member.name), visible(member.value)))
        }
        lines.append(row("token", "\(inspection.tokenBytes) bytes"))
        if let signature = inspection.signature { lines.append(row("signature", "\(signature.count) bytes")) }
        return lines
    }

    func certificate(_ presented: Inspection.PresentedCertificate) -> [String] {
        let name = presented.position.rawValue
        switch presented.description {
        case .failure(let error): return [row(name, style.bad("✗ \(visible(error.description))"))]
        case .success(let certificate):
            return [
                row(name, visible(certificate.subject)),
                row("  issued by", visible(certificate.issuer)),
                row("  serial", certificate.serialNumber),
                row("  valid from", certificate.notBeforeISO8601),
                row("  valid to", certificate.notAfterISO8601),
                row("  key", visible(certificate.publicKey)),
                row("  signed with", visible(certificate.signatureAlgorithm)),
                row("  SHA-256", certificate.sha256Fingerprint),
            ]
        }
    }

    func date(_ date: DateMember) -> String {
        let text = date.iso8601 ?? "outside the years 1 to 9999"
        return row(visible(date.path), text + style.faint("  \(date.written)"))
    }

    func check(_ result: CheckResult) -> String {
        let title = result.check.title
        let line =
            title + String(repeating: " ", count: max(1, Self.labelWidth - 2 - title.count))
            + visible(result.reason)
        switch result.outcome {
        case .passed: return style.good("✓") + " " + line
        case .failed: return style.bad("✗ " + line)
        case .notAsked, .notReached: return style.faint("– " + line)
        }
    }

    func document(_ payload: [UInt8]) -> [String] {
        guard let text = PrettyJSON.text(payload) else {
            return [
                "\(payload.count) bytes that are not JSON: "
                    + visible(String(decoding: payload.prefix(256), as: UTF8.self))
            ]
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

extension VerificationCheck {
    /// The check's name for a person.
    var title: String {
        switch self {
        case .size: "size"
        case .encoding: "encoding"
        case .certificateChain: "certificate chain"
        case .signature: "signature"
        case .payload: "payload"
        case .effectiveDate: "effective date"
        case .validity: "certificate validity"
        case .revocation: "revocation"
        case .identity: "identity"
        case .deviceVerification: "device"
        case .nestedPayloads: "payloads inside"
        }
    }
}
