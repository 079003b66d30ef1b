import Foundation
import StoreKitFixtures
import StoreKitVerify
import Testing

/// The members of subscriptions for several people.
@Suite struct MultiSeatTests {
    private func transaction(_ seats: String, _ others: [String: String] = [:]) throws -> Transaction {
        let members = ["multiSeatInfo": seats].merging(others) { $1 }
        return try Signed.transaction(Signed.transactionPayload(id: 7, expires: 30, members)).payloadValue
    }

    private func renewalInfo(_ others: [String: String]) throws -> SubscriptionRenewalInfo {
        try Signed.renewalInfo(Signed.renewalPayload(original: 7, signed: 1, others)).payloadValue
    }

    private func charge(_ tiers: String) throws -> Decimal? {
        let info = try transaction(#"{"priceTiers":\#(tiers)}"#).multiSeatInfo
        let renewal = try renewalInfo(["multiSeatInfo": #"{"renewalPriceTiers":\#(tiers)}"#])
        #expect(renewal.multiSeatInfo?.renewalCharge == info?.charge)
        #expect(renewal.multiSeatInfo?.renewalPriceTiers == info?.priceTiers)
        return info?.charge
    }

    @Test func `the charge is the sum over the tiers, in whatever order they come`() throws {
        let tiers = [#"{"price":9990,"quantity":5}"#, #"{"quantity":3,"price":7990}"#]
        let other = #"{"unit":{"price":[1],"quantity":"x"},"price":9990,"quantity":5,"x":[{"price":2}]}"#
        #expect(try charge("[\(tiers[0]),\(tiers[1])]") == Decimal(string: "73.92"))
        #expect(try charge("[\(tiers[1]),\(tiers[0])]") == Decimal(string: "73.92"))
        #expect(try charge("[\(other),\(tiers[1])]") == Decimal(string: "73.92"))
        #expect(try charge(#"[{"pric\u0065":9990,"quantity":1}]"#) == Decimal(string: "9.99"))
    }

    @Test func `the average price is never multiplied`() throws {
        let tiers = #"[{"price":9990,"quantity":5},{"price":7990,"quantity":1}]"#
        let rounded = try transaction(
            #"{"priceTiers":\#(tiers)}"#, ["price": "9657", "quantity": "6", "currency": #""USD""#])
        #expect(rounded.charge == Decimal(string: "57.94"))
        #expect(rounded.price == Decimal(string: "9.657"))
        #expect(try transaction("{}", ["price": "9657"]).charge == nil, "the tiers are not known")
        #expect(
            try transaction("null", ["price": "2970", "quantity": "3"]).charge == Decimal(string: "2.97"))
    }

    @Test(arguments: [
        "[]", "{}", "7", "null", #""x""#, "[7]", "[null]", "[[]]", "[{}]", #"[{"price":9990}]"#,
        #"[{"quantity":5}]"#, #"[{"price":"9990","quantity":5}]"#, #"[{"price":9990,"quantity":"5"}]"#,
        #"[{"price":9990,"quantity":1.5}]"#, #"[{"price":-1,"quantity":5}]"#, #"[{"price":1,"quantity":-5}]"#,
        #"[{"price":9990,"quantity":5},7]"#, #"[{"price":9990,"quantity":5},{"price":7990}]"#,
        #"[{"price":9223372036854775807,"quantity":2}]"#,
        #"[{"price":9223372036854775807,"quantity":1},{"price":1,"quantity":1}]"#,
        #"[{"price":1e30,"quantity":1}]"#, #"[{"price":1,"quantity":9223372036854775808}]"#,
        #"[{"price":1,"price":1,"quantity":1}]"#, #"[{"price":9990,"quantity":1e1}]"#,
        #"[{"price":null,"quantity":1}]"#,
    ])
    func `tiers that cannot all be read have no charge`(tiers: String) throws {
        #expect(try charge(tiers) == nil)
    }

    @Test(arguments: [
        "-3", "0", "99999999999", "1.5", #""2""#, "null", "[]", "9223372036854775808", "-9223372036854775808",
    ])
    func `odd numbers of seats do not keep the other members from being read`(number: String) throws {
        let seats = #"{"invitationManagement":"APPLE","revokedSeatQuantity":\#(number)}"#
        let transaction = try transaction(seats, ["quantity": number])
        #expect(transaction.id == 7 && transaction.multiSeatInfo?.invitationManagement == .apple)
        #expect(transaction.purchasedQuantity == Int(number) ?? 1)
        #expect(transaction.multiSeatInfo?.revokedSeatQuantity == Int(number))
        #expect(try renewalInfo(["renewalQuantity": number]).renewalQuantity == Int(number))
    }

    @Test(arguments: ["7", "[]", #""x""#, "null", "true"])
    func `multiseat information that is no object is absent`(value: String) throws {
        #expect(try transaction(value).multiSeatInfo == nil)
        let info = try renewalInfo(["multiSeatInfo": value])
        #expect(info.multiSeatInfo == nil && info.renewalQuantity == nil)
    }

    @Test func `unknown values are kept`() throws {
        let transaction = try transaction(
            #"{"invitationManagement":"X"}"#,
            [
                "additionalTransactionReason": #""RAIN""#, "revocationType": #""SEAT_LOST""#,
                "revocationDate": "\(Signed.day(3))", "inAppOwnershipType": #""LENT""#,
            ])
        #expect(transaction.multiSeatInfo?.invitationManagement.rawValue == "X")
        #expect(transaction.multiSeatInfo?.priceTiers == [])
        #expect(transaction.additionalTransactionReason?.rawValue == "RAIN")
        #expect(transaction.revocationType?.rawValue == "SEAT_LOST" && transaction.revocationDate != nil)
        #expect(transaction.ownershipType.rawValue == "LENT")
        #expect(try self.transaction("{}").multiSeatInfo?.invitationManagement.rawValue == "")
    }

    @Test func `an assignment and its end have names`() throws {
        let transaction = try transaction(
            "null",
            [
                "inAppOwnershipType": #""ASSIGNED""#, "revocationType": #""ASSIGNMENT_REVOKE""#,
                "revocationDate": "\(Signed.day(3))",
            ])
        #expect(transaction.ownershipType == .assigned && transaction.revocationType == .assignmentRevocation)
    }

    @Test func `unclaimed seats are named by their claims, and an odd element is passed over`() throws {
        let claim = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        let notification = try MintedNotification.verified(
            MintedNotification.payload(
                "UNCLAIM_SEATS", nil,
                #","unclaimInfo":{"unclaimSeatIds":["\#(claim.uppercased())",7,"x",null,{}]}"#))
        #expect(notification.unclaimInfo?.unclaimSeatIDs.map(\.uuidString) == [claim.uppercased()])
        #expect(notification.unclaimInfo?.originalTransactionID == nil)
        for part in [#"{"unclaimSeatIds":7}"#, "{}"] {
            let odd = try MintedNotification.verified(
                MintedNotification.payload("UNCLAIM_SEATS", nil, #","unclaimInfo":\#(part)"#))
            #expect(odd.unclaimInfo?.unclaimSeatIDs == [] && odd.meaning == .seatsUnclaimed)
        }
    }
}
