import Minting
import TestMinting

/// A corpus of app receipts under the newest leaf.
struct ReceiptCorpus: CorpusOfLines {
    private let purchases: Int
    private let badLines: LineShare
    private let minter: ReceiptMinter
    private let root: [UInt8]

    /// - Parameters:
    ///   - purchases: how many in-app purchases each receipt has.
    ///   - badPercent: how many of a hundred signatures do not match.
    init(purchases: Int, badPercent: Int) throws(MintingError) {
        self.purchases = purchases
        badLines = LineShare(percent: badPercent)
        var pki = try ReceiptPKI.standard()
        // As long as Apple's notice, so that receipts have a realistic size.
        pki.leaf.template.set(.certificatePolicies(notice: String(repeating: "Worthless. ", count: 22)))
        minter = try pki.minter()
        root = try pki.root.der()
    }

    /// The receipt with this number, in base64.
    func line(_ number: Int) throws(MintingError) -> String {
        var template = try minter.signedData(content(number).der)
        if badLines.contain(number) {
            let middle = template.signers[0].signature.count / 2
            template.signers[0].signature[middle] ^= 1
        }
        return template.base64
    }

    func rootPEM() throws(MintingError) -> String { Base64.pem("CERTIFICATE", root) }

    /// A subscription and its renewals, at intervals of a month.
    private func content(_ number: Int) -> ReceiptContent {
        let created = CertificateTime(2025, 12, 6, 5, 46, 40).advanced(by: number * 977 % 30_000_000)
        let original = String(2_000_000_400_000_000 + number)
        let month = 30 * 86_400
        let purchases = (0..<purchases).map { index in
            let start = created.advanced(by: (index - self.purchases) * month)
            var purchase = ReceiptContent.Purchase()
            purchase.transactionIdentifier = String(2_000_000_900_000_001 + number * 97 + index)
            purchase.originalTransactionIdentifier = original
            purchase.purchaseDate = start.iso8601
            purchase.originalPurchaseDate = created.advanced(by: -self.purchases * month).iso8601
            purchase.expiresDate = start.advanced(by: month).iso8601
            purchase.webOrderLineItemIdentifier += number * 97 + index
            return ReceiptContent(purchase)
        }
        var app = ReceiptContent.App()
        app.creationDate = created.iso8601
        return ReceiptContent(app, purchases: purchases)
    }
}
