package import SignedPayloads
internal import WireFormats

/// An inspection as one JSON object.
package enum InspectionJSON {
    /// The object on one line. It has a member `payload` only if the payload is verified.
    package static func text(for inspection: Inspection) -> String {
        String(decoding: object(for: inspection), as: UTF8.self)
    }

    private static func object(for inspection: Inspection) -> [UInt8] {
        var members: [(String, [UInt8])] = verdict(of: inspection)
        members.append(("tokenBytes", raw("\(inspection.tokenBytes)")))
        if let header = inspection.header { members.append(("header", document(header))) }
        members += findings(inspection.certificates, inspection.dates, inspection.checks)
        if let payload = inspection.payload {
            let isVerified = (try? inspection.verdict.get()) != nil
            members.append((isVerified ? "payload" : "unverifiedPayload", document(payload)))
        }
        let inside = inspection.nested.map {
            object([("at", string($0.member)), ("inspection", object(for: $0.inspection))])
        }
        members.append(("inside", array(inside)))
        return object(members)
    }

    private static func verdict(of inspection: Inspection) -> [(String, [UInt8])] {
        verdict(inspection.verdict.map(\.effectiveDateISO8601), kind: inspection.kind)
    }

    /// The members that give the verdict. A success is given by its effective date.
    static func verdict(
        _ verdict: Result<String, PayloadError>, kind: SignedPayloadKind?
    ) -> [(String, [UInt8])] {
        let type = ("type", kind.map { string($0.rawValue) } ?? raw("null"))
        switch verdict {
        case .success(let effectiveDate):
            return [("verified", raw("true")), type, ("effectiveDate", string(effectiveDate))]
        case .failure(let error):
            return [("verified", raw("false")), type] + error.jsonMembers.map { ($0.name, $0.value) }
        }
    }

    /// The members that list certificates, dates and checks.
    static func findings(
        _ certificates: [Inspection.PresentedCertificate], _ dates: [DateMember], _ checks: [CheckResult]
    ) -> [(String, [UInt8])] {
        [
            ("certificates", array(certificates.map(certificate))), ("dates", array(dates.map(date))),
            ("checks", array(checks.map(check))),
        ]
    }

    private static func certificate(_ presented: Inspection.PresentedCertificate) -> [UInt8] {
        var members = [("position", string(presented.position.rawValue))]
        switch presented.description {
        case .failure(let error): members.append(("error", string(error.message)))
        case .success(let certificate):
            members += [
                ("subject", string(certificate.subject)), ("issuer", string(certificate.issuer)),
                ("serialNumber", string(certificate.serialNumber)),
                ("notBefore", string(certificate.notBeforeISO8601)),
                ("notAfter", string(certificate.notAfterISO8601)),
                ("publicKey", string(certificate.publicKey)),
                ("signatureAlgorithm", string(certificate.signatureAlgorithm)),
                ("sha256", string(certificate.sha256Fingerprint)),
            ]
        }
        return object(members)
    }

    private static func date(_ date: DateMember) -> [UInt8] {
        object([
            ("member", string(date.path)), ("written", string(date.written)),
            ("iso8601", date.iso8601.map(string) ?? raw("null")),
        ])
    }

    private static func check(_ result: CheckResult) -> [UInt8] {
        object([
            ("check", string("\(result.check)")), ("outcome", string(result.outcome.rawValue)),
            ("reason", string(result.reason)),
        ])
    }

    /// A document as it was written if it is strict JSON. Otherwise its text in a string.
    private static func document(_ bytes: [UInt8]) -> [UInt8] {
        guard isJSON(bytes) else { return string(String(decoding: bytes, as: UTF8.self)) }
        var output: [UInt8] = []
        appendJSON(onOneLine: bytes.span, to: &output)
        return output
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        var reader = JSONReader(0..<bytes.count)
        do throws(JSONError) {
            while try reader.next(in: bytes.span) != nil {}
            return true
        } catch {
            return false
        }
    }

    static func object(_ members: [(String, [UInt8])]) -> [UInt8] {
        let members = members.map { string($0.0) + [UInt8(ascii: ":")] + $0.1 }
        return raw("{") + Array(members.joined(separator: raw(","))) + raw("}")
    }

    private static func array(_ elements: [[UInt8]]) -> [UInt8] {
        raw("[") + Array(elements.joined(separator: raw(","))) + raw("]")
    }

    static func string(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        appendJSON(message: text, to: &output)
        return output
    }

    static func raw(_ text: String) -> [UInt8] { Array(text.utf8) }
}
