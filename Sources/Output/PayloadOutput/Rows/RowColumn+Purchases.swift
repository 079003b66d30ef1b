internal import WireFormats

/// The columns of transactions.
extension RowColumn {
    static let transaction: [RowColumn] =
        [
            .member("transactionID", .of(.transaction, "transactionId")),
            .member("productType", .of(.transaction, "type")),
            .member("subscriptionGroupID", .of(.transaction, "subscriptionGroupIdentifier")),
            .member("purchaseDate", .of(.transaction, "purchaseDate")),
            .member("originalPurchaseDate", .of(.transaction, "originalPurchaseDate")),
            .member("expirationDate", .of(.transaction, "expiresDate")),
            .member("quantity", .of(.transaction, "quantity")),
            .member("isUpgraded", .of(.transaction, "isUpgraded")),
            .member("ownershipType", .of(.transaction, "inAppOwnershipType")),
            .member("storefront", .of(.transaction, "storefront")),
            .member("storefrontID", .of(.transaction, "storefrontId")),
            .member("transactionReason", .of(.transaction, "transactionReason")),
            .member("price", .of(.transaction, "price")),
            .member("currency", .of(.transaction, "currency")),
        ]
        + offer("", .transaction)
        + [
            .member("revocationDate", .of(.transaction, "revocationDate"))
        ]
        + enumeration("revocationReason", .revocationReason, .transaction, "revocationReason")
        + [
            .member("revocationType", .of(.transaction, "revocationType")),
            .member("revocationPercentage", .of(.transaction, "revocationPercentage")),
            .member("webOrderLineItemID", .of(.transaction, "webOrderLineItemId")),
            .member("previousOriginalTransactionID", .of(.transaction, "previousOriginalTransactionId")),
            .member("billingPlanType", .of(.transaction, "billingPlanType")),
            .member("commitmentExpirationDate", .of(.commitment, "commitmentExpiresDate")),
            .member("commitmentBillingPeriodNumber", .of(.commitment, "billingPeriodNumber")),
            .member("commitmentTotalBillingPeriods", .of(.commitment, "totalBillingPeriods")),
            .member("commitmentPrice", .of(.commitment, "commitmentPrice")),
            .member("advancedCommerceInfo", .of(.transaction, "advancedCommerceInfo")),
            .member("seatCharge", RowSource(.seats, "priceTiers", .seatCharge)),
            .member("seatPriceTiers", .of(.seats, "priceTiers")),
            .member("revokedSeatQuantity", .of(.seats, "revokedSeatQuantity")),
            .member("invitationManagement", .of(.seats, "invitationManagement")),
            .member("additionalTransactionReason", .of(.transaction, "additionalTransactionReason")),
            .member("transactionSignedDate", .of(.transaction, "signedDate")),
        ]

    static func offer(_ prefix: String, _ part: RowPart) -> [RowColumn] {
        func name(_ name: String) -> String {
            prefix.isEmpty ? name : prefix + name.prefix(1).uppercased() + name.dropFirst()
        }
        return enumeration(name("offerType"), .offerType, part, "offerType")
            + [
                .member(name("offerID"), .of(part, "offerIdentifier")),
                .member(name("offerPaymentMode"), .of(part, "offerDiscountType")),
                .member(name("offerPeriod"), .of(part, "offerPeriod")),
            ]
    }
}
