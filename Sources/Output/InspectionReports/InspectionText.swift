internal import SignedPayloads
internal import WireFormats

/// An inspection laid out for people: first its meaning, then the checks, then the details.
///
/// The first screen of a terminal, 24 lines of 80 columns, answers the main questions: whether the payload is
/// verified, what it is about, and when it was signed.
struct InspectionText {
    /// The width of the labels in the verdict, the summary and the details.
    static let labelWidth = 14
    /// The width of the checks' names.
    private static let checkWidth = 24

    /// How the text is coloured.
    let style: TerminalStyle

    /// The whole text, with a line break at the end.
    func text(for inspection: Inspection) -> String {
        let isVerified = (try? inspection.verdict.get()) != nil
        var lines = verdict(inspection.verdict, kind: inspection.kind?.name ?? "unreadable")
        lines += summary(PayloadSummary(inspection), isVerified: isVerified)
        lines += section("Checks", inspection.checks.flatMap(check))
        lines += section("Header", header(of: inspection))
        var shown = ShownCertificates()
        lines += section("Certificates, as presented", certificates(inspection.certificates, &shown))
        lines += section("Dates", dates(inspection.dates))
        lines += payload(of: inspection, inside: "")
        lines += nested(inspection, inside: "", &shown)
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Verdict and summary

    /// The verdict, and for a failure what to do and the exact reason.
    func verdict<Value>(_ verdict: Result<Value, PayloadError>, kind: String) -> [String] {
        switch verdict {
        case .success:
            return [heading(style.good, "✓ verified", kind)]
        case .failure(let error):
            return [heading(style.bad, "✗ NOT VERIFIED", kind)]
                + [error.advice, visible(error.description)].flatMap { sentence in
                    TextLayout.wrap(sentence, width: TextLayout.columns - 2).map { "  " + $0 }
                }
        }
    }

    /// The summary of the payload, with a warning above it unless it is verified.
    func summary(_ summary: PayloadSummary, isVerified: Bool) -> [String] {
        let title =
            summary.isReadable
            ? "Claims — UNVERIFIED, do not rely on them" : "Input — UNVERIFIED, do not rely on it"
        // A label stands once beside its values.
        let lines = summary.rows.indices.flatMap { index in
            let label = summary.rows[index].label
            return row(
                index > 0 && label == summary.rows[index - 1].label ? "" : label, summary.rows[index].value)
        }
        return section(isVerified ? nil : title, lines, isWarning: !isVerified)
    }

    private func heading(_ color: (String) -> String, _ word: String, _ kind: String) -> String {
        color(word) + TextLayout.spaces(max(2, Self.labelWidth + 2 - word.count)) + kind
    }

    // MARK: - Parts

    /// A section with indented lines; empty if it has no content.
    func section(_ title: String?, _ content: [String], isWarning: Bool = false) -> [String] {
        guard !content.isEmpty else { return [] }
        let title = title.map { [isWarning ? style.bad($0) : style.bold($0)] } ?? []
        return [""] + title + content.map { "  " + $0 }
    }

    /// The lines of a label with its value. The caller indents them by two.
    func row(_ label: String, _ value: String, labelWidth: Int = labelWidth) -> [String] {
        TextLayout.row(label, value, labelWidth: labelWidth, indent: 2).map { String($0.dropFirst(2)) }
    }

    /// The lines of one check, beginning with its sign.
    func check(_ result: CheckResult) -> [String] {
        let (sign, color): (String, (String) -> String) =
            switch result.outcome {
            case .passed: ("✓ ", { $0 })
            case .failed: ("✗ ", style.bad)
            case .notAsked, .notReached: ("– ", style.faint)
            }
        let lines = row(sign + result.check.title, visible(result.reason), labelWidth: Self.checkWidth)
        guard result.outcome == .passed, let first = lines.first else { return lines.map(color) }
        return [style.good("✓") + first.dropFirst()] + lines.dropFirst()
    }

    /// Dates beside the numbers that stand for them. A single date is left out, because the summary has it.
    func dates(_ dates: [DateMember]) -> [String] {
        guard dates.count > 1 else { return [] }
        let width = min(32, (dates.map(\.path.count).max() ?? 0) + 2)
        return dates.flatMap { date in
            row(
                ShownText.text(date.path),
                (date.iso8601 ?? "outside the years 1 to 9999") + "  " + ShownText.text(date.written),
                labelWidth: width)
        }
    }

    // MARK: - Payload

    private func payload(
        of inspection: Inspection, inside path: String, title: String = "Payload"
    ) -> [String] {
        let isVerified = (try? inspection.verdict.get()) != nil
        let content = inspection.payload.map { document($0, inspection.dates, inspection.nested, path) } ?? []
        return section(
            isVerified ? title : "\(title) — UNVERIFIED, do not rely on it", content,
            isWarning: !isVerified)
    }

    /// The payloads inside, each with its verdict and its differences from the payload around it.
    private func nested(
        _ inspection: Inspection, inside path: String, _ shown: inout ShownCertificates
    ) -> [String] {
        var lines: [String] = []
        for nested in inspection.nested {
            let (inner, path) = (nested.inspection, path + nested.member)
            let isVerified = (try? inner.verdict.get()) != nil
            lines += ["", style.bold("Inside: \(path)")]
            lines += verdict(inner.verdict, kind: inner.kind?.name ?? "unreadable").map { "  " + $0 }
            if !isVerified { lines += section("Checks of \(path)", inner.checks.flatMap(check)) }
            if isVerified, areShown(inner.certificates, shown) {
                lines[lines.count - 1] += ", with the same certificates as above"
                // Without other sections before it, the payload needs no title.
                lines += payload(of: inner, inside: path + ".").dropFirst(2)
            } else {
                lines += section("Header of \(path)", header(of: inner))
                lines += section(
                    "Certificates of \(path), as presented", certificates(inner.certificates, &shown))
                lines += payload(of: inner, inside: path + ".", title: "Payload of \(path)")
            }
            lines += self.nested(inner, inside: path + ".", &shown)
        }
        return lines
    }

    /// The lines of a payload. JSON is laid out with the meaning of its numbers beside them; other bytes are
    /// shown as text.
    func document(
        _ payload: [UInt8], _ dates: [DateMember], _ nested: [Inspection.Nested] = [], _ path: String = ""
    ) -> [String] {
        let notes = PayloadNotes(payload, dates, nested.map(\.member), inside: path)
        let number = notes.note(onNumber:written:)
        let layout = PrettyJSON.Notes(number: number, string: notes.replacement(ofStringAt:byteCount:))
        if let lines = PrettyJSON.lines(payload, notes: layout, style: style) { return lines }
        let text = visible(String(decoding: payload.prefix(256), as: UTF8.self))
        return TextLayout.wrap("\(TextLayout.bytes(payload.count)), not JSON: " + text, width: 78)
    }
}

extension SignedPayloadKind {
    /// The kind's name for people.
    var name: String {
        switch self {
        case .transaction: "transaction"
        case .renewalInfo: "renewal info"
        case .appTransaction: "app transaction"
        case .notification: "notification"
        case .realtimeRequest: "realtime request"
        case .receipt: "receipt"
        case .unknown: "unknown kind"
        }
    }
}

extension VerificationCheck {
    /// The check's name for people.
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
