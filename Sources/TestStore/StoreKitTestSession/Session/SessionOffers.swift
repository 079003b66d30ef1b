internal import StoreKitVerify

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Product {
    /// The terms of the plan that is billed up front, and of the one that is billed monthly, if there is one.
    static func pricingTerms(
        _ price: Decimal, _ subscription: ConfiguredProduct.Subscription, _ locale: Locale, _ region: Region
    ) -> [SubscriptionInfo.PricingTerms] {
        typealias Terms = SubscriptionInfo.PricingTerms
        func terms(
            _ plan: SubscriptionInfo.BillingPlanType, _ price: Decimal, each period: SubscriptionPeriod,
            commitment: Decimal
        ) -> Terms {
            let billing = SubscriptionInfo.BillingInfo(
                price: price, displayPrice: region.text(of: price, locale), period: period)
            let offers =
                (subscription.introductoryOffer.map { [$0] } ?? []) + subscription.promotionalOffers
                + subscription.winBackOffers
            return Terms(
                billingPlanType: plan, billingPeriod: period,
                pricingModel: .singlePrice(
                    Terms.SinglePrice(billingInfo: billing, commitmentInfo: .init(price: commitment))),
                subscriptionOffers: offers.filter { ($0.billingPlan == "MONTHLY") == (plan == .monthly) }.map
                {
                    SubscriptionOffer($0, locale, region)
                })
        }
        let upFront = terms(.upFront, price, each: subscription.period, commitment: price)
        let monthly = subscription.monthlyPlan.map {
            terms(.monthly, $0.price, each: .init(value: 1, unit: .month), commitment: $0.commitmentPrice)
        }
        return [upFront] + [monthly].compactMap(\.self)
    }
}

extension Product.SubscriptionOffer {
    init(_ offer: ConfiguredOffer, _ locale: Locale, _ region: Region) {
        self.init(
            id: offer.id, type: offer.type, price: offer.price,
            displayPrice: region.text(of: offer.price, locale),
            period: offer.period, periodCount: offer.periodCount, paymentMode: offer.paymentMode)
    }
}
