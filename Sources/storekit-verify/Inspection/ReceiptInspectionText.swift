import AppReceipts
import SignedPayloads

extension InspectionText {
    /// The whole text about a receipt, ending in a line break.
    func text(for inspection: ReceiptInspection) -> String {
        let isVerified = (try? inspection.verdict.get()) != nil
        var lines = verdict(inspection.verdict, kind: inspection.kind?.rawValue ?? "unreadable")
        lines += section("Signed data (PKCS #7)", signedData(of: inspection))
        lines += section("Certificates, as presented", inspection.certificates.flatMap(certificate))
        lines += section("Dates", inspection.dates.map(date))
        lines += section("Checks", inspection.checks.map(check))
        let label = isVerified ? "Content" : "Content — UNVERIFIED, do not rely on it"
        lines += section(label, inspection.receipt.map { document($0.json) } ?? [], isWarning: !isVerified)
        lines += section(
            "Transaction — UNVERIFIED, do not rely on it",
            inspection.transactionReceipt.map(transaction) ?? [], isWarning: true)
        return lines.joined(separator: "\n") + "\n"
    }

    private func signedData(of inspection: ReceiptInspection) -> [String] {
        var lines = [row("input", "\(inspection.inputBytes) bytes")]
        if let data = inspection.signedData {
            lines += [
                row("receipt", "\(data.receiptBytes) bytes"), row("content", "\(data.contentBytes) bytes"),
                row("digest", data.digestAlgorithm), row("signature", "\(data.signatureBytes) bytes, RSA"),
            ]
        }
        return lines
    }

    private func transaction(_ receipt: TransactionReceipt) -> [String] {
        [
            ("transaction-id", receipt.unverifiedTransactionID),
            ("original-transaction-id", receipt.unverifiedOriginalTransactionID),
            ("product-id", receipt.unverifiedProductID), ("bid", receipt.unverifiedBundleID),
        ].compactMap { name, value in value.map { row(name, visible($0)) } }
    }
}

extension InspectionJSON {
    /// The object about a receipt, on one line. Only verified content is called `payload`.
    static func text(for inspection: ReceiptInspection) -> String {
        var members = verdict(inspection.verdict.map(\.effectiveDateISO8601), kind: inspection.kind)
        members.append(("inputBytes", raw("\(inspection.inputBytes)")))
        if let data = inspection.signedData {
            members.append(
                (
                    "signedData",
                    object([
                        ("receiptBytes", raw("\(data.receiptBytes)")),
                        ("contentBytes", raw("\(data.contentBytes)")),
                        ("digestAlgorithm", string(data.digestAlgorithm)),
                        ("signatureBytes", raw("\(data.signatureBytes)")),
                    ])
                ))
        }
        members += findings(inspection.certificates, inspection.dates, inspection.checks)
        if let receipt = inspection.receipt {
            let isVerified = (try? inspection.verdict.get()) != nil
            members.append((isVerified ? "payload" : "unverifiedPayload", receipt.json))
        }
        if let receipt = inspection.transactionReceipt {
            members.append(("unverifiedTransaction", transaction(receipt)))
        }
        return String(decoding: object(members), as: UTF8.self)
    }

    private static func transaction(_ receipt: TransactionReceipt) -> [UInt8] {
        object(
            [
                ("transactionId", receipt.unverifiedTransactionID),
                ("originalTransactionId", receipt.unverifiedOriginalTransactionID),
                ("productId", receipt.unverifiedProductID), ("bundleId", receipt.unverifiedBundleID),
            ].compactMap { name, value in value.map { (name, string($0)) } })
    }
}

extension ReceiptInspection {
    /// What the input seems to be; `nil` where its content cannot be read.
    fileprivate var kind: SignedPayloadKind? { receipt == nil ? nil : .receipt }
}
