public import SignedPayloads
package import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A customer's purchase of a product, as the App Store signed it (StoreKit's `Transaction`, the server's
/// `JWSTransactionDecodedPayload`).
///
/// Dates are exact to the millisecond, prices to a thousandth of the currency's unit. `jsonRepresentation`
/// also holds the members that have no property here.
public struct Transaction: DeviceSignedValue, Identifiable {
    /// The payload, as it was signed.
    public let signedContent: SignedContent

    /// The transaction's identifier.
    public let id: UInt64

    /// The identifier of the purchase's first transaction. Its renewals and restored purchases have the same
    /// one.
    public let originalID: UInt64

    /// The identifier of a subscription's purchase event across devices.
    public let webOrderLineItemID: String?

    /// The app's bundle identifier; empty if the payload has none.
    public let appBundleID: String

    /// The product's identifier.
    public let productID: String

    /// The kind of product.
    public let productType: Product.ProductType

    /// The group that the subscription belongs to; `nil` for other products.
    public let subscriptionGroupID: String?

    /// When the App Store charged for the purchase or renewal, or restored it.
    public let purchaseDate: Date

    /// When the original transaction took place.
    public let originalPurchaseDate: Date

    /// When a subscription ends or renews; `nil` for other products.
    public let expirationDate: Date?

    /// The number of products bought. It is 1 except for consumables.
    public let purchasedQuantity: Int

    /// Whether the customer upgraded to a subscription of a higher level.
    public let isUpgraded: Bool

    /// How the customer got the product.
    public let ownershipType: OwnershipType

    /// The token that the app gave to identify the customer. `nil` if the app set none, if it is not a UUID,
    /// and with Family Sharing.
    public let appAccountToken: UUID?

    /// The environment that signed the transaction.
    public let environment: AppStore.Environment

    /// The storefront of the purchase; empty in old payloads.
    public let storefront: Storefront

    /// Why the transaction took place; empty in old payloads.
    public let reason: Reason

    /// The offer that the customer used.
    public let offer: Offer?

    /// The price in units of the currency; `nil` in old payloads. Apple advises against using it for
    /// accounting.
    public let price: Decimal?

    /// The price's currency (ISO 4217).
    public let currency: Locale.Currency?

    /// When the App Store refunded the transaction, or revoked it from Family Sharing.
    public let revocationDate: Date?

    /// Why the App Store revoked or refunded the transaction.
    public let revocationReason: RevocationReason?

    /// How the App Store revoked or refunded the transaction.
    public let revocationType: RevocationType?

    /// The share of the price that the App Store refunded, from 0 to 100 percent.
    public let revocationPercentage: Decimal?

    /// The identifier of the app's download (one for each Apple Account and app); empty in old payloads.
    public let appTransactionID: String

    /// The items and taxes of a purchase through the Advanced Commerce API.
    public let advancedCommerceInfo: AdvancedCommerceInfo?

    /// How the subscription is billed.
    public let billingPlanType: Product.SubscriptionInfo.BillingPlanType?

    /// The commitment that this monthly billing period belongs to.
    public let commitmentInfo: CommitmentInfo?

    /// The identifier of the original transaction before a migration.
    public let previousOriginalTransactionID: UInt64?

    /// When the App Store signed the transaction.
    public let signedDate: Date

    /// The hash that binds the transaction to a device; empty in payloads for servers.
    public let deviceVerification: Data

    /// The nonce of the hash; all zeros in payloads for servers.
    public let deviceVerificationNonce: UUID

    package static let form = PayloadForm(
        "transaction",
        [
            .required("id", .identifier, "transactionId"),
            .required("originalID", .identifier, "originalTransactionId"),
            .optional("webOrderLineItemID", .text, "webOrderLineItemId"),
            .optional("appBundleID", .textUnlessEmpty, "bundleId"),
            .required("productID", .text, "productId"),
            .required("productType", .text, "type"),
            .optional("subscriptionGroupID", .text, "subscriptionGroupIdentifier"),
            .required("purchaseDate", .date, "purchaseDate"),
            .required("originalPurchaseDate", .date, "originalPurchaseDate"),
            .optional("expirationDate", .date, "expiresDate"),
            .optional("purchasedQuantity", .integerOrOne, "quantity"),
            .optional("isUpgraded", .flag, "isUpgraded"),
            .optional("ownershipType", .textUnlessEmpty, "inAppOwnershipType"),
            .optional("appAccountToken", .uuid, "appAccountToken"),
            .optional("environment", .textUnlessEmpty, "environment"),
            .optional("storefront", .textUnlessEmpty, "storefront"),
            .optional("storefrontID", .textUnlessEmpty, "storefrontId"),
            .optional("reason", .textUnlessEmpty, "transactionReason"),
            .group("offer", Offer.properties),
            .optional("price", .thousandths, "price"),
            .optional("currency", .text, "currency"),
            .optional("revocationDate", .date, "revocationDate"),
            .optional("revocationReason", .integer, "revocationReason"),
            .optional("revocationType", .text, "revocationType"),
            .optional("revocationPercentage", .thousandths, "revocationPercentage"),
            .optional("appTransactionID", .textUnlessEmpty, "appTransactionId"),
            .optional("billingPlanType", .text, "billingPlanType"),
            .object("commitmentInfo", CommitmentInfo.form),
            .object("advancedCommerceInfo", AdvancedCommerceInfo.form),
            .optional("previousOriginalTransactionID", .identifier, "previousOriginalTransactionId"),
            .required("signedDate", .date, "signedDate"),
            .together(DeviceBinding.properties),
        ])

    /// Reads the payload.
    ///
    /// - Throws: `PayloadError` if the payload lacks an identifier, the product, the product's type, or
    ///   a date that every transaction has.
    public init(
        _ content: SignedContent, verifier: StoreKitVerifier
    ) throws(PayloadError) {
        let fields = try content.fields(Self.form.names)
        let type = Self.form.type
        signedContent = content
        id = try required(fields.identifier("transactionId"), "transactionId", of: type)
        originalID = try required(
            fields.identifier("originalTransactionId"), "originalTransactionId", of: type)
        webOrderLineItemID = fields.string("webOrderLineItemId")
        appBundleID = fields.string("bundleId") ?? ""
        productID = try required(fields.string("productId"), "productId", of: type)
        productType = Product.ProductType(rawValue: try required(fields.string("type"), "type", of: type))
        subscriptionGroupID = fields.string("subscriptionGroupIdentifier")
        purchaseDate = try required(fields.date("purchaseDate"), "purchaseDate", of: type)
        originalPurchaseDate = try required(
            fields.date("originalPurchaseDate"), "originalPurchaseDate", of: type)
        expirationDate = fields.date("expiresDate")
        purchasedQuantity = fields.integer("quantity") ?? 1
        isUpgraded = fields.bool("isUpgraded") ?? false
        ownershipType = OwnershipType(rawValue: fields.string("inAppOwnershipType") ?? "")
        appAccountToken = fields.uuid("appAccountToken")
        environment = AppStore.Environment(rawValue: fields.string("environment") ?? "")
        storefront = Storefront(fields)
        reason = Reason(rawValue: fields.string("transactionReason") ?? "")
        offer = Offer(fields)
        price = fields.thousandths("price")
        currency = fields.string("currency").map { Locale.Currency($0) }
        revocationDate = fields.date("revocationDate")
        revocationReason = fields.integer("revocationReason").map(RevocationReason.init(rawValue:))
        revocationType = fields.string("revocationType").map(RevocationType.init(rawValue:))
        revocationPercentage = fields.thousandths("revocationPercentage")
        appTransactionID = fields.string("appTransactionId") ?? ""
        advancedCommerceInfo = AdvancedCommerceInfo(fields)
        billingPlanType = fields.string("billingPlanType").map(
            Product.SubscriptionInfo.BillingPlanType.init(rawValue:))
        commitmentInfo = CommitmentInfo(fields)
        previousOriginalTransactionID = fields.identifier("previousOriginalTransactionId")
        signedDate = try required(fields.date("signedDate"), "signedDate", of: type)
        let binding = DeviceBinding(fields)
        deviceVerification = binding.verification
        deviceVerificationNonce = binding.nonce
    }
}

extension Transaction: CustomDebugStringConvertible {
    /// The payload's JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
