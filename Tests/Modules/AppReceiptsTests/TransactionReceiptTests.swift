import AppReceipts
import Testing

/// The receipts of single transactions, from before iOS 7.
@Suite struct TransactionReceiptTests {
    /// A receipt of this kind, with worthless values.
    static func list(transactionID: String? = "170000029449420") -> String {
        var purchase = """
            {
            \t"original-purchase-date-pst" = "2012-07-12 05:54:35 America/Los_Angeles";
            \t"original-transaction-id" = "170000029449413";
            \t"bvrs" = "1.4";
            \t"product-id" = "com.example.garden.seeds";
            \t"bid" = "com.example.garden";

            """
        if let transactionID { purchase += "\t\"transaction-id\" = \"\(transactionID)\";\n" }
        return """
            {
            \t"signature" = "AuPlDfJcY2Ftg29d";
            \t"purchase-info" = "\(base64(purchase + "}"))";
            \t"environment" = "Sandbox";
            \t"pod" = "100";
            \t"signing-status" = "0";
            }
            """
    }

    @Test func `its identifiers can be read, and are said to be unverified`() throws {
        let text = Self.list()
        for form in [text, base64(text), "\n" + text] {
            let receipt = try #require(TransactionReceipt(Array(form.utf8)))
            #expect(receipt.unverifiedTransactionID == "170000029449420")
            #expect(receipt.unverifiedOriginalTransactionID == "170000029449413")
            #expect(receipt.unverifiedBundleID == "com.example.garden")
            #expect(receipt.unverifiedProductID == "com.example.garden.seeds")
        }
    }

    @Test func `other input is not a transaction receipt`() {
        let list = Self.list()
        let texts = [
            "", "{", "{}", "{\"purchase-info\" = \"????\";}", "{\"purchase-info\" = \"e30=\";}",
            Self.list(transactionID: nil), list.replacing(";", with: ","),
            list.replacing("\"pod\"", with: "\"signature\""), "[" + list.dropFirst(), "MIIB",
        ]
        for text in texts { #expect(TransactionReceipt(Array(text.utf8)) == nil) }
        // No prefix of the receipt gives a result.
        for count in 0..<list.utf8.count - 2 {
            #expect(TransactionReceipt(Array(list.utf8.prefix(count))) == nil)
        }
        #expect(TransactionReceipt([UInt8](repeating: UInt8(ascii: "{"), count: 2 << 20)) == nil)
    }
}
