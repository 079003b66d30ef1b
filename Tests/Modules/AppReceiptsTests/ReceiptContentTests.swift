import AppReceipts
import Foundation
import Minting
import TestMinting
import Testing

/// The content of receipts.
@Suite struct ReceiptContentTests {
    private typealias Types = Minting.ReceiptAttribute.App
    private typealias InApp = Minting.ReceiptAttribute.InApp

    private func json(_ receipt: Receipt) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(receipt.json)) as? [String: Any])
    }

    @Test func `every attribute that is known is read, and written as JSON`() throws {
        let purchase = ReceiptContent(ReceiptContent.Purchase())
            .setting(1711, number: 2_000_000_000_000_001).setting(1712, date: "2025-12-07T00:00:00Z")
            .setting(1713, number: 1).setting(1719, number: 0).setting(1721, text: "SPRING \"1\"\u{7f}é")
            .setting(1707, number: 3).setting(1708, date: "2026-01-06T05:46:30+0100")
        let content = ReceiptContent(ReceiptContent.App(), purchases: [purchase])
            .setting(1, number: 1_234_567_890).setting(8, date: "2025-12-06T05:46:41Z").setting(11, number: 7)
            .setting(15, number: 502_000_000_000_000_001).setting(16, number: 9)
            .setting(21, date: "2030-01-01T00:00:00Z")
        let receipt = try Receipt(content: content.der)
        #expect(receipt.receiptType == "ProductionSandbox")
        #expect(receipt.appID == 1_234_567_890)
        #expect(receipt.bundleID == "com.example.garden")
        #expect(receipt.bundleIDData == [0x0c, 18] + Array("com.example.garden".utf8))
        #expect(receipt.appVersion == "31")
        #expect(receipt.opaqueValue == content.value(of: 4))
        #expect(receipt.sha1Hash == content.value(of: 5))
        #expect(receipt.requestDate == Date(timeIntervalSince1970: 1_765_000_001))
        #expect(receipt.ageRating == "4+")
        #expect(receipt.developerID == 7)
        #expect(receipt.creationDate == Date(timeIntervalSince1970: 1_765_000_000))
        #expect(receipt.downloadID == 502_000_000_000_000_001)
        #expect(receipt.appVersionID == 9)
        #expect(receipt.originalPurchaseDate == Date(timeIntervalSince1970: 1_375_340_400))
        #expect(receipt.originalAppVersion == "1.0")
        #expect(receipt.expirationDate == Date(timeIntervalSince1970: 1_893_456_000))
        #expect(receipt.content == content.der)
        #expect(receipt.attributes.count == content.attributes.count)

        let bought = try #require(receipt.purchases.first)
        #expect(receipt.purchases.count == 1)
        #expect(receipt.transactionIDs == [bought.transactionID])
        #expect(bought.quantity == 1)
        #expect(bought.webOrderLineItemID == 2_000_000_000_000_001)
        #expect(bought.cancellationDate == Date(timeIntervalSince1970: 1_765_065_600))
        #expect(bought.isTrialPeriod == true)
        #expect(bought.isInIntroOfferPeriod == false)
        #expect(bought.promotionalOfferID == "SPRING \"1\"\u{7f}é")
        #expect(bought.productType == .autoRenewable)
        #expect(bought.expirationDate == Date(timeIntervalSince1970: 1_767_674_790))
        #expect(bought.attributes.count == purchase.attributes.count)

        let object = try json(receipt)
        #expect(object["receiptType"] as? String == "ProductionSandbox")
        #expect(object["appAppleId"] as? Int == 1_234_567_890)
        #expect(object["bundleId"] as? String == "com.example.garden")
        #expect(object["applicationVersion"] as? String == "31")
        #expect(object["versionExternalIdentifier"] as? Int == 9)
        #expect(object["receiptCreationDate"] as? Int == 1_765_000_000_000)
        #expect(object["requestDate"] as? Int == 1_765_000_001_000)
        #expect(object["originalApplicationVersion"] as? String == "1.0")
        #expect(object["originalPurchaseDate"] as? Int == 1_375_340_400_000)
        #expect(object["expirationDate"] as? Int == 1_893_456_000_000)
        #expect(object["ageRating"] as? String == "4+")
        #expect(object["developerId"] as? Int == 7)
        #expect(object["downloadId"] as? Int == 502_000_000_000_000_001)
        #expect(object["opaqueValue"] as? String == Data(content.value(of: 4)).base64EncodedString())
        #expect(object["sha1Hash"] as? String == Data(content.value(of: 5)).base64EncodedString())
        let transaction = try #require((object["inApp"] as? [[String: Any]])?.first)
        #expect(transaction["transactionId"] as? String == bought.transactionID)
        #expect(transaction["originalTransactionId"] as? String == bought.originalTransactionID)
        #expect(transaction["webOrderLineItemId"] as? String == "2000000000000001")
        #expect(transaction["productId"] as? String == bought.productID)
        #expect(transaction["type"] as? String == "Auto-Renewable Subscription")
        #expect(transaction["quantity"] as? Int == 1)
        #expect(transaction["expiresDate"] as? Int == 1_767_674_790_000)
        #expect(transaction["revocationDate"] as? Int == 1_765_065_600_000)
        #expect(transaction["isTrialPeriod"] as? Bool == true)
        #expect(transaction["isInIntroOfferPeriod"] as? Bool == false)
        #expect(transaction["offerIdentifier"] as? String == "SPRING \"1\"\u{7f}é")
        // Unknown attributes are kept, except empty strings.
        let others = try #require(object["otherAttributes"] as? [[String: Any]]).compactMap {
            $0["type"] as? Int
        }
        #expect(Set(others) == [6, 7, 9, 13, 14, 25])
    }

    @Test func `what cannot be read is nil, and is kept`() throws {
        let content = ReceiptContent(ReceiptContent.App()).setting(1, text: "text").setting(2, number: 5)
            .setting(3, [0x0c, 0x02, 0xff, 0xfe]).setting(18, date: "yesterday").setting(10, [])
            .setting(15, [0x02, 0x01, 0x80]).setting(16, [0x02, 0x02, 0x00, 0x01]).setting(
                19, [0x0c, 0x05, 0x31])
        let receipt = try Receipt(content: content.der)
        #expect(receipt.appID == nil)
        #expect(receipt.bundleID == nil)
        #expect(receipt.appVersion == nil)
        #expect(receipt.originalPurchaseDate == nil)
        #expect(receipt.ageRating == nil)
        #expect(receipt.downloadID == nil)
        #expect(receipt.appVersionID == nil)
        #expect(receipt.originalAppVersion == nil)
        let others = try #require(json(receipt)["otherAttributes"] as? [[String: Any]])
        for (type, value) in [(1, "0C0474657874"), (2, "020105"), (10, ""), (15, "020180"), (16, "02020001")]
        {
            let found = others.first { $0["type"] as? Int == type }?["value"] as? String
            let bytes = found.flatMap { Data(base64Encoded: $0) }
            #expect(bytes?.map { String(format: "%02X", $0) }.joined() == value)
        }
    }

    @Test func `a second attribute of a type that no check reads is kept, and the first is read`() throws {
        let content = ReceiptContent(ReceiptContent.App())
            .appending(Minting.ReceiptAttribute(3, Minting.ReceiptAttribute.text("99")))
        let receipt = try Receipt(content: content.der)
        let object = try json(receipt)
        let others = try #require(object["otherAttributes"] as? [[String: Any]])
        #expect(others.contains { $0["type"] as? Int == 3 })
        #expect(receipt.attributes.count { $0.type == 3 } == 2)
    }

    @Test func `the JSON of strange contents has room, and is one line of strict JSON`() throws {
        let strange = String(repeating: "\u{1}\"\\\u{7f}", count: 400)
        let purchases = (0..<200).map { number in
            ReceiptContent([]).setting(1702, text: strange).setting(1703, text: "\(number)")
                .setting(number, [UInt8](repeating: 0xff, count: number))
                .setting(Int(Int32.max), number: Int.max)
        }
        for purchases in [[], [ReceiptContent([])], purchases] {
            for app in [ReceiptContent([]), ReceiptContent(ReceiptContent.App()).setting(3, text: strange)] {
                let receipt = try Receipt(content: app.appending(purchases: purchases).der)
                let object = try json(receipt)
                #expect((object["inApp"] as? [Any])?.count == purchases.count)
                #expect(receipt.json.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
                #expect(receipt.transactionIDs.count == purchases.filter { !$0.attributes.isEmpty }.count)
            }
        }
    }

    @Test func `attributes of all lengths are found, whatever comes after them`() throws {
        let types = [0, 1, 17, 127, 128, 255, 256, 1701, 32_767, 32_768, 65_536, Int(Int32.max), Int.max]
        for type in types where type != Types.inAppPurchase {
            for version in [0, 1, 127, 128, 300] {
                for count in [0, 1, 2, 3, 4, 5, 6, 127, 128, 255, 256, 65_535, 65_536] {
                    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                    let attribute = Minting.ReceiptAttribute(type, version: version, value)
                    for after in [[], [Minting.ReceiptAttribute(3, [])]] {
                        var content = ReceiptContent([attribute] + after)
                        content.isSorted = false
                        let found = try Receipt(content: content.der).attributes
                        #expect(found.count == 1 + after.count)
                        let first = try #require(found.first)
                        #expect(first.type == type && first.version == version && first.value == value)
                    }
                }
            }
        }
    }

    @Test func `what is not an attribute in DER is refused, wherever it is wrong`() throws {
        let next = Minting.ReceiptAttribute(3, [UInt8](repeating: 0x04, count: 9))
        let attribute = Minting.ReceiptAttribute(1702, Minting.ReceiptAttribute.text("com.example.product"))
        for (place, byte) in [
            (0, 0x31), (1, 0x80), (1, 0x7f), (1, 0x1c), (2, 0x04), (3, 0x81), (3, 0x03), (4, 0x80), (6, 0x03),
            (7, 0x02), (7, 0x00), (8, 0x80), (9, 0x24), (10, 0x14), (10, 0x16), (10, 0x81),
        ] as [(Int, UInt8)] {
            var spoilt = attribute.der
            spoilt[place] = byte
            let content = ReceiptContent([Minting.ReceiptAttribute(replacement: spoilt), next])
            #expect(throws: ReceiptError.self, "\(place): \(byte)") { try Receipt(content: content.der) }
        }
        let zero = [0x30, 0x0b, 0x02, 0x02, 0x00, 0x7f, 0x02, 0x01, 0x01, 0x04, 0x02, 0x05, 0x00] as [UInt8]
        let content = ReceiptContent([Minting.ReceiptAttribute(replacement: zero), next])
        #expect(throws: ReceiptError.self) { try Receipt(content: content.der) }
    }
}
