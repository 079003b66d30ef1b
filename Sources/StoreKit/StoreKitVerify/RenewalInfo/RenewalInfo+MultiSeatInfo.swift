public import Essentials
package import WireFormats

extension Product.SubscriptionInfo.RenewalInfo {
    /// The seats of a subscription that renews for several people.
    public struct MultiSeatInfo: Hashable, Sendable {
        /// The prices of the seats at the next renewal. Apple promises no order. A tier without price or quantity is
        /// left out here, and `renewalCharge` is then `nil`.
        public let renewalPriceTiers: [Transaction.MultiSeatInfo.PriceTier]

        /// The price of all seats at the renewal, as far as the tiers have it now: the sum of price times quantity over them.
        /// `nil` if there are no tiers, or if one cannot be read or has a number below zero.
        public let renewalCharge: Decimal?

        package static let form = PayloadForm("multiseat information", MultiSeatInfo.init)

        init(_ properties: inout PayloadProperties) {
            renewalPriceTiers = properties.objects(
                "renewalPriceTiers", Transaction.MultiSeatInfo.PriceTier.form,
                Transaction.MultiSeatInfo.PriceTier.init)
            renewalCharge = properties.optional(nil, .seatCharge, "renewalPriceTiers")
        }
    }
}
