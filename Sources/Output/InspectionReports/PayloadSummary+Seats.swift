internal import Essentials
internal import StoreKitVerify
internal import WireFormats

/// The lines of a summary about a subscription for several people.
extension PayloadSummary {
    /// Adds the seats of a transaction, and their price together: its own price is the average of one seat.
    mutating func addSeats(_ seats: PurchaseFields, of transaction: PurchaseFields) {
        let currency = transaction.fields.string("currency")
        if let (charge, amounts) = seats.seatCharge("priceTiers", currency) {
            add("Price", charge + " for all seats", amounts)
        } else if let (price, amounts) = transaction.amount("price") {
            add("Price", price + " for a seat, on average", amounts)
        }
        let tiers = seats.priceTiers("priceTiers").prefix(Self.maximumTiers).map { tier in
            "\(tier.quantity) for \(ShownText.amount(tier.price, currency))"
        }
        add(
            "Seats",
            [transaction.fields.integer("quantity").map { "\($0)" }, tiers.joined(separator: ", ")]
                .compactMap { $0.flatMap { $0.isEmpty ? nil : $0 } }.joined(separator: ": "))
        if let revoked = seats.fields.integer("revokedSeatQuantity") {
            add("Refunded", Self.seats(revoked))
        }
        add(
            "Invitations",
            seats.text("invitationManagement").map {
                Transaction.MultiSeatInfo.InvitationManagement.text(of: $0) ?? $0
            })
        add("Additional", transaction.text("additionalTransactionReason"))
    }

    /// The price of the next period, for all seats if there are several.
    func renewalPrice(_ fields: PurchaseFields) -> (text: String, amounts: [Amount])? {
        guard
            let seats = fields.object(
                "multiSeatInfo", Product.SubscriptionInfo.RenewalInfo.MultiSeatInfo.form)
        else { return fields.amount("renewalPrice") }
        return seats.seatCharge("renewalPriceTiers", fields.fields.string("currency"))
            ?? fields.amount("renewalPrice").map { ($0.text + " a seat, on average", $0.amounts) }
    }

    static func seats(_ number: Int) -> String { "\(number) \(number == 1 ? "seat" : "seats")" }

    /// Apple's products have up to five tiers.
    private static let maximumTiers = 5
}

extension PurchaseFields {
    /// The sum of the price tiers in a member.
    fileprivate func seatCharge(
        _ name: String, _ currency: String?
    ) -> (text: String, amounts: [PayloadSummary.Amount])? {
        fields.seatCharge(name).map { amount($0, currency) }
    }

    /// The price tiers in a member that can be read, in the payload's order.
    fileprivate func priceTiers(_ name: String) -> [(price: Decimal, quantity: Int)] {
        (fields.objects(name, names: Transaction.MultiSeatInfo.PriceTier.form.names) ?? []).compactMap {
            tier in
            guard let price = tier.thousandths("price"), let quantity = tier.integer("quantity") else {
                return nil
            }
            return (price, quantity)
        }
    }
}
