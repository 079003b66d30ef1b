import Foundation
import RepositoryFiles
import StoreKitVerify
import Testing

/// Words for Apple's values: each value that has a constant has a name and words.
@Suite struct WordsTests {
    /// The constants of a type, by the source: the name, and the value as it is written.
    private static func constants(of type: String) throws -> [String: String] {
        let folder = Repository.file("Sources/StoreKit/StoreKitVerify")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var found: [String: String] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let constant = try Regex<(Substring, Substring, Substring)>(
                #"public static let (\w+) = \#(type)\(\s*rawValue: "?([^")]*)"?\)"#)
            for match in text.matches(of: constant) {
                found[String(match.output.1)] = String(match.output.2)
            }
        }
        return found
    }

    private static func check<Value: WordedValue>(_: Value.Type) throws {
        let type = try #require("\(Value.self)".split(separator: ".").last)
        let constants = try constants(of: String(type))
        #expect(!constants.isEmpty, "\(type) has no constants in the source")
        let words = Dictionary(
            Value.words.map { ($0.name, "\($0.value.rawValue)") }, uniquingKeysWith: { one, _ in one })
        #expect(words == constants, "\(type)")
        for word in Value.words {
            #expect(Value.text(of: word.value.rawValue) == word.text)
            #expect(Value.name(of: word.value.rawValue) == word.name)
            #expect(!word.text.hasSuffix(".") && word.text.first?.isUppercase == false, "\(word.text)")
        }
    }

    @Test func everyConstantHasAName() throws {
        try Self.check(Transaction.OfferType.self)
        try Self.check(Transaction.Offer.PaymentMode.self)
        try Self.check(Transaction.OwnershipType.self)
        try Self.check(Transaction.RevocationReason.self)
        try Self.check(Transaction.MultiSeatInfo.InvitationManagement.self)
        try Self.check(Product.ProductType.self)
        try Self.check(Product.SubscriptionInfo.RenewalState.self)
        try Self.check(Product.SubscriptionInfo.RenewalInfo.ExpirationReason.self)
    }

    @Test(arguments: [
        ("offerType", 1, "introductory offer"), ("revocationReason", 0, "another reason"),
        ("status", 4, "in grace period"), ("expirationIntent", 2, "the customer could not be charged"),
        ("autoRenewStatus", 0, "off"), ("commitmentAutoRenewStatus", 1, "on"),
        ("priceIncreaseStatus", 0, "the customer was asked, and has not answered"),
    ])
    func aNumberHasWords(_ member: String, _ number: Int, _ text: String) {
        #expect(NumberWords.text(of: member, number) == text)
        #expect(NumberWords.text(of: member, 99) == nil)
        #expect(NumberWords.text(of: "quantity", number) == nil)
    }

    @Test func unknownValuesHaveADescription() {
        #expect(Product.SubscriptionInfo.RenewalState(rawValue: 9).localizedDescription == "Unknown")
        #expect(Product.SubscriptionInfo.RenewalState.inGracePeriod.localizedDescription == "In grace period")
        let reason = Product.SubscriptionInfo.RenewalInfo.ExpirationReason(rawValue: 9)
        #expect(reason.localizedDescription == "The reason is not known.")
    }
}
