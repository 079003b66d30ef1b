internal import WireFormats

/// Items, as a request of an app's server describes them.
extension Simulation.AdvancedCommerce.Item {
    /// - Parameter region: the customer's, whose currency the prices fit.
    init(sold item: JSONTree, in region: Region) throws(AdvancedCommerceCode) {
        let price = try item.price(in: region)
        self.init(
            sku: try item.text(.sku), displayName: try item.text(.displayName),
            description: try item.text(.description), price: price)
        offer = try item.offer(below: price, in: region)
    }
}

extension Simulation.AdvancedCommerce.Terms {
    /// The most items. Apple does not publish the number; this one keeps sums of prices far from the largest integer.
    static let limit = 100
}

extension JSONTree {
    private static let offerPeriods: Set = ["P3D", "P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P9M", "P1Y"]
    private static let offerReasons: Set = ["ACQUISITION", "WIN_BACK", "RETENTION"]

    /// The transaction that a request is about.
    func transactionID() throws(AdvancedCommerceCode) -> UInt64 {
        guard let text = present("transactionId") else { throw .nullTransactionID }
        guard let identifier = UInt64(text.stringValue ?? "") else { throw .invalidTransactionID }
        return identifier
    }

    /// The offer of an item; `nil` if it has none.
    ///
    /// - Parameter price: the item's own.
    fileprivate func offer(
        below price: Int, in region: Region
    ) throws(AdvancedCommerceCode) -> Simulation.AdvancedCommerce.ItemOffer? {
        guard let offer = present("offer") else { return nil }
        guard let length = offer.present("period") else { throw .nullOfferPeriod }
        guard let period = length.stringValue, Self.offerPeriods.contains(period) else {
            throw .invalidOfferPeriod
        }
        guard let number = offer.present("periodCount") else { throw .nullPeriodCount }
        guard let count = number.wholeNumber, count <= 12 else { throw .invalidOfferPeriodCount }
        guard count > 0 else { throw .periodCountNotPositive }
        guard let purpose = offer.present("reason") else { throw .nullReason }
        guard let reason = purpose.stringValue, Self.offerReasons.contains(reason) else {
            throw .invalidOfferReason
        }
        let offerPrice = try offer.price(in: region)
        guard offerPrice <= price else { throw .invalidOfferPrice }
        guard offerPrice > 0 || count == 1 else { throw .freeTrialOfferMustUsePeriodCountOfOne }
        return .init(
            period: period, periodCount: count, price: offerPrice, reason: reason, periodsLeft: count)
    }
}
