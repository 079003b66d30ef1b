import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// The settings of a session, and the errors that it simulates.
@Suite struct SessionSettingTests {
    @Test func `a reset brings the settings of the file back, and keeps transactions`() async throws {
        let session = try Garden.session()
        try await session.bought(Garden.greenhouse)
        session.askToBuyEnabled = true
        try session.buyProduct(productIdentifier: Garden.seeds)
        session.interruptedPurchasesEnabled = true
        session.disableDialogs = true
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = true
        session.timeRate = .oneRenewalEveryMinute
        session.storefront = "FRA"
        session.locale = Locale(identifier: "fr_FR")
        try await session.setSimulatedError(.generic(.unknown), forAPI: .loadProducts)
        session.resetToDefaultState()
        #expect(!session.switches.contains(true))
        #expect(session.timeRate == .realTime && session.storefront == "USA")
        #expect(session.locale.identifier == "en_US")
        #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
        #expect(session.allTransactions().map(\.state) == [.purchased, .deferred])
        await session.expect(entitled: [Garden.greenhouse])
    }

    private static let storefronts: [(String, String, String, String)] = [
        ("USA", "en_US", "$4.99", "USD"), ("FRA", "fr_FR", "4,99\u{a0}€", "EUR"),
        ("DEU", "en_US", "€4.99", "EUR"),
        ("JPN", "ja_JP", "¥5", "JPY"), ("GBR", "en_GB", "£4.99", "GBP"),
    ]

    @Test(arguments: storefronts)
    func `the storefront gives the currency, the language the form`(
        storefront: String, locale: String, text: String, currency: String
    ) async throws {
        let session = try Garden.session()
        session.storefront = storefront
        session.locale = Locale(identifier: locale)
        let product = try await session.product(Garden.monthly)
        let shown = product.displayPrice.replacingOccurrences(of: "\u{202f}", with: "\u{a0}")
            .replacingOccurrences(of: "￥", with: "¥")
        #expect(shown == text && product.price == Decimal(string: "4.99"))
        let transaction = try await session.bought(Garden.premium)
        #expect(
            transaction.storefront.countryCode == storefront && transaction.currency?.identifier == currency)
    }

    @Test func `an unknown storefront or language is an error until it is known again`() async throws {
        let session = try Garden.session()
        func products() async throws -> Int {
            try await session.run { try await Product.products(for: [Garden.seeds]).count }
        }
        func refusal(_ body: () async throws -> Void) async -> String? {
            await (#expect(throws: SKTestError.self) { try await body() })?.description
        }
        for code in ["XXX", "usa", "", "US"] {
            session.storefront = code
            for sentence in [
                await refusal { _ = try await products() },
                await refusal { try session.buyProduct(productIdentifier: Garden.seeds) },
                await refusal { try await session.buyProduct(identifier: Garden.monthly) },
            ] {
                #expect(sentence?.hasPrefix("\"\(code)\" is not a storefront") == true)
            }
        }
        #expect(session.allTransactions().isEmpty)
        session.storefront = "XKS"
        for identifier in ["xx_US", "en_XX", ""] {
            session.locale = Locale(identifier: identifier)
            let sentence = await refusal { _ = try await products() }
            #expect(sentence?.contains("is not a locale") == true)
        }
        for identifier in ["nb", "zh_Hans_CN", "de-CH", "en_US@currency=EUR", "es_419"] {
            session.locale = Locale(identifier: identifier)
            #expect(try await products() == 1)
        }
        try await session.bought(Garden.seeds)
    }

    private static let languages: [(String, String)] = [
        ("en_US", "A"), ("en-US", "A"), ("en_GB", "A"), ("de_CH", "B"), ("de", "B"), ("zh_Hant_TW", "D"),
        ("zh-Hans-CN", "C"), ("pt_PT", "F"), ("pt_BR", "E"), ("ko_KR", "A"),
    ]

    @Test(arguments: languages)
    func `names are in the session's language, or the nearest`(locale: String, name: String) async throws {
        let names = [
            ("en_US", "A"), ("de", "B"), ("zh_Hans", "C"), ("zh_Hant", "D"), ("pt_BR", "E"), ("pt_PT", "F"),
        ]
        let list = names.map { #"{ "locale" : "\#($0.0)", "displayName" : "\#($0.1)", "description" : "" }"# }
        let first = #""description" : "A bag of seeds""#
        let others = list.joined(separator: ",").dropFirst()
        let session = try Garden.session(replacing: first, by: "\(others), { \(first)")
        session.locale = Locale(identifier: locale)
        #expect(try await session.product(Garden.seeds).displayName == name)
    }

    @Test func `unavailable products are left out, and each comes once`() async throws {
        let session = try Garden.session()
        let identifiers = [Garden.seeds, "tea", Garden.greenhouse, Garden.seeds]
        let products = try await session.run { try await Product.products(for: identifiers) }
        #expect(products.map(\.id) == [Garden.seeds, Garden.greenhouse])
        #expect(products[1].isFamilyShareable && products[1].type == .nonConsumable)
        let none = try await session.run { try await Product.products(for: []) }
        #expect(none.isEmpty)
    }

    // MARK: - Simulated errors

    private struct Offline: Error, Equatable {}

    @Test func `loading, synchronizing and the app's transaction fail as asked`() async throws {
        let session = try Garden.session()
        try await session.setSimulatedError(.generic(.networkError(Offline())), forAPI: .loadProducts)
        #expect(await session.simulatedError(forAPI: .loadProducts) == .generic(.networkError(Offline())))
        await #expect(throws: StoreKitError.networkError(Offline())) {
            try await session.run { _ = try await Product.products(for: [Garden.seeds]) }
        }
        try await session.setSimulatedError(nil, forAPI: .loadProducts)
        #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
        try await session.bought(Garden.seeds)
        try await session.setSimulatedError(.generic(.userCancelled), forAPI: .appStoreSync)
        await #expect(throws: StoreKitError.userCancelled) {
            try await session.run { try await AppStore.sync() }
        }
        try await session.setSimulatedError(.generic(.systemError(Offline())), forAPI: .appTransaction)
        await #expect(throws: StoreKitError.systemError(Offline())) {
            try await session.run { _ = try await AppTransaction.shared }
        }
        try await session.setSimulatedError(nil, forAPI: .appStoreSync)
        try await session.run { try await AppStore.sync() }
    }

    @Test func `a purchase fails, or is cancelled, and purchases outside of the app do not`() async throws {
        let session = try Garden.session()
        try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
        await session.refuses(Product.PurchaseError.productUnavailable, Garden.seeds)
        try await session.setSimulatedError(.generic(.notEntitled), forAPI: .purchase)
        await session.refuses(StoreKitError.notEntitled, Garden.seeds)
        try await session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
        #expect(try await session.buy(Garden.seeds) == .userCancelled)
        #expect(session.allTransactions().isEmpty)
        try await session.buyProduct(identifier: Garden.greenhouse)
        await session.expect(entitled: [Garden.greenhouse])
        try await session.setSimulatedError(nil, forAPI: .purchase)
        try await session.bought(Garden.seeds)
    }

    @Test func `statuses cannot be had, and entitlements can`() async throws {
        let session = try Garden.session()
        let bought = try await session.bought(Garden.monthly)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .subscriptionStatus)
        try await session.expect(nil)
        let single = await session.run { await bought.subscriptionStatus }
        #expect(single == nil)
        await session.expect(entitled: [Garden.monthly])
        try await session.setSimulatedError(nil, forAPI: .subscriptionStatus)
        try await session.expect(.subscribed)
    }

    @Test func `everything that the app gets is unverified`() async throws {
        let session = try Garden.session()
        try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
        let result = try await session.buy(Garden.greenhouse)
        guard case .success(.unverified(let transaction, .invalidSignature)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(transaction.productID == Garden.greenhouse)
        #expect(await session.entitled().isEmpty, "the helper wants verified ones")
        let latest = await session.run { await Transaction.latest(for: Garden.greenhouse) }
        #expect(isUnverified(latest, transaction.id))
        let update = await session.run {
            var updates = Transaction.updates.makeAsyncIterator()
            return await updates.next()
        }
        #expect(isUnverified(update, transaction.id))
        let app = try await session.run { try await AppTransaction.shared }
        guard case .unverified(_, .invalidSignature) = app else {
            Issue.record("\(app)")
            return
        }
        // What is bought outside of the app is returned all the same.
        try await session.buyProduct(identifier: Garden.seeds)
        try await session.setSimulatedError(nil, forAPI: .verification)
        await session.expect(entitled: [Garden.greenhouse])
    }

    private func isUnverified(_ result: VerificationResult<Transaction>?, _ id: UInt64) -> Bool {
        guard case .unverified(let transaction, .invalidSignature) = result else { return false }
        return transaction.id == id
    }

    @Test func `errors of sheets are kept, each for itself`() async throws {
        let session = try Garden.session()
        try await session.setSimulatedError(.generic(.unknown), forAPI: .manageSubscriptions)
        try await session.setSimulatedError(.refundRequest(.duplicateRequest), forAPI: .refundRequest)
        try await session.setSimulatedError(.generic(.notEntitled), forAPI: StoreKitOfferCodeRedeemAPI())
        #expect(await session.simulatedError(forAPI: .manageSubscriptions) == .generic(.unknown))
        #expect(await session.simulatedError(forAPI: .refundRequest) == .refundRequest(.duplicateRequest))
        #expect(await session.simulatedError(forAPI: .offerCodeRedeem) == .generic(.notEntitled))
        #expect(await session.simulatedError(forAPI: .purchase) == nil)
        try await session.bought(Garden.seeds)
    }
}
