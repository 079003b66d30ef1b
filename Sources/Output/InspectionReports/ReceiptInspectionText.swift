internal import AppReceipts
internal import Essentials
internal import SignedPayloads
internal import WireFormats

extension InspectionText {
    /// The whole text about a receipt, with a line break at the end.
    func text(for inspection: ReceiptInspection) -> String {
        let isVerified = (try? inspection.verdict.get()) != nil
        var lines = verdict(inspection.verdict, kind: inspection.kind?.name ?? "unreadable")
        lines += summary(PayloadSummary(inspection), isVerified: isVerified)
        lines += section(
            "Transaction — UNVERIFIED, do not rely on it",
            inspection.transactionReceipt.map(transaction) ?? [], isWarning: true)
        lines += section("Checks", inspection.checks.flatMap(check))
        lines += section("Signed data (PKCS #7)", signedData(of: inspection))
        var shown = ShownCertificates()
        lines += section("Certificates, as presented", certificates(inspection.certificates, &shown))
        // The dates of purchases are shown in the content, beside their numbers: there may be hundreds.
        lines += section("Dates", dates(inspection.dates.filter { !$0.path.hasPrefix("inApp.") }))
        let label = isVerified ? "Content" : "Content — UNVERIFIED, do not rely on it"
        let content = inspection.receipt.map { document($0.json, inspection.dates) } ?? []
        lines += section(label, content, isWarning: !isVerified)
        return lines.joined(separator: "\n") + "\n"
    }

    private func signedData(of inspection: ReceiptInspection) -> [String] {
        let input = row("input", TextLayout.bytes(inspection.inputBytes))
        guard let data = inspection.signedData else { return input }
        let sizes = [data.receiptBytes, data.contentBytes].map(TextLayout.grouped)
        return input + row("receipt", "\(sizes[0]) bytes, \(sizes[1]) of them content")
            + row("signature", "\(data.signatureBytes) bytes, RSA, with \(data.digestAlgorithm)")
    }

    private func transaction(_ receipt: TransactionReceipt) -> [String] {
        [
            ("transaction-id", receipt.unverifiedTransactionID),
            ("original-transaction-id", receipt.unverifiedOriginalTransactionID),
            ("product-id", receipt.unverifiedProductID), ("bid", receipt.unverifiedBundleID),
        ].flatMap { name, value in value.map { row(name, visible($0), labelWidth: 26) } ?? [] }
    }
}

extension PayloadSummary {
    /// How many purchases of a receipt are shown, so that the first screen has room for the rest.
    private static let purchasesShown = 6

    /// The text of an inspected receipt.
    init(_ inspection: ReceiptInspection) {
        guard let receipt = inspection.receipt else {
            self.init(unreadable: inspection)
            return
        }
        self.init()
        let appID = receipt.appID.flatMap { $0 == 0 ? nil : "Apple ID \($0)" }
        let app = [receipt.bundleID.map(ShownText.text), appID].compactMap(\.self)
        add("App", app.joined(separator: ", "))
        add("Version", receipt.appVersion.map(ShownText.text))
        add("First version", receipt.originalAppVersion.map(ShownText.text))
        add("First bought", receipt.originalPurchaseDate.map(TextLayout.date))
        add("Expires", receipt.expirationDate.map(TextLayout.date))
        addEnvironment(receipt.receiptType.map(ShownText.text))
        addSignedDate("receiptCreationDate", inspection.dates, label: "Made")
        addPurchases(receipt.purchases)
    }

    /// Adds the number of purchases, and the newest of them.
    private mutating func addPurchases(_ purchases: [InAppPurchase]) {
        let newest = purchases.sorted {
            ($0.purchaseDate ?? .distantPast) > ($1.purchaseDate ?? .distantPast)
        }
        .prefix(Self.purchasesShown)
        let isPart = purchases.count > newest.count
        add("Purchases", "\(purchases.count)" + (isPart ? ", the newest \(newest.count) of them:" : ""))
        for purchase in newest {
            addOriginalTransaction(purchase.originalTransactionID.flatMap { UInt64($0) })
            let text = [
                purchase.purchaseDate.map(TextLayout.date) ?? "no date",
                purchase.expirationDate.map { "to " + TextLayout.date($0) },
                purchase.productID.map(ShownText.text) ?? "no product",
                purchase.cancellationDate.map { "(revoked " + TextLayout.date($0) + ")" },
            ]
            add("Purchases", text.compactMap(\.self).joined(separator: " "))
        }
    }

    private init(unreadable inspection: ReceiptInspection) {
        self.init(isReadable: false)
        add("Input", TextLayout.bytes(inspection.inputBytes))
        guard inspection.transactionReceipt == nil else { return }
        add(
            "Content",
            inspection.signedData == nil
                ? "not readable: this is not PKCS #7 signed data in DER or base64"
                : "not readable: it is not a set of receipt attributes")
    }
}

extension InspectionJSON {
    /// The object about a receipt. It has a member `payload` only if the content is verified.
    static func object(for inspection: ReceiptInspection, _ notes: [String]) -> ObjectText {
        var object = verdict(inspection.verdict.map(\.effectiveDateISO8601), kind: inspection.kind)
        addSummary(PayloadSummary(inspection), notes, to: &object)
        object.add("inputBytes", inspection.inputBytes)
        if let data = inspection.signedData {
            var sizes = ObjectText()
            sizes.add("receiptBytes", data.receiptBytes)
            sizes.add("contentBytes", data.contentBytes)
            sizes.add("digestAlgorithm", message: data.digestAlgorithm)
            sizes.add("signatureBytes", data.signatureBytes)
            object.add("signedData", sizes)
        }
        addFindings(inspection.certificates, inspection.dates, inspection.checks, to: &object)
        if let receipt = inspection.receipt {
            let isVerified = (try? inspection.verdict.get()) != nil
            object.add(isVerified ? "payload" : "unverifiedPayload", json: receipt.json)
        }
        object.add("unverifiedTransaction", inspection.transactionReceipt.map(transaction))
        return object
    }

    private static func transaction(_ receipt: TransactionReceipt) -> ObjectText {
        var object = ObjectText()
        object.add("transactionId", message: receipt.unverifiedTransactionID)
        object.add("originalTransactionId", message: receipt.unverifiedOriginalTransactionID)
        object.add("productId", message: receipt.unverifiedProductID)
        object.add("bundleId", message: receipt.unverifiedBundleID)
        return object
    }
}

extension ReceiptInspection {
    /// The kind of the input; `nil` if its content cannot be read.
    fileprivate var kind: SignedPayloadKind? { receipt == nil ? nil : .receipt }
}
