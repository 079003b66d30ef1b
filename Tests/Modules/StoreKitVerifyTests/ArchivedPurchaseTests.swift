import Foundation
import Minting
import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Purchases of archives: those that app receipts list, beside signed payloads about them, and those of before payloads named
/// environments.
@Suite struct ArchivedPurchaseTests {
    private static func day(_ day: Int) -> Date {
        Date(timeIntervalSince1970: Double(Signed.day(day)) / 1000)
    }

    private static func text(_ day: Int) -> String { Self.day(day).ISO8601Format() }

    /// A receipt of a day with one subscription of the days 0 to 30, or another product.
    private static func receipt(
        made day: Int, cancelled: Int? = nil, id: Int = 1,
        _ type: ReceiptContent.Purchase.ProductType = .autoRenewable
    ) throws -> PurchaseValue {
        var app = ReceiptContent.App()
        (app.environment, app.identifier, app.creationDate) = ("Production", 1, text(day))
        var purchase = ReceiptContent.Purchase()
        purchase.productType = type
        purchase.transactionIdentifier = "\(id)"
        purchase.originalTransactionIdentifier = "1"
        (purchase.purchaseDate, purchase.originalPurchaseDate) = (text(0), text(0))
        purchase.expiresDate = text(30)
        var content = ReceiptContent(purchase)
        if let cancelled { content = content.setting(1712, date: text(cancelled)) }
        return try #require(values(ReceiptContent(app, purchases: [content])).first)
    }

    private static func values(_ content: ReceiptContent) throws -> [PurchaseValue] {
        let line = Array(try SignedReceipt.base64(content).utf8)
        let payload = try SignedPayloadVerifier().verify(
            line: line.span, receipts: SignedReceipt.verifier())
        return try PurchaseValue.all(
            in: payload, by: StoreKitVerifier(SignedPayloadVerifier()), keepsTokens: false)
    }

    /// A signed transaction of a day about the same subscription.
    private static func signed(_ day: Int, revoked: Int? = nil, token: Bool = true) throws -> PurchaseValue {
        var members = ["price": "9990", "currency": #""USD""#]
        if token {
            members["appAccountToken"] = #""7edea87d-98f0-42d0-9682-49ca81022f73""#
        }
        if let revoked { members["revocationDate"] = "\(Signed.day(revoked))" }
        return try .transaction(
            Signed.transaction(
                Signed.transactionPayload(
                    id: 1, original: 1, purchased: 0, expires: 30, signed: day, members)
            ).payloadValue)
    }

    /// What is said after each order of some payloads, which must be the same.
    private static func answers(_ payloads: [PurchaseValue]) throws -> [String] {
        var answers: Set<[String]> = []
        for order in permutations(payloads) {
            var history = PurchaseHistory()
            for value in order + order.prefix(1) { history.add(value) }
            let merged = PurchaseHistory(history.purchases)
            for history in [history, merged] {
                let owned = history.entitlements(at: day(20)).map {
                    "\($0.transaction.productID) \($0.transaction.isFromReceipt) \($0.transaction.price.map { "\($0)" } ?? "-")"
                }
                let charges = history.charges.map { "\($0.kind) \($0.amount.map { "\($0)" } ?? "-")" }
                let names = history.purchases.map { $0.appAccountToken == nil ? "nobody" : "owner" }
                answers.insert(owned + charges + names)
            }
        }
        #expect(answers.count == 1)
        return try #require(answers.first)
    }

    private static func permutations<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { place -> [[Element]] in
            var rest = elements
            let element = rest.remove(at: place)
            return permutations(rest).map { [element] + $0 }
        }
    }

    private static let plus = "com.example.garden.plus.monthly"

    @Test func `a purchase that only a receipt lists is marked, and has no price`() throws {
        #expect(try Self.answers([Self.receipt(made: 5)]) == ["\(Self.plus) true -", "purchase -", "nobody"])
        #expect(try Self.answers([Self.receipt(made: 5, .nonConsumable)]).first == "\(Self.plus) true -")
        #expect(try Self.answers([Self.receipt(made: 5, .consumable)]) == ["purchase -", "nobody"])
        #expect(
            try Self.answers([Self.receipt(made: 15, cancelled: 10)]) == ["purchase -", "refund -", "nobody"])
    }

    @Test func `a signed transaction counts before the receipt's, in any order`() throws {
        for receipt in try [Self.receipt(made: 5), Self.receipt(made: 12)] {
            let answer = try Self.answers([receipt, try Self.signed(10)])
            #expect(answer.dropFirst() == ["purchase 9.99", "owner"])
            #expect(answer.first?.hasSuffix(" false 9.99") == true)
        }
    }

    @Test func `a later receipt takes back, and an earlier one does not`() throws {
        let old = try Self.signed(5)
        let taken = try Self.receipt(made: 15, cancelled: 12)
        let refunded = ["purchase 9.99", "refund 9.99", "owner"]
        #expect(try Self.answers([old, taken]) == refunded)
        #expect(try Self.answers([old, taken, try Self.signed(8, token: false)]) == refunded)
        // A reversal: a transaction, or a receipt, that was signed later.
        for later in [try Self.signed(16), try Self.receipt(made: 17)] {
            #expect(try Self.answers([old, taken, later]).dropFirst() == ["purchase 9.99", "owner"])
        }
        #expect(try Self.answers([taken, try Self.signed(20, revoked: 12)]) == refunded)
    }

    @Test func `a date of cancellation that cannot be read counts`() throws {
        var app = ReceiptContent.App()
        app.creationDate = Self.text(15)
        var purchase = ReceiptContent.Purchase()
        (purchase.purchaseDate, purchase.expiresDate) = (Self.text(0), Self.text(30))
        for (date, isOwned) in [("soon", false), ("", true)] {
            let content = ReceiptContent(purchase).setting(1712, date: date)
            let values = try Self.values(ReceiptContent(app, purchases: [content]))
            #expect(try Self.answers(values).contains("\(Self.plus) true -") == isOwned)
        }
    }

    @Test func `what was finished before payloads named environments stays finished`() throws {
        func transaction(_ id: Int, signed: Int, _ environment: String) throws -> Transaction {
            try Signed.transaction(
                Signed.transactionPayload(
                    id: id, original: 1, purchased: id, expires: id + 30, signed: signed,
                    ["environment": "\"\(environment)\""])
            ).payloadValue
        }
        var history = PurchaseHistory()
        let old = try transaction(1, signed: 1, "")
        history.add(.transaction(old))
        history.finish(old)
        #expect(history.unfinished.isEmpty)
        history.add(.transaction(try transaction(2, signed: 40, "Production")))
        #expect(history.unfinished.map(\.id) == [2])
        var later = PurchaseHistory()
        later.finish(old)
        later.add(.transaction(try transaction(1, signed: 50, "Production")))
        #expect(later.unfinished.isEmpty)
    }

    @Test func `purchases without what every transaction has are left out`() throws {
        var app = ReceiptContent.App()
        app.creationDate = Self.text(15)
        let whole = ReceiptContent(ReceiptContent.Purchase())
        for (type, text) in [(1703, "0"), (1703, "x"), (1705, ""), (1702, "")] {
            let values = try Self.values(
                ReceiptContent(app, purchases: [whole.setting(type, text: text), whole]))
            #expect(values.count == 1 || type == 1702, "\(type)")
        }
        let undated = whole.setting(1704, date: "")
        #expect(try Self.values(ReceiptContent(app, purchases: [undated])).isEmpty)
    }
}
