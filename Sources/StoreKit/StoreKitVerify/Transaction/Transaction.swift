public import Essentials
public import SignedPayloads
package import WireFormats

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

    /// The app's bundle identifier; empty if the payload does not have it.
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

    /// The number of products bought, or of a subscription's seats. It is 1 for all other purchases.
    public let purchasedQuantity: Int

    /// Whether the customer upgraded to a subscription of a higher level.
    public let isUpgraded: Bool

    /// How the customer got the product.
    public let ownershipType: OwnershipType

    /// The token that the app gave to identify the customer. `nil` if the app did not set it, if it is not a UUID,
    /// and with Family Sharing.
    public let appAccountToken: UUID?

    /// The environment that signed the transaction. In a payload of before 2022, which names none, it is that of the
    /// notification that carried it; otherwise it is empty.
    public let environment: AppStore.Environment

    /// The storefront of the purchase; empty in old payloads.
    public let storefront: Storefront

    /// Why the transaction took place; empty in old payloads.
    public let reason: Reason

    /// The offer that the customer used.
    public let offer: Offer?

    /// The price in units of the currency; `nil` in old payloads. Apple advises against using it for
    /// accounting. For several seats it is the average price of a seat: `multiSeatInfo?.charge` is their sum.
    public let price: Decimal?

    /// The price's currency (ISO 4217).
    public let currency: Locale.Currency?

    /// When the App Store refunded the transaction, or revoked it from Family Sharing or an assignment. A refund of
    /// some of several seats does not set it.
    public internal(set) var revocationDate: Date?

    /// Why the App Store revoked or refunded the transaction.
    public let revocationReason: RevocationReason?

    /// How the App Store revoked or refunded the transaction.
    public let revocationType: RevocationType?

    /// The share of the price that the App Store refunded, from 0 to 100 percent.
    public let revocationPercentage: Decimal?

    /// The identifier of the app's download (one for each Apple Account and app); empty in old payloads.
    public let appTransactionID: String

    /// The items and taxes of a purchase through the Advanced Commerce API.
    public var advancedCommerceInfo: AdvancedCommerceInfo? { boxedAdvancedCommerceInfo?.wrappedValue }

    /// How the subscription is billed.
    public let billingPlanType: Product.SubscriptionInfo.BillingPlanType?

    /// The commitment that this monthly billing period belongs to.
    public var commitmentInfo: CommitmentInfo? { boxedCommitmentInfo?.wrappedValue }

    /// The seats of a subscription for several people; `nil` for other purchases.
    public var multiSeatInfo: MultiSeatInfo? { boxedMultiSeatInfo?.wrappedValue }

    /// Why the subscription's period has more than one transaction; `nil` if it has one.
    public let additionalTransactionReason: AdditionalTransactionReason?

    /// The identifier of the original transaction before a migration.
    public let previousOriginalTransactionID: UInt64?

    /// When the App Store signed the transaction.
    public let signedDate: Date

    /// The hash that binds the transaction to a device; empty in payloads for servers.
    public let deviceVerification: Data

    /// The nonce of the hash; all zeros in payloads for servers.
    public let deviceVerificationNonce: UUID

    // Most transactions have none of these, and all are copied often.
    private let boxedAdvancedCommerceInfo: Boxed<AdvancedCommerceInfo>?
    private let boxedCommitmentInfo: Boxed<CommitmentInfo>?
    private let boxedMultiSeatInfo: Boxed<MultiSeatInfo>?

    package static let form = PayloadForm("transaction") { properties throws(PayloadError) in
        try Transaction(SignedContent(), &properties)
    }

    /// Reads the payload.
    ///
    /// - Throws: `PayloadError` if the payload lacks an identifier, the product, the product's type, or
    ///   a date that every transaction has.
    public init(
        _ content: SignedContent, verifier: StoreKitVerifier
    ) throws(PayloadError) {
        var properties = try PayloadProperties(content, Self.form)
        try self.init(content, &properties)
    }

    init(_ content: SignedContent, _ properties: inout PayloadProperties) throws(PayloadError) {
        signedContent = content
        id = try properties.required("id", .identifier, "transactionId")
        originalID = try properties.required("originalID", .identifier, "originalTransactionId")
        webOrderLineItemID = properties.optional("webOrderLineItemID", .text, "webOrderLineItemId")
        appBundleID = properties.value("appBundleID", .textUnlessEmpty, "bundleId")
        productID = try properties.required("productID", .text, "productId")
        productType = Product.ProductType(rawValue: try properties.required("productType", .text, "type"))
        subscriptionGroupID = properties.optional(
            "subscriptionGroupID", .text, "subscriptionGroupIdentifier")
        purchaseDate = try properties.required("purchaseDate", .date, "purchaseDate")
        originalPurchaseDate = try properties.required("originalPurchaseDate", .date, "originalPurchaseDate")
        expirationDate = properties.optional("expirationDate", .date, "expiresDate")
        purchasedQuantity = properties.value("purchasedQuantity", .integerOrOne, "quantity")
        isUpgraded = properties.value("isUpgraded", .flag, "isUpgraded")
        ownershipType = OwnershipType(
            rawValue: properties.value("ownershipType", .textUnlessEmpty, "inAppOwnershipType"))
        appAccountToken = properties.optional("appAccountToken", .uuid, "appAccountToken")
        environment = AppStore.Environment(&properties, around: content)
        storefront = Storefront(&properties)
        reason = Reason(rawValue: properties.value("reason", .textUnlessEmpty, "transactionReason"))
        offer = try? properties.group("offer", Offer.init)
        price = properties.optional("price", .thousandths, "price")
        currency = properties.optional("currency", .text, "currency").map { Locale.Currency($0) }
        revocationDate = properties.optional("revocationDate", .revocation, "revocationDate")
        revocationReason = properties.optional("revocationReason", .integer, "revocationReason")
            .map(RevocationReason.init(rawValue:))
        revocationType = properties.optional("revocationType", .text, "revocationType")
            .map(RevocationType.init(rawValue:))
        revocationPercentage = properties.optional(
            "revocationPercentage", .thousandths, "revocationPercentage")
        appTransactionID = properties.value("appTransactionID", .textUnlessEmpty, "appTransactionId")
        billingPlanType = properties.optional("billingPlanType", .text, "billingPlanType")
            .map(Product.SubscriptionInfo.BillingPlanType.init(rawValue:))
        boxedCommitmentInfo = properties.object("commitmentInfo", CommitmentInfo.form, CommitmentInfo.init)
            .map(Boxed.init)
        boxedAdvancedCommerceInfo = properties.object(
            "advancedCommerceInfo", AdvancedCommerceInfo.form, AdvancedCommerceInfo.init
        ).map(Boxed.init)
        boxedMultiSeatInfo = properties.object("multiSeatInfo", MultiSeatInfo.form, MultiSeatInfo.init)
            .map(Boxed.init)
        additionalTransactionReason = properties.optional(
            "additionalTransactionReason", .text, "additionalTransactionReason"
        ).map(AdditionalTransactionReason.init(rawValue:))
        previousOriginalTransactionID = properties.optional(
            "previousOriginalTransactionID", .identifier, "previousOriginalTransactionId")
        signedDate = try properties.required("signedDate", .date, "signedDate")
        (deviceVerification, deviceVerificationNonce) = properties.deviceBinding()
    }
}

extension Transaction: CustomDebugStringConvertible {
    /// The payload's JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
