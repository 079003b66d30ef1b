internal import CompactJWS
public import Essentials
public import StoreKitVerify
internal import WireFormats

/// The purchase options that StoreKitTest adds.
extension Product.PurchaseOption {
    /// The events that follow a purchase in the past.
    public enum SubscriptionRenewalBehavior: String, Codable, Hashable, Sendable {
        /// The subscription renews up to now.
        case renewUntilNow
        /// The subscription ends with its first period.
        case cancelImmediately
    }

    /// Makes the purchase in the past.
    ///
    /// - Parameters:
    ///   - date: not later than the session's present time.
    ///   - renewalBehavior: what follows the purchase of a subscription.
    public static func purchaseDate(
        _ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow
    ) -> Product.PurchaseOption { .init(.purchaseDate(date, renews: renewalBehavior == .renewUntilNow)) }

    /// Redeems an offer code.
    ///
    /// - Parameter referenceName: the name of the offer in the `.storekit` file.
    public static func codeOffer(referenceName: String) -> Product.PurchaseOption {
        .init(.codeOffer(referenceName))
    }

    /// Redeems a promotional offer. No signature is needed.
    ///
    /// - Parameter id: the identifier of the offer in the `.storekit` file.
    public static func promotionalOffer(id: String) -> Product.PurchaseOption { .init(.promotionalOffer(id)) }
}

extension PurchaseRequest {
    /// The options that a session handles itself are left out: a date in the past, and a parent's approval.
    init(_ productID: String, _ options: Set<Product.PurchaseOption>) {
        self.init(productID: productID)
        for option in options {
            switch option.kind {
            case .appAccountToken(let token): appAccountToken = token
            case .quantity(let count): quantity = count
            case .promotionalOffer(let id, _): offer = .promotional(id)
            case .winBackOffer(let winBack): offer = .winBack(winBack.id ?? "")
            case .codeOffer(let name): offer = .code(name)
            case .introductoryOfferEligibility(let jws):
                introductoryOfferEligibility = Self.allowsIntroductoryOffer(jws)
            case .billingPlan(let plan): isBilledMonthly = plan == .monthly
            case .seats(let count): seats = count
            case .custom("advancedCommerceData", let data): advancedCommerceData = data.map { [UInt8]($0) }
            case .simulatesAskToBuy, .purchaseDate, .custom: break
            }
        }
    }

    /// Whether the server allows an introductory offer, by the payload of its JWS; `nil` if the payload does not say it. The
    /// signature is checked elsewhere.
    private static func allowsIntroductoryOffer(_ compactJWS: String) -> Bool? {
        let token = Array(compactJWS.utf8)
        guard let jws = try? CompactJWS(token.span), let payload = try? JSONTree(jws.payloadBytes.span),
            case .bool(let isAllowed) = payload["allowIntroductoryOffer"]
        else { return nil }
        return isAllowed
    }
}

extension Simulation {
    /// Buys a product, at the present time or at the date among the options.
    mutating func purchase(
        _ productID: String, _ options: Set<Product.PurchaseOption>, by customer: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        var request = PurchaseRequest(productID, options)
        request.beginning = now
        for case .purchaseDate(let date, let renews) in options.map(\.kind) {
            try checkPurchaseDate(date.milliseconds, of: productID, by: customer)
            return try inThePast(date.milliseconds) { (simulation) throws(StoreRefusal) in
                let place = try simulation.purchase(request, by: customer)
                if !renews, let index = simulation.purchases[place].subscription {
                    try simulation.cancel(index)
                }
                return place
            }
        }
        return try purchase(request, by: customer)
    }

    /// A purchase in the past must not come before the periods that the customer has already.
    private func checkPurchaseDate(
        _ date: Int, of productID: String, by customer: CustomerPlace
    ) throws(StoreRefusal) {
        guard date <= now else { throw .notAllowed("the purchase date is in the future") }
        guard let groupID = try product(productID).subscription?.groupID,
            let index = purchases[customer].subscriptions[groupID]
        else { return }
        let latest = purchases[purchases[index].latest]
        let end = purchases[index].isEnded ? latest.expiresDate : nil
        guard date >= end ?? latest.purchaseDate else {
            throw .notAllowed("the purchase date is before the latest period of the customer's subscription")
        }
    }
}
