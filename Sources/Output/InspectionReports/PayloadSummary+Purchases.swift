internal import Essentials
internal import StoreKitVerify
internal import WireFormats

extension PayloadSummary {
    /// Adds a transaction's purchase and customer, without the app.
    ///
    /// - Parameter access: the customer's access, if the summary of a notification has it already.
    mutating func addTransaction(_ fields: PurchaseFields, access: String? = nil) {
        let own = rows.isEmpty ? AccessClaim(transaction: fields.json)?.text(fields) : nil
        add("Access", own)
        addProduct(fields)
        if let seats = fields.object("multiSeatInfo", Transaction.MultiSeatInfo.form) {
            addSeats(seats, of: fields)
        } else {
            addPrice(fields)
        }
        addOffer(fields, label: "Offer")
        addCustomer(fields)
        addPurchaseDate(fields)
        let end = fields.dateText("expiresDate")
        if let end, (access ?? own)?.contains(end) != true { add("Expires", end) }
        if fields.fields.bool("isUpgraded") == true {
            add("Upgraded", "yes, the customer moved on to a higher level")
        }
        addRevocation(fields)
        let isPurchased = fields.text("inAppOwnershipType") == Transaction.OwnershipType.purchased.rawValue
        if access == nil || !isPurchased {
            add(
                "Ownership",
                fields.text("inAppOwnershipType").map { Transaction.OwnershipType.text(of: $0) ?? $0 })
        }
    }

    /// Adds the subscription's future by its renewal information.
    mutating func addRenewal(_ fields: PurchaseFields) {
        addRenewalDate(fields)
        if let reason = fields.fields.integer("expirationIntent") {
            let sentence = Product.SubscriptionInfo.RenewalInfo.ExpirationReason(rawValue: reason)
                .localizedDescription
            add("Expired", "\(sentence) (\(reason))")
        }
        if fields.fields.bool("isInBillingRetryPeriod") == true {
            add("Retry", "the App Store is still trying to charge the customer")
        }
        add("Grace", fields.dateText("gracePeriodExpiresDate").map { "until \($0)" })
        let increase = fields.fields.integer("priceIncreaseStatus")
        add("Price rise", Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus(number: increase).text)
        addOffer(fields, label: "Next offer")
        let offers = (fields.fields.strings("eligibleWinBackOfferIds") ?? []).prefix(3).map(ShownText.text)
        add("Win-back", offers.joined(separator: ", "))
    }

    private mutating func addPrice(_ fields: PurchaseFields) {
        let quantity = fields.fields.integer("quantity") ?? 1
        if let (price, amounts) = fields.amount("price") {
            add("Price", price + (quantity == 1 ? "" : " for \(quantity)"), amounts)
        }
        if !fields.has("price"), quantity != 1 { add("Quantity", "\(quantity)") }
    }

    private mutating func addProduct(_ fields: PurchaseFields) {
        let type = fields.text("type").map { " (\(Product.ProductType.text(of: $0) ?? $0))" } ?? ""
        guard let product = fields.identifier("productId") else {
            return add("Product", type.isEmpty ? nil : "not named" + type)
        }
        add("Product", product, note: type)
    }

    private mutating func addRenewalDate(_ fields: PurchaseFields) {
        let date = fields.dateText("renewalDate")
        switch fields.fields.integer("autoRenewStatus") {
        case 0: add("Renewal", "off: it will not renew" + (date.map { ", and ends on \($0)" } ?? ""))
        case 1:
            let next = fields.text("autoRenewProductId").flatMap { $0 == fields.text("productId") ? nil : $0 }
            let price = renewalPrice(fields)
            let seats = fields.fields.integer("renewalQuantity")
            let parts = [
                date.map { " on \($0)" }, next.map { " as \($0)" }, seats.map { " with \(Self.seats($0))" },
                price.map { " for \($0.text)" },
            ]
            add("Renewal", "on: it renews" + parts.compactMap(\.self).joined(), price?.amounts ?? [])
        default: add("Renewal", date)
        }
    }

    private mutating func addPurchaseDate(_ fields: PurchaseFields) {
        guard let date = fields.dateText("purchaseDate") else { return }
        let isRenewal = fields.text("transactionReason") == Transaction.Reason.renewal.rawValue
        add(
            isRenewal ? "Renewed" : "Purchased", date + (fields.text("storefront").map { ", in \($0)" } ?? "")
        )
        let original = fields.dateText("originalPurchaseDate")
        if let original, original != date { add("First bought", original) }
    }

    private mutating func addOffer(_ fields: PurchaseFields, label: String) {
        guard let number = fields.fields.integer("offerType") else { return }
        add(
            label,
            [
                Transaction.OfferType.text(of: number) ?? "type \(number)", fields.text("offerIdentifier"),
                fields.text("offerDiscountType").map { Transaction.Offer.PaymentMode.text(of: $0) ?? $0 },
                fields.text("offerPeriod").map(period),
            ].compactMap(\.self).joined(separator: ", "))
    }

    private mutating func addRevocation(_ fields: PurchaseFields) {
        guard let date = fields.revocationText else { return }
        let reason = fields.fields.integer("revocationReason").map { number in
            "for " + (Transaction.RevocationReason.text(of: number) ?? "reason \(number)")
        }
        let share = fields.fields.thousandths("revocationPercentage").map {
            ShownText.amount($0, nil) + " % refunded"
        }
        add(
            "Revoked",
            [date, fields.text("revocationType"), share, reason].compactMap(\.self).joined(separator: ", "))
    }

    private func period(_ value: String) -> String {
        guard let period = Product.SubscriptionPeriod(iso8601: value) else { return value }
        return "\(period.value) \(period.unit)\(period.value == 1 ? "" : "s")"
    }
}

extension AccessClaim {
    /// The access in words. A later transaction may change it.
    ///
    /// - Parameter fields: the transaction's, whose date of a revocation may be unreadable.
    fileprivate func text(_ fields: PurchaseFields) -> String {
        switch self {
        case .granted(until: nil): "granted, without an end"
        case .granted(let end?): "granted until \(TextLayout.date(end))"
        case .grantedForATime: "granted, for a time that the app knows"
        case .takenBack(let date): "taken back on \(fields.revocationText ?? TextLayout.date(date))"
        case .replaced: "ended: an upgrade replaced it"
        }
    }
}
