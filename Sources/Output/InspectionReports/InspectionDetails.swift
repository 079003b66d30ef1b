internal import CertificateChain
internal import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

/// The certificates that a text has already shown, by their SHA-256.
struct ShownCertificates {
    fileprivate var fingerprints: Set<String> = []
}

extension InspectionText {
    /// The header's members, and the token's length.
    func header(of inspection: Inspection) -> [String] {
        let members = HeaderMembers.all(in: inspection.header ?? [])
        let signature = inspection.signature.map { ", signature " + TextLayout.bytes($0.count) } ?? ""
        return members.flatMap { row(visible($0.name), visible($0.value)) }
            + row("token", TextLayout.bytes(inspection.tokenBytes) + signature)
    }

    /// Whether all of the certificates were shown before. False without certificates.
    func areShown(_ presented: [Inspection.PresentedCertificate], _ shown: ShownCertificates) -> Bool {
        !presented.isEmpty
            && presented.allSatisfy { $0.fingerprint.map(shown.fingerprints.contains) ?? false }
    }

    /// Each certificate that was not shown before.
    func certificates(
        _ presented: [Inspection.PresentedCertificate], _ shown: inout ShownCertificates
    ) -> [String] {
        let known = shown.fingerprints
        let isKnown = presented.map { $0.fingerprint.map(known.contains) ?? false }
        shown.fingerprints.formUnion(presented.compactMap(\.fingerprint))
        return presented.indices.flatMap { index in
            isKnown[index]
                ? row(presented[index].position.rawValue, "the same as above")
                : certificate(presented[index], issuers: presented)
        }
    }

    private func certificate(
        _ presented: Inspection.PresentedCertificate, issuers: [Inspection.PresentedCertificate]
    ) -> [String] {
        let name = presented.position.rawValue
        switch presented.description {
        case .failure(let error):
            return row(name, "✗ \(visible(error.message))").map(style.bad)
        case .success(let certificate):
            let issuer = issuer(of: certificate, presented.position, among: issuers)
            return row(name, visible(certificate.subject))
                + row("  issued by", "\(issuer), with \(visible(certificate.signatureAlgorithm))")
                + row("  valid from", "\(certificate.notBeforeISO8601) to \(certificate.notAfterISO8601)")
                + row("  key", "\(visible(certificate.publicKey)), serial \(certificate.serialNumber)")
                + row("  SHA-256", certificate.sha256Fingerprint)
        }
    }

    /// The issuer's name, or only its position if it is one of the certificates presented.
    ///
    /// Only names are compared here. The checks say whether the signatures are valid.
    private func issuer(
        of certificate: CertificateDescription, _ position: CertificatePosition,
        among presented: [Inspection.PresentedCertificate]
    ) -> String {
        if certificate.issuer == certificate.subject { return "itself" }
        let issuer = presented.first { other in
            (try? other.description.get())?.subject == certificate.issuer && other.position != position
        }
        return issuer.map { "the \($0.position.rawValue)" } ?? visible(certificate.issuer)
    }
}

extension Inspection.PresentedCertificate {
    /// The certificate's SHA-256; `nil` if it cannot be read.
    fileprivate var fingerprint: String? { (try? description.get())?.sha256Fingerprint }
}

/// The notes beside the numbers of a payload, and the texts in place of the tokens inside it.
final class PayloadNotes {
    /// Members with values in thousandths of a currency's unit.
    private static let amounts: Set = [
        "price", "renewalPrice", "commitmentPrice", "commitmentRenewalPrice", "estimatedTax",
        "taxExclusivePrice", "refundAmount",
    ]

    private let currency: String?
    private let nested: [String]
    private let outerPath: String
    /// The dates that are not yet beside their numbers, in the payload's order.
    private var dates: ArraySlice<DateMember>

    /// - Parameters:
    ///   - dates: the payload's dates.
    ///   - nested: the paths of the tokens inside the payload.
    ///   - outerPath: the path of the payload itself, with a dot at the end; empty for the outermost one.
    init(_ payload: [UInt8], _ dates: [DateMember], _ nested: [String], inside outerPath: String) {
        currency = (try? PayloadFields(payload, names: MemberNames(["currency"])))?.string("currency")
        self.nested = nested
        self.outerPath = outerPath
        self.dates = dates[...]
    }

    /// The meaning of a number by its member's name: a date, an amount of money, a percentage; `nil` for other members.
    func note(onNumber member: String, written: String) -> String? {
        // Takes the next date with this number. Dates before it may remain: long numbers are cut and get no
        // note.
        if member.hasSuffix("Date"), let index = dates.firstIndex(where: { $0.written == written.prefix(64) })
        {
            defer { dates = dates[(index + 1)...] }
            return dates[index].iso8601 ?? "outside the years 1 to 9999"
        }
        if Self.amounts.contains(member) { return TextLayout.thousandths(written, currency) }
        if member == "revocationPercentage" { return TextLayout.thousandths(written, "%") }
        return nil
    }

    /// The text in place of a token inside the payload: its length, and where it is laid out.
    func replacement(ofStringAt path: [String], byteCount: Int) -> String? {
        // Compares name by name, because a member's name may contain a dot.
        guard let member = nested.first(where: { $0.split(separator: ".").elementsEqual(path) { $0 == $1 } })
        else { return nil }
        return "(\(TextLayout.bytes(byteCount)), laid out below as \(outerPath)\(member))"
    }
}
