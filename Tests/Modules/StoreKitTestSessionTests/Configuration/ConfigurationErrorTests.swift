import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// What is wrong with a file is said with its place.
@Suite struct ConfigurationErrorTests {
    private func failure(_ text: String) -> StoreKitConfigurationError? {
        do throws(StoreKitConfigurationError) {
            _ = try StoreKitConfiguration(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    private static let others: [(String, String, String)] = [
        ("", "", "it is not a .storekit file, which is JSON: "),
        ("book\u{0}\u{0}mark", "", "it is not a .storekit file, which is JSON: "),
        (#"{"version" : {"major" : 4, }"#, "", "it is not a .storekit file, which is JSON: "),
        (
            #"{"a" : 1, "a" : 2}"#, "",
            #"it is not a .storekit file, which is JSON: a second member named "a""#
        ),
        ("[]", "", "it is not a .storekit file, which is a JSON object: found an array"),
        ("{}", "", #"it has no "version""#),
        (#"{"version" : 3}"#, "version", "expected an object, found a number"),
        (#"{"version" : null}"#, "", #"it has no "version""#),
        (#"{"version" : {"minor" : 0}}"#, "version", #"it has no "major""#),
        (#"{"version" : {"major" : "4"}}"#, "version.major", "expected a whole number, found a string"),
        (#"{"version" : {"major" : 4.5}}"#, "version.major", "expected a whole number, found a number"),
        (
            #"{"version" : {"major" : 6, "minor" : 0}}"#, "version.major",
            "version 6 is not known: this tool reads versions 1 to 5"
        ),
        (
            #"{"version" : {"major" : 0, "minor" : 0}}"#, "version.major",
            "version 0 is not known: this tool reads versions 1 to 5"
        ),
    ]

    @Test(arguments: others)
    func `a file that is not a configuration is refused`(text: String, path: String, reason: String) throws {
        let error = try #require(failure(text))
        #expect(error.path == path && error.reason.hasPrefix(reason), "\(error)")
        #expect(error.description == (path.isEmpty ? error.reason : "\(path): \(error.reason)"))
    }

    private static let subscription = "subscriptionGroups[0].subscriptions[0]"

    private static let mistakes: [(String, String, String, String)] = [
        (#""type" : "Consumable""#, #""type" : "Coin""#, "products[0].type", #""Coin" is not a type of"#),
        (#""type" : "Consumable""#, #""type" : null"#, "products[0]", #"it has no "type""#),
        (
            #""type" : "RecurringSubscription""#, #""type" : "Consumable""#, "\(subscription).type",
            #""Consumable" is not a type of product here: RecurringSubscription"#
        ),
        ("com.example.garden.seeds", "", "products[0].productID", "a product's identifier cannot be empty"),
        (
            Garden.seeds, Garden.greenhouse, "products[1].productID",
            #""com.example.garden.greenhouse" is the identifier of another product: products[0]"#
        ),
        (
            #""P1M""#, #""P5M""#, "\(subscription).recurringSubscriptionPeriod",
            #""P5M" is not a length"#
        ),
        (
            #"Period" : "P1Y""#, #"Period" : "P2Y""#,
            "subscriptionGroups[0].subscriptions[2].recurringSubscriptionPeriod", #""P2Y" is not a length"#
        ),
        (#"Period" : "P1Y""#, #"Period" : "P-1Y""#, "subscriptionGroups[0].subscriptions[2].", #""P-1Y" is"#),
        (#""0.99""#, #""$0.99""#, "products[0].displayPrice", #""$0.99" is not a price"#),
        (#""0.99""#, #""-0.99""#, "products[0].displayPrice", #""-0.99" is not a price"#),
        (#""0.99""#, #""1,234""#, "products[0].displayPrice", #""1,234" is not a price"#),
        (#""0.99""#, #""1.234,56""#, "products[0].displayPrice", #""1.234,56" is not a price"#),
        (#""0.99""#, #""12345678901""#, "products[0].displayPrice", #""12345678901" is not a price"#),
        (#""0.99""#, #""free""#, "products[0].displayPrice", #""free" is not a price"#),
        (#""0.99""#, #""1e3""#, "products[0].displayPrice", #""1e3" is not a price"#),
        (#""0.99""#, "-1", "products[0].displayPrice", #""-1" is not a price"#),
        (#""0.99""#, "1e3", "products[0].displayPrice", #""1e3" is not a price"#),
        (#""0.99""#, "true", "products[0].displayPrice", "expected a string, found true or false"),
        (#""0.99""#, "{}", "products[0].displayPrice", "expected a string, found an object"),
        (
            #""groupNumber" : 1"#, #""groupNumber" : 0"#,
            "subscriptionGroups[0].subscriptions[1].groupNumber",
            "levels count from 1 on"
        ),
        (#""groupNumber" : 1"#, #""groupNumber" : -3"#, "subscriptionGroups[0]", "levels count from 1 on"),
        (
            #""groupNumber" : 1"#, #""groupNumber" : 99999999999999999999"#, "subscriptionGroups[0]",
            "expected a whole number, found a number"
        ),
        (
            #""numberOfPeriods" : 2"#, #""numberOfPeriods" : -2"#,
            "\(subscription).adHocOffers[0].numberOfPeriods", "an offer cannot last -2 periods"
        ),
        (
            #""numberOfPeriods" : 2"#, #""numberOfPeriods" : "2""#,
            "\(subscription).adHocOffers[0].numberOfPeriods", "expected a whole number, found a string"
        ),
        (
            #""paymentMode" : "payAsYouGo""#, #""paymentMode" : "barter""#,
            "\(subscription).adHocOffers[0].paymentMode",
            #""barter" is not a way to pay for an offer: free, payAsYouGo or payUpFront"#
        ),
        (
            #""subscriptionGroupID" : "5AD00010""#, #""subscriptionGroupID" : "X""#,
            "\(subscription).subscriptionGroupID", #"the subscription is in the group "5AD00010""#
        ),
        (#""_timeRate" : 0"#, #""_timeRate" : 14"#, "settings._timeRate", "14 is not a rate of time"),
        (#""USA""#, #""US""#, "settings._storefront", #""US" is not a storefront: three capital letters"#),
        (#""USA""#, #""XXX""#, "settings._storefront", #""XXX" is not a storefront: three capital letters"#),
        (
            #""_locale" : "en_US""#, #""_locale" : "xx_US""#, "settings._locale",
            #""xx_US" is not a locale: a"#
        ),
        (
            #""_locale" : "en_US""#, #""_locale" : "en_XX""#, "settings._locale",
            #""en_XX" is not a locale: a"#
        ),
        (
            #""_locale" : "en_US""#, #""_locale" : "english""#, "settings._locale",
            #""english" is not a locale"#
        ),
        (#""_locale" : "en_US""#, #""_locale" : 5"#, "settings._locale", "expected a string, found a number"),
        (
            #""familyShareable" : true"#, #""familyShareable" : "yes""#, "\(subscription).familyShareable",
            "expected true or false, found a string"
        ),
        (
            #""isEligible" : true"#, #""isEligible" : 1"#, "\(subscription).winbackOffers[0].isEligible",
            "expected"
        ),
    ]

    @Test(arguments: mistakes)
    func `a wrong member is named with its place`(old: String, new: String, path: String, reason: String)
        throws
    {
        let example = String(decoding: try Garden.configuration().encoded, as: UTF8.self)
        let text = example.replacingOccurrences(of: old, with: new)
        try #require(text != example)
        let error = try #require(failure(text))
        #expect(error.path.hasPrefix(path) && error.reason.hasPrefix(reason), "\(error)")
        #expect(!error.reason.hasSuffix("."))
    }

    @Test func `a file that is not there, or has another name, is refused`() throws {
        let folder = FileManager.default.temporaryDirectory
        refuses(.invalidURL) { _ = try SKTestSession(contentsOf: folder.appending(path: "a.json")) }
        refuses(.fileNotFound) { _ = try SKTestSession(contentsOf: folder.appending(path: "a.storekit")) }
        let page = try #require(URL(string: "https://example.com/a.storekit"))
        refuses(.invalidURL) { _ = try SKTestSession(contentsOf: page) }
        refuses(.fileNotFound) { _ = try SKTestSession(configurationFileNamed: "No such file") }
        #expect(throws: StoreKitConfigurationError.self) {
            _ = try StoreKitConfiguration(contentsOf: folder.appending(path: "a.storekit"))
        }
    }

    @Test func `nesting without an end is an error`() {
        let error = failure(String(repeating: "[", count: 100_000))
        #expect(error?.reason.contains("JSON") ?? false)
    }
}
