import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Buys everything that the files of public projects sell.
@Suite(.needsGenuineFiles) struct GenuineOfferTests {
    @Test func `every product can be bought, and its transaction says what the file says`() async throws {
        for (name, configuration) in try GenuineFiles.configurations() {
            try await buyAll(configuration, Comment(rawValue: name))
        }
    }

    private func buyAll(_ configuration: StoreKitConfiguration, _ name: Comment) async throws {
        let session = try Garden.session(configuration)
        session.askToBuyEnabled = false
        session.interruptedPurchasesEnabled = false
        for product in configuration.products {
            // A new customer gets the introductory offer.
            let customer = session.newCustomer()
            customer.askToBuyEnabled = false
            customer.interruptedPurchasesEnabled = false
            let transaction = try await customer.bought(product.id)
            #expect(transaction.productID == product.id && transaction.productType == product.type, name)
            try check(transaction, product, product.subscription?.introductoryOffer, customer, name)
        }
    }

    @Test func `every offer can be redeemed after the subscription has expired`() async throws {
        var count = 0
        for (name, configuration) in try GenuineFiles.configurations() {
            count += try await redeemAll(configuration, Comment(rawValue: name))
        }
        #expect(count > 20)
    }

    private func redeemAll(_ configuration: StoreKitConfiguration, _ name: Comment) async throws -> Int {
        let session = try Garden.session(configuration)
        var count = 0
        for product in configuration.products {
            guard let subscription = product.subscription else { continue }
            for offer in subscription.offers where offer.type != .introductory {
                let customer = session.newCustomer()
                customer.askToBuyEnabled = false
                customer.interruptedPurchasesEnabled = false
                try await redeem(offer, product, customer, name)
                count += 1
            }
        }
        return count
    }

    private func redeem(
        _ offer: ConfiguredOffer, _ product: ConfiguredProduct, _ customer: SKTestSession, _ name: Comment
    ) async throws {
        let allowed = offer.eligibility
        if allowed.isEmpty || allowed.contains("expired") {
            try await customer.bought(product.id, [])
            try customer.expireSubscription(productIdentifier: product.id)
        } else if !allowed.contains("new") {
            // Only present subscribers may redeem it: it begins with the next period.
            try await customer.bought(product.id)
        }
        var transaction = try await customer.bought(product.id, [option(offer, product, customer)])
        if transaction.offer?.type != offer.type {
            try customer.forceRenewalOfSubscription(productIdentifier: product.id)
            transaction = try await #require(
                customer.run { await Transaction.latest(for: product.id) }
            ).payloadValue
        }
        try check(transaction, product, offer, customer, name)
    }

    private func option(
        _ offer: ConfiguredOffer, _ product: ConfiguredProduct, _ customer: SKTestSession
    ) async throws -> Product.PurchaseOption {
        let id = offer.id ?? ""
        switch offer.type {
        case .promotional: return .promotionalOffer(id: id)
        case .code: return .codeOffer(referenceName: id)
        default:
            let sold = try await customer.run { try await Product.products(for: [product.id]) }
            let offers = try #require(sold.first?.subscription?.winBackOffers)
            return .winBackOffer(try #require(offers.first { $0.id == id }))
        }
    }

    private func check(
        _ transaction: Transaction, _ product: ConfiguredProduct, _ offer: ConfiguredOffer?,
        _ customer: SKTestSession, _ name: Comment
    ) throws {
        #expect(transaction.price == offer?.price ?? product.price, name)
        #expect(transaction.currency?.identifier == currency(customer.storefront), name)
        #expect(transaction.subscriptionGroupID == product.subscription?.groupID, name)
        #expect(transaction.offer?.type == offer?.type && transaction.offer?.id == offer?.id, name)
        #expect(transaction.offer?.paymentMode == offer?.paymentMode, name)
        // Apple's page "offerPeriod": the duration of the whole offer.
        let whole = offer.map {
            Product.SubscriptionPeriod(value: $0.period.value * $0.periodCount, unit: $0.period.unit)
        }
        #expect(transaction.offer?.period == whole, name)
        #expect(transaction.environment == .sandbox && transaction.purchasedQuantity == 1, name)
        guard let subscription = product.subscription else {
            #expect(transaction.expirationDate == nil, name)
            return
        }
        let isWhole = offer.map { $0.paymentMode != .payAsYouGo } ?? false
        let period = isWhole ? offer?.period ?? subscription.period : subscription.period
        let count = isWhole ? offer?.periodCount ?? 1 : 1
        let actual = try #require(transaction.expirationDate).timeIntervalSince(transaction.purchaseDate)
        let expected = length(period, count, customer.timeRate, from: transaction.purchaseDate)
        #expect(abs(actual - expected) < 0.01, name)
    }

    private func currency(_ storefront: String) -> String {
        [
            "USA": "USD", "PRT": "EUR", "FRA": "EUR", "ESP": "EUR", "DEU": "EUR", "CHN": "CNY", "JPN": "JPY",
            "COL": "COP", "MEX": "MXN", "NOR": "NOK",
        ][
            storefront] ?? storefront
    }

    /// The length of a period in seconds, by Foundation's calendar or Apple's table.
    private func length(
        _ period: Product.SubscriptionPeriod, _ count: Int, _ rate: SKTestSession.TimeRate, from start: Date
    ) -> Double {
        guard rate == .realTime else {
            return ApplesTable.seconds(of: period, at: rate) * Double(count)
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let units: [Product.SubscriptionPeriod.Unit: Calendar.Component] = [
            .day: .day, .week: .weekOfYear, .month: .month, .year: .year,
        ]
        let end = calendar.date(
            byAdding: units[period.unit] ?? .day, value: period.value * count, to: start)
        return end?.timeIntervalSince(start) ?? 0
    }
}
