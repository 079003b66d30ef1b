import Foundation
import Minting
import RepositoryFiles
import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Compares the documentation's tables of receipt attributes with the code.
@Suite struct ReceiptAttributeTests {
    @Test func `every attribute with a property has a row`() throws {
        let numbers = try rows().map(\.number)
        #expect(
            numbers == AttributeType.allCases.map(\.rawValue) + PurchaseAttributeType.allCases.map(\.rawValue)
        )
    }

    @Test func `the attributes that Apple documents are marked so`() throws {
        let documented = [2, 3, 4, 5, 12, 17, 19, 21] + Array(1701...1706) + [1708, 1711, 1712, 1719]
        for row in try rows() {
            #expect(row.source == (documented.contains(row.number) ? "Receipt Fields" : "receipts"), "\(row)")
        }
    }

    @Test func `each row's value is in the properties that it names, and in no others`() throws {
        for row in try rows() where row.number != 17 {
            let receipt = try appReceipt(of: row)
            let transaction = try #require(receipt.transactions.first)
            let isApp = row.number < 1000
            // Every receipt here has a creation date, because the verifier needs a date.
            let raw = names(saidBy: receipt.receipt, receiptProperties)
            #expect(raw == (isApp ? ["creationDate", row.raw] : ["creationDate"]), "\(row)")
            let here: Set = isApp && row.here != "none" ? ["signedDate", row.here] : ["signedDate"]
            #expect(names(saidBy: receipt, appReceiptProperties) == here, "\(row)")
            let rawOfPurchase = names(saidBy: transaction.purchase, purchaseProperties)
            #expect(rawOfPurchase == (isApp ? [] : [row.raw]), "\(row)")
            let properties = names(saidBy: transaction, transactionProperties)
            // A free trial and an introductory period also count as offers.
            let offer: Set = [1713, 1719].contains(row.number) ? ["offer"] : []
            #expect(properties == offer.union(isApp ? [] : [row.here]), "\(row)")
        }
    }

    @Test func `each row's value is in the JSON under the name it gives`() throws {
        for row in try rows() where row.number != 17 {
            let json = Data(try appReceipt(of: row).receipt.json)
            let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            let purchases = try #require(object["inApp"] as? [[String: Any]])
            let (app, purchase) = (Set(object.keys), Set(try #require(purchases.first).keys))
            let always: Set = ["inApp", "receiptCreationDate"]
            #expect(app == always.union(row.number < 1000 ? [row.json] : []), "\(row)")
            #expect(purchase == (row.number < 1000 ? [] : [row.json]), "\(row)")
        }
    }

    @Test func `attributes without a name are kept, and the page lists no named one`() throws {
        let page = try page()
        for (holder, range) in [("the receipt", 0..<1000), ("a purchase", 1000..<2000)] {
            let line = try #require(page.first { $0.count == 2 && $0[1] == holder })
            let numbers = line[0].split(separator: ", ").compactMap { Int($0) }
            #expect(numbers.count > 6 && numbers.allSatisfy(range.contains))
            let named =
                AttributeType.allCases.map(\.rawValue) + PurchaseAttributeType.allCases.map(\.rawValue)
            #expect(Set(numbers).isDisjoint(with: named), "\(holder)")
            let content = ReceiptContent(numbers.map { Minting.ReceiptAttribute($0, [4, 1, 7]) })
            let created = try #require(SignedReceipt.attribute(12, "date"))
            let receipt = try SignedReceipt.appReceipt(
                range.contains(12)
                    ? content.appending(created)
                    : ReceiptContent([created]).appending(purchases: [content]))
            let attributes = receipt.receipt.attributes + receipt.receipt.purchases.flatMap(\.attributes)
            for number in numbers {
                #expect(attributes.contains { $0.type == number && $0.value == [4, 1, 7] })
                #expect(receipt.debugDescription.contains(#"{"type":\#(number),"version":1,"value":"BAEH"}"#))
            }
        }
    }

    // MARK: - Properties

    private let receiptProperties: [String: PartialKeyPath<Receipt>] = [
        "receiptType": \.receiptType, "appID": \.appID, "bundleID": \.bundleID, "appVersion": \.appVersion,
        "opaqueValue": \.opaqueValue, "sha1Hash": \.sha1Hash, "requestDate": \.requestDate,
        "ageRating": \.ageRating, "developerID": \.developerID, "creationDate": \.creationDate,
        "downloadID": \.downloadID, "appVersionID": \.appVersionID,
        "originalPurchaseDate": \.originalPurchaseDate, "originalAppVersion": \.originalAppVersion,
        "expirationDate": \.expirationDate,
    ]

    private let purchaseProperties: [String: PartialKeyPath<InAppPurchase>] = [
        "quantity": \.quantity, "productID": \.productID, "transactionID": \.transactionID,
        "purchaseDate": \.purchaseDate, "originalTransactionID": \.originalTransactionID,
        "originalPurchaseDate": \.originalPurchaseDate, "productType": \.productType,
        "expirationDate": \.expirationDate, "webOrderLineItemID": \.webOrderLineItemID,
        "cancellationDate": \.cancellationDate, "isTrialPeriod": \.isTrialPeriod,
        "isInIntroOfferPeriod": \.isInIntroOfferPeriod, "promotionalOfferID": \.promotionalOfferID,
    ]

    private let appReceiptProperties: [String: PartialKeyPath<AppReceipt>] = [
        "appID": \.appID, "appVersion": \.appVersion, "appVersionID": \.appVersionID, "bundleID": \.bundleID,
        "environment": \.environment, "originalAppVersion": \.originalAppVersion,
        "originalPurchaseDate": \.originalPurchaseDate, "signedDate": \.signedDate,
        "requestDate": \.requestDate, "expirationDate": \.expirationDate,
        "deviceVerification": \.deviceVerification, "deviceVerificationNonce": \.deviceVerificationNonce,
    ]

    private let transactionProperties: [String: PartialKeyPath<ReceiptTransaction>] = [
        "id": \.id, "originalID": \.originalID, "webOrderLineItemID": \.webOrderLineItemID,
        "productID": \.productID, "productType": \.productType, "purchaseDate": \.purchaseDate,
        "originalPurchaseDate": \.originalPurchaseDate, "expirationDate": \.expirationDate,
        "purchasedQuantity": \.purchasedQuantity, "revocationDate": \.revocationDate,
        "isTrialPeriod": \.isTrialPeriod, "isInIntroOfferPeriod": \.isInIntroOfferPeriod, "offer": \.offer,
    ]

    /// The names of the properties that have a value.
    private func names<Root>(
        saidBy value: Root, _ properties: [String: PartialKeyPath<Root>]
    ) -> Set<String> {
        Set(properties.filter { (value[keyPath: $0.value] as? any AnyOptional)?.isNil == false }.keys)
    }

    // MARK: - Rows

    private struct Row {
        let number: Int
        let kind: String
        let here: String
        let raw: String
        let json: String
        let source: String
    }

    /// A receipt with this attribute, a creation date and a purchase, and nothing else.
    private func appReceipt(of row: Row) throws -> AppReceipt {
        let attribute = try #require(SignedReceipt.attribute(row.number, row.kind))
        let created = try #require(SignedReceipt.attribute(12, "date"))
        let isApp = row.number < 1000
        let head = isApp && row.number != 12 ? [created, attribute] : [created]
        return try SignedReceipt.appReceipt(
            ReceiptContent(head).appending(purchases: [ReceiptContent(isApp ? [] : [attribute])]))
    }

    private func rows() throws -> [Row] {
        try page().compactMap { cells in
            guard cells.count == 7, let number = Int(cells[0]) else { return nil }
            let here = cells[3].split(separator: "/").last.map { String($0) } ?? ""
            return Row(
                number: number, kind: cells[2], here: here.replacing("`", with: ""),
                raw: cells[4].replacing("`", with: ""), json: cells[5].replacing("`", with: ""),
                source: cells[6])
        }
    }

    /// The cells of the page's tables, row by row.
    private func page() throws -> [[String]] {
        try Repository.text("Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/AppReceipts.md")
            .split(separator: "\n").filter { $0.hasPrefix("|") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }
}

/// An optional value of any type.
private protocol AnyOptional {
    var isNil: Bool { get }
}

extension Optional: AnyOptional {
    fileprivate var isNil: Bool { self == nil }
}
