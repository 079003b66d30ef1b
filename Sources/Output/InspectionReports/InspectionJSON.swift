internal import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

/// An inspection as one JSON object.
enum InspectionJSON {
    /// It has a member `payload` only if the payload is verified.
    ///
    /// - Parameter notes: how the payload was taken out of the pasted text.
    static func object(for inspection: Inspection, _ notes: [String] = []) -> ObjectText {
        var object = verdict(inspection.verdict.map(\.effectiveDateISO8601), kind: inspection.kind)
        addSummary(PayloadSummary(inspection), notes, to: &object)
        object.add("tokenBytes", inspection.tokenBytes)
        object.add("header", json: inspection.header.map(document))
        object.add("signature", inspection.signature.map { Base64.text($0, alphabet: .url) })
        addFindings(inspection.certificates, inspection.dates, inspection.checks, to: &object)
        if let payload = inspection.payload {
            let isVerified = (try? inspection.verdict.get()) != nil
            object.add(isVerified ? "payload" : "unverifiedPayload", json: document(payload))
            object.add("words", all: words(payload))
        }
        object.add(
            "inside",
            all: inspection.nested.map { nested in
                var inner = ObjectText()
                inner.add("at", message: nested.member)
                inner.add("inspection", self.object(for: nested.inspection))
                return inner
            })
        return object
    }

    /// The members that give the verdict. A success is given by its effective date.
    static func verdict(_ verdict: Result<String, PayloadError>, kind: SignedPayloadKind?) -> ObjectText {
        var object = ObjectText()
        object.add("verified", (try? verdict.get()) != nil)
        object.add("type", json: kind.map { Array("\"\($0.rawValue)\"".utf8) } ?? null)
        object.add("kind", kind?.name ?? "unreadable")
        switch verdict {
        case .success(let effectiveDate): object.add("effectiveDate", effectiveDate)
        case .failure(let error):
            for (name, value) in error.jsonMembers { object.add(name, json: value) }
            object.add("advice", error.advice)
        }
        return object
    }

    /// Adds the lines that the text begins with, and the identifiers that a program needs to go on.
    static func addSummary(
        _ summary: PayloadSummary, _ notes: [String], to object: inout ObjectText
    ) {
        object.add("notes", notes)
        object.add("summary", all: summary.rows.map(row))
        object.add("customers", summary.customers.map(\.description))
        object.add("environment", message: summary.environment)
    }

    private static func row(_ row: PayloadSummary.Row) -> ObjectText {
        var object = ObjectText()
        object.add("label", row.label)
        object.add("value", message: row.value)
        object.add("identifier", message: row.identifier)
        object.add(
            "amounts",
            row.amounts.map { amount in
                var object = ObjectText()
                object.add("text", message: amount.text)
                object.add("number", amount.number)
                object.add("currency", message: amount.currency)
                return object
            })
        return object
    }

    /// Adds the lists of certificates, dates and checks.
    static func addFindings(
        _ certificates: [Inspection.PresentedCertificate], _ dates: [DateMember], _ checks: [CheckResult],
        to object: inout ObjectText
    ) {
        object.add("certificates", all: certificates.map(certificate))
        object.add("dates", all: dates.map(date))
        object.add("checks", all: checks.map(check))
    }

    private static func certificate(_ presented: Inspection.PresentedCertificate) -> ObjectText {
        var object = ObjectText()
        object.add("position", presented.position.rawValue)
        switch presented.description {
        case .failure(let error): object.add("error", message: error.message)
        case .success(let certificate):
            object.add("subject", message: certificate.subject)
            object.add("issuer", message: certificate.issuer)
            object.add("serialNumber", message: certificate.serialNumber)
            object.add("notBefore", certificate.notBeforeISO8601)
            object.add("notAfter", certificate.notAfterISO8601)
            object.add("publicKey", message: certificate.publicKey)
            object.add("signatureAlgorithm", message: certificate.signatureAlgorithm)
            object.add("sha256", certificate.sha256Fingerprint)
        }
        return object
    }

    private static func date(_ date: DateMember) -> ObjectText {
        var object = ObjectText()
        object.add("member", message: date.path)
        object.add("written", message: date.written)
        object.add("iso8601", json: date.iso8601.map { Array("\"\($0)\"".utf8) } ?? null)
        return object
    }

    private static func check(_ result: CheckResult) -> ObjectText {
        var object = ObjectText()
        object.add("check", "\(result.check)")
        object.add("title", result.check.title)
        object.add("outcome", result.outcome.rawValue)
        object.add("reason", message: result.reason)
        return object
    }

    private static let null = Array("null".utf8)

    /// A document as it was written if it is strict JSON. Otherwise its text in a string.
    private static func document(_ bytes: [UInt8]) -> [UInt8] {
        guard isJSON(bytes) else { return string(bytes) }
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

    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        appendJSON(message: String(decoding: bytes, as: UTF8.self), to: &output)
        return output
    }

    /// The meanings of the payload's numbers, each once, in the payload's order. Dates have a list of their own.
    private static func words(_ payload: [UInt8]) -> [ObjectText] {
        let notes = PayloadNotes(payload, [], [], inside: "")
        var (reader, member, found) = (JSONReader(0..<payload.count), "", [ObjectText]())
        while let event = try? reader.next(in: payload.span) {
            if case .name(let name) = event { member = name.value(in: payload.span) }
            guard case .number(let digits) = event else { continue }
            let written = String(decoding: payload[digits], as: UTF8.self)
            guard let number = Int(written),
                let text = NumberWords.text(of: member, number)
                    ?? notes.note(onNumber: member, written: written)
            else { continue }
            var object = ObjectText()
            object.add("member", member)
            object.add("value", number)
            object.add("text", message: text)
            if !found.contains(object) { found.append(object) }
        }
        return found
    }
}
