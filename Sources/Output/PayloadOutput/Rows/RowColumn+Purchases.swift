internal import WireFormats

/// The columns of transactions.
extension RowColumn {
    static let transaction: [RowColumn] =
        [
            .member(
                "transactionID", .transaction, "The transaction's identifier.",
                .of(.transaction, "transactionId")),
            .member("productType", .transaction, "The kind of product.", .of(.transaction, "type")),
            .member(
                "subscriptionGroupID", .transaction, "The group that the subscription belongs to.",
                .of(.transaction, "subscriptionGroupIdentifier")),
            .member(
                "purchaseDate", .transaction, "When the App Store charged for the purchase or renewal.",
                .of(.transaction, "purchaseDate")),
            .member(
                "originalPurchaseDate", .transaction,
                "When the first transaction of the purchase took place.",
                .of(.transaction, "originalPurchaseDate")),
            .member(
                "expirationDate", .transaction, "When the subscription's period ends.",
                .of(.transaction, "expiresDate")),
            .member(
                "quantity", .transaction,
                "The number of products or seats bought; 1 if the payload does not have it.",
                .of(.transaction, "quantity")),
            .member(
                "isUpgraded", .transaction, "Whether the customer upgraded to another subscription.",
                .of(.transaction, "isUpgraded")),
            .member(
                "ownershipType", .transaction,
                "How the customer got the product: `PURCHASED`, `FAMILY_SHARED` or `ASSIGNED`.",
                .of(.transaction, "inAppOwnershipType")),
            .member(
                "storefront", .transaction, "The country or region of the purchase, in three letters.",
                .of(.transaction, "storefront")),
            .member(
                "storefrontID", .transaction, "Apple's number for the storefront.",
                .of(.transaction, "storefrontId")),
            .member(
                "transactionReason", .transaction, "Why the transaction took place: `PURCHASE` or `RENEWAL`.",
                .of(.transaction, "transactionReason")),
            .member(
                "price", .transaction,
                "The price of the transaction, in units of the currency; of several seats the average of one.",
                .of(.transaction, "price")),
            .member(
                "currency", .transaction, "The currency of the price (ISO 4217).",
                .of(.transaction, "currency")),
        ]
        + offer("", .transaction, .transaction)
        + [
            .member(
                "revocationDate", .transaction,
                "When the App Store refunded the transaction, or revoked it from Family Sharing.",
                .of(.transaction, "revocationDate"))
        ]
        + enumeration(
            "revocationReason", .transaction, "Why the App Store revoked or refunded the transaction.",
            .revocationReason, .transaction, "revocationReason")
        + [
            .member(
                "revocationType", .transaction,
                "How the App Store revoked or refunded the transaction, for instance `REFUND_PRORATED`.",
                .of(.transaction, "revocationType")),
            .member(
                "revocationPercentage", .transaction, "The share of the price that was refunded, in percent.",
                .of(.transaction, "revocationPercentage")),
            .member(
                "webOrderLineItemID", .transaction, "The subscription's purchase event across devices.",
                .of(.transaction, "webOrderLineItemId")),
            .member(
                "previousOriginalTransactionID", .transaction, "The original transaction before a migration.",
                .of(.transaction, "previousOriginalTransactionId")),
            .member(
                "billingPlanType", .transaction, "How the subscription is billed.",
                .of(.transaction, "billingPlanType")),
            .member(
                "commitmentExpirationDate", .transaction, "When the commitment ends.",
                .of(.commitment, "commitmentExpiresDate")),
            .member(
                "commitmentBillingPeriodNumber", .transaction,
                "The number of this billing period in the commitment, from 1.",
                .of(.commitment, "billingPeriodNumber")),
            .member(
                "commitmentTotalBillingPeriods", .transaction, "The billing periods of the commitment.",
                .of(.commitment, "totalBillingPeriods")),
            .member(
                "commitmentPrice", .transaction, "The price of the whole commitment.",
                .of(.commitment, "commitmentPrice")),
            .member(
                "advancedCommerceInfo", .transaction,
                "The items and taxes of a purchase through the Advanced Commerce API, as they were signed.",
                .of(.transaction, "advancedCommerceInfo")),
            .member(
                "seatCharge", .transaction, "The price of all seats together, of a multiseat purchase.",
                RowSource(.seats, "priceTiers", .seatCharge)),
            .member(
                "seatPriceTiers", .transaction,
                "The prices of the seats and how many have each, as they were signed.",
                .of(.seats, "priceTiers")),
            .member(
                "revokedSeatQuantity", .transaction, "The seats that a refund of seats took back.",
                .of(.seats, "revokedSeatQuantity")),
            .member(
                "invitationManagement", .transaction,
                "Who invites the people that have the seats: `APPLE` or `DEVELOPER`.",
                .of(.seats, "invitationManagement")),
            .member(
                "additionalTransactionReason", .transaction,
                "Why the period has more than one transaction, for instance `SEAT_ADDITION`.",
                .of(.transaction, "additionalTransactionReason")),
            .member(
                "transactionSignedDate", .transaction, "When the transaction was signed.",
                .of(.transaction, "signedDate")),
        ]

    static func offer(_ prefix: String, _ section: Section, _ part: RowPart) -> [RowColumn] {
        func name(_ name: String) -> String {
            prefix.isEmpty ? name : prefix + name.prefix(1).uppercased() + name.dropFirst()
        }
        let which = prefix.isEmpty ? "the offer" : "the next period's offer"
        return enumeration(
            name("offerType"), section, "The kind of \(which).", .offerType, part, "offerType")
            + [
                .member(
                    name("offerID"), section, "The identifier of \(which), or the name of its offer code.",
                    .of(part, "offerIdentifier")),
                .member(
                    name("offerPaymentMode"), section,
                    "How the customer pays with \(which), for instance `FREE_TRIAL`.",
                    .of(part, "offerDiscountType")),
                .member(
                    name("offerPeriod"), section, "The length of a period of \(which), such as `P1M`.",
                    .of(part, "offerPeriod")),
            ]
    }
}
