internal import Essentials
internal import StoreKitVerify

extension Product {
    private typealias Terms = SubscriptionInfo.PricingTerms

    /// The terms of the plan that is billed up front, and of the one that is billed monthly, if there is one. Seats are sold
    /// up front alone.
    static func pricingTerms(
        _ price: Decimal, _ subscription: ConfiguredProduct.Subscription, _ locale: Locale, _ region: Region,
        _ seatSale: SeatSale?
    ) -> [SubscriptionInfo.PricingTerms] {
        func billing(_ price: Decimal, each period: SubscriptionPeriod) -> SubscriptionInfo.BillingInfo {
            .init(price: price, displayPrice: region.text(of: price, locale), period: period)
        }
        let offers =
            (subscription.introductoryOffer.map { [$0] } ?? []) + subscription.promotionalOffers
            + subscription.winBackOffers
        func terms(_ plan: SubscriptionInfo.BillingPlanType, _ model: Terms.PricingModel) -> Terms {
            Terms(
                billingPlanType: plan,
                billingPeriod: plan == .monthly ? .init(value: 1, unit: .month) : subscription.period,
                pricingModel: model,
                subscriptionOffers: offers.filter { ($0.billingPlan == "MONTHLY") == (plan == .monthly) }.map
                {
                    SubscriptionOffer($0, locale, region)
                })
        }
        let upFront: Terms.PricingModel
        if let seatSale {
            upFront = .seatBased(seatSale.pricing(price) { billing($0, each: subscription.period) })
        } else {
            upFront = .singlePrice(
                .init(
                    billingInfo: billing(price, each: subscription.period),
                    commitmentInfo: .init(price: price)))
        }
        guard let plan = subscription.monthlyPlan else { return [terms(.upFront, upFront)] }
        let monthly = Terms.SinglePrice(
            billingInfo: billing(plan.price, each: .init(value: 1, unit: .month)),
            commitmentInfo: .init(price: plan.commitmentPrice))
        return [terms(.upFront, upFront), terms(.monthly, .singlePrice(monthly))]
    }
}

extension SeatSale {
    /// The prices of seats, as StoreKit lists them.
    ///
    /// - Parameters:
    ///   - price: of the product, which each seat costs where there are no tiers.
    ///   - billing: how one seat is billed, by its price.
    fileprivate func pricing(
        _ price: Decimal, _ billing: (Decimal) -> Product.SubscriptionInfo.BillingInfo
    ) -> Product.SubscriptionInfo.PricingTerms.SeatBasedPricing {
        guard !tiers.isEmpty else {
            return .init(priceTiers: [.init(minimumSeats: 1, maximumSeats: nil, billingInfo: billing(price))])
        }
        var first = 1
        return .init(
            priceTiers: tiers.map { tier in
                // A tier has at most as many seats as a subscription, so that the sum of five is small.
                let last = tier.seats.map { first + $0 - 1 }
                defer { first = (last ?? first) + 1 }
                return .init(
                    minimumSeats: first, maximumSeats: last, billingInfo: billing(Decimal(tier.price) / 1000))
            })
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
