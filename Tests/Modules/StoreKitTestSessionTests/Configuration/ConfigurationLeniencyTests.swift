import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// What files by hand, by tools and of other versions have, and whose meaning is clear.
@Suite struct ConfigurationLeniencyTests {
    private func configuration(_ text: String) throws -> StoreKitConfiguration {
        try StoreKitConfiguration(Array(text.utf8))
    }

    private func example() throws -> String {
        String(decoding: try Garden.configuration().encoded, as: UTF8.self)
    }

    private func plus(_ old: String, _ new: String) throws -> ConfiguredProduct.Subscription {
        let configuration = try Garden.configuration(replacing: old, by: new)
        return try #require(configuration.product(Garden.monthly)?.subscription)
    }

    @Test func `a file with nothing but its version is empty, with Apple's defaults`() throws {
        let configuration = try configuration(#"{"version":{"major":1}}"#)
        #expect(configuration.products.isEmpty && configuration.groups.isEmpty)
        #expect(configuration.version == (1, 0))
        let settings = configuration.settings
        #expect(settings.storefront == "USA" && settings.localeIdentifier == "en_US")
        #expect(settings.timeRate == .realTime && settings.simulatedErrors.isEmpty)
        let switches = [
            settings.askToBuyEnabled, settings.interruptedPurchasesEnabled, settings.disableDialogs,
            settings.shouldEnterBillingRetryOnRenewal, settings.billingGracePeriodIsEnabled,
        ]
        #expect(!switches.contains(true))
    }

    @Test func `a byte order mark and Windows' line breaks do not matter`() throws {
        let windows =
            [0xef, 0xbb, 0xbf] + Array(try example().replacingOccurrences(of: "\n", with: "\r\n").utf8)
        let configuration = try StoreKitConfiguration(windows)
        #expect(configuration.products == (try Garden.configuration().products))
        let isXcodes = configuration.encoded == (try Garden.configuration().encoded)
        #expect(isXcodes)
    }

    private static let prices: [(String, String)] = [
        ("\"\"", "0"), ("null", "0"), ("\"5\"", "5"), ("\"5.\"", "5"), ("\".5\"", "0.5"),
        ("\"0,99\"", "0.99"),
        ("\"9,9\"", "9.9"), ("\" 1.99 \"", "1.99"), ("\"1.990000\"", "1.99"), ("4.99", "4.99"), ("12", "12"),
        ("\"0.999\"", "0.999"), ("\"9999999999\"", "9999999999"),
    ]

    @Test(arguments: prices)
    func `a price is read in every usual spelling`(written: String, price: String) throws {
        let configuration = try Garden.configuration(replacing: #""0.99""#, by: written)
        #expect(configuration.product(Garden.seeds)?.price == Decimal(string: price))
    }

    @Test func `a price with many decimals is rounded in payloads`() async throws {
        let session = try Garden.session(replacing: #""0.99""#, by: #""0.99999""#)
        #expect(try await session.bought(Garden.seeds).price == 1)
    }

    @Test func `lengths in other units are those that Xcode writes`() throws {
        let offer = try plus(#""subscriptionPeriod" : "P1W""#, #""subscriptionPeriod" : "P7D""#)
        #expect(offer.introductoryOffer?.period == .init(value: 1, unit: .week))
        let year = try Garden.configuration(replacing: #"Period" : "P1Y""#, by: #"Period" : "P12M""#)
        #expect(year.product(Garden.yearly)?.subscription?.period == .init(value: 1, unit: .year))
    }

    @Test func `an offer has its other name without an identifier, or is left out`() throws {
        for new in [#""x" : 1"#, #""offerID" : """#] {
            let named = try plus(#""offerID" : "spring""#, new)
            #expect(named.promotionalOffers.map(\.id) == ["Spring"])
        }
        let code = try plus(#""referenceName" : "fair""#, #""referenceName" : null"#)
        #expect(code.codeOffers.map(\.id) == ["5AD00022"])
        let none = try plus(#""paymentMode" : "free""#, #""paymentMode" : "none""#)
        #expect(none.introductoryOffer == nil && none.winBackOffers.isEmpty)
    }

    @Test func `offers of version 5 for plans that are billed up front come first`() throws {
        let list = """
            "introductoryOffers" : [
              { "billingPlanType" : "MONTHLY", "internalID" : "B", "paymentMode" : "free", "subscriptionPeriod" : "P3D" },
              { "billingPlanType" : "BILLED_UPFRONT", "internalID" : "A", "paymentMode" : "free", "subscriptionPeriod" : "P2W" }
            ], "introductoryOffer"
            """
        let text = try example().replacingOccurrences(of: "\"introductoryOffer\"", with: list)
        let start = try #require(text.range(of: "\"introductoryOffer\" : {")?.lowerBound)
        let end = try #require(text[start...].firstIndex(of: "}"))
        let changed = text.replacingCharacters(in: start...end, with: "\"introductoryOffer\" : null")
        let subscription = try configuration(changed).product(Garden.monthly)?.subscription
        #expect(subscription?.introductoryOffer?.period == .init(value: 2, unit: .week))
    }

    @Test func `what is missing, empty or misspelt has the meaning that its place gives it`() throws {
        for (old, new) in [
            (#""type" : "RecurringSubscription""#, #""x" : null"#), (#""id" : "5AD00010","#, ""),
        ] {
            #expect(try plus(old, new).groupID == Garden.group)
        }
        #expect(try plus(#""groupNumber" : 2"#, #""rank" : 2"#).groupLevel == 1)
        #expect(try plus(#""codeOffers""#, #""olderOffers""#).codeOffers.isEmpty)
        let shared = try Garden.configuration(replacing: "familyShareable", by: "familySharable")
        #expect(shared.product(Garden.greenhouse)?.isFamilyShareable == true)
        let store = try Garden.configuration(
            replacing: #""_storefront" : "USA""#, by: #""_storefront" : """#)
        #expect(store.settings.storefront == "USA")
        let locale = try Garden.configuration(replacing: #""_locale" : "en_US""#, by: #""_locale" : """#)
        #expect(locale.settings.localeIdentifier == "en_US")
        for new in ["null", "[]", #"[ { "locale" : null } ]"#] {
            let text = try example().replacingOccurrences(
                of: "\"localizations\" : [", with: "\"localizations\" : \(new), \"x\" : [")
            #expect(try configuration(text).products.count == 6, "\(new)")
        }
    }

    @Test func `layouts are kept: escaped slashes, and no line break at the end`() throws {
        let text = try example().replacingOccurrences(of: "A bag of seeds", with: #"half\/half"#)
        let configuration = try configuration(text.trimmingCharacters(in: .newlines))
        let isSame = configuration.encoded == Array(text.trimmingCharacters(in: .newlines).utf8)
        #expect(isSame)
        #expect(configuration.product(Garden.seeds)?.localizations.first?.description == "half/half")
    }

    @Test func `unknown members are kept, with numbers as they were written`() throws {
        let text = try example().replacingOccurrences(
            of: "\"version\" : {",
            with:
                "\"odd\" : [\n    1.50,\n    1e5,\n    -0,\n    \"ä€😀\\u0007\",\n    {\n\n    }\n  ],\n  \"version\" : {"
        )
        let isSame = try configuration(text).encoded == Array(text.utf8)
        #expect(isSame)
    }

    @Test func `settings of the file are the session's`() async throws {
        let settings = """
            "settings" : { "_askToBuyEnabled" : true, "_billingIssuesEnabled" : true,
            "_renewalBillingIssuesEnabled" : true, "_billingGracePeriodEnabled" : true, "_disableDialogs" : true,
            "_timeRate" : 1005, "_storefront" : "JPN", "_locale" : "ja", "_storeKitErrors" : [
            { "name" : "Load Products", "enabled" : true, "current" : { "type" : "generic", "index" : 4 } },
            { "name" : "Purchase", "enabled" : true, "current" : { "type" : "purchase", "index" : 1 } },
            { "name" : "Verification", "enabled" : true, "current" : { "type" : "verification", "index" : 0 } },
            { "name" : "App Store Sync", "enabled" : false, "current" : { "type" : "generic", "index" : 2 } },
            { "name" : "App Transaction", "enabled" : true, "current" : { "type" : "generic", "index" : 99 } },
            { "name" : "Tea", "enabled" : true, "current" : null } ] }, "x"
            """
        let session = try Garden.session(replacing: "\"settings\"", by: settings)
        #expect(session.switches == Array(repeating: true, count: 5))
        #expect(session.timeRate == .oneRenewalEveryTwoSeconds && session.storefront == "JPN")
        #expect(session.locale.identifier == "ja")
        #expect(await session.simulatedError(forAPI: .loadProducts) == .generic(.notAvailableInStorefront))
        #expect(await session.simulatedError(forAPI: .purchase) == .purchase(.productUnavailable))
        #expect(await session.simulatedError(forAPI: .verification) == .verification(.revokedCertificate))
        #expect(await session.simulatedError(forAPI: .appStoreSync) == nil)
        #expect(await session.simulatedError(forAPI: .appTransaction) == nil)
    }
}
