public import Essentials
public import SignedPayloads
package import WireFormats

/// StoreKit's second name for the same type.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo

extension Product.SubscriptionInfo {
    /// How a subscription will continue, as the App Store signed it (StoreKit's
    /// `Product.SubscriptionInfo.RenewalInfo`, the server's `JWSRenewalInfoDecodedPayload`).
    ///
    /// Renewal information names no app. So combine it with a transaction of the same purchase before you
    /// draw any conclusion from it. `Product.SubscriptionInfo.Status` does that.
    public struct RenewalInfo: DeviceSignedValue {
        /// The payload, as it was signed.
        public let signedContent: SignedContent

        /// The identifier of the subscription's first transaction.
        public let originalTransactionID: UInt64

        /// The product that the customer is subscribed to.
        public let currentProductID: String

        /// The product that the subscription renews to; `nil` if it will not renew.
        public let autoRenewPreference: String?

        /// Whether the subscription will renew at the end of the period.
        public let willAutoRenew: Bool

        /// Why the subscription expired; `nil` while it is active.
        public let expirationReason: ExpirationReason?

        /// Whether the App Store is still trying to charge for an expired subscription.
        public let isInBillingRetry: Bool

        /// The end of the grace period, until which the customer keeps the service; `nil` outside a grace
        /// period.
        public let gracePeriodExpirationDate: Date?

        /// Whether the price will increase, and whether the customer consented.
        public let priceIncreaseStatus: PriceIncreaseStatus

        /// When the latest purchase of the subscription ends or renews. The date may be in the past.
        public let renewalDate: Date?

        /// When the customer's present series of subscriptions began. Gaps below 60 days are ignored. It is
        /// the Unix epoch if the payload has no such date.
        public let recentSubscriptionStartDate: Date

        /// The environment that signed the information, as for a transaction.
        public let environment: AppStore.Environment

        /// The offer that applies to the next period.
        public let offer: Transaction.Offer?

        /// The win-back offers that the customer is eligible for, best first.
        public let eligibleWinBackOfferIDs: [String]

        /// The price of the next period, in units of the currency. For several seats it is the average price of a
        /// seat: `multiSeatInfo?.renewalCharge` is their sum.
        public let renewalPrice: Decimal?

        /// The price's currency (ISO 4217).
        public let currency: Locale.Currency?

        /// The token that the app gave to identify the customer. `nil` if the app did not set it, or if it is not a
        /// UUID.
        public let appAccountToken: UUID?

        /// The identifier of the app's download (one for each Apple Account and app); empty in old payloads.
        public let appTransactionID: String

        /// The items of a subscription through the Advanced Commerce API.
        public var advancedCommerceInfo: AdvancedCommerceInfo? { boxedAdvancedCommerceInfo?.wrappedValue }

        /// How the next period is billed.
        public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType?

        /// The commitment that follows the present one, for a subscription with a commitment.
        public let commitmentInfo: CommitmentInfo?

        /// The number of seats that will renew, as far as is known now: it may change until then.
        public let renewalQuantity: Int?

        /// The seats that will renew; `nil` if the subscription does not renew for several people.
        public let multiSeatInfo: MultiSeatInfo?

        /// When the App Store signed the information.
        public let signedDate: Date

        /// The hash that binds the information to a device; empty in payloads for servers.
        public let deviceVerification: Data

        /// The nonce of the hash; all zeros in payloads for servers.
        public let deviceVerificationNonce: UUID

        // Most subscriptions have none.
        let boxedAdvancedCommerceInfo: Boxed<AdvancedCommerceInfo>?

        package static let form = PayloadForm("renewal information") { properties throws(PayloadError) in
            try RenewalInfo(SignedContent(), &properties)
        }

        /// Reads the payload.
        ///
        /// - Throws: `PayloadError` if the payload lacks the original transaction, the product, or the
        ///   signed date.
        public init(
            _ content: SignedContent, verifier: StoreKitVerifier
        ) throws(PayloadError) {
            var properties = try PayloadProperties(content, Self.form)
            try self.init(content, &properties)
        }

        private init(
            _ content: SignedContent, _ properties: inout PayloadProperties
        ) throws(PayloadError) {
            signedContent = content
            originalTransactionID = try properties.required(
                "originalTransactionID", .identifier, "originalTransactionId")
            currentProductID = try properties.required("currentProductID", .text, "productId")
            autoRenewPreference = properties.optional(
                "autoRenewPreference", .text, "autoRenewProductId", ifOne: "autoRenewStatus")
            willAutoRenew = properties.value("willAutoRenew", .isOne, "autoRenewStatus")
            expirationReason = properties.optional("expirationReason", .integer, "expirationIntent")
                .map(ExpirationReason.init(rawValue:))
            isInBillingRetry = properties.value("isInBillingRetry", .flag, "isInBillingRetryPeriod")
            gracePeriodExpirationDate = properties.optional(
                "gracePeriodExpirationDate", .date, "gracePeriodExpiresDate")
            priceIncreaseStatus = properties.word(
                "priceIncreaseStatus", "priceIncreaseStatus", PriceIncreaseStatus.init(number:), \.word)
            renewalDate = properties.optional("renewalDate", .date, "renewalDate")
            recentSubscriptionStartDate = properties.value(
                "recentSubscriptionStartDate", .dateUnlessEpoch, "recentSubscriptionStartDate")
            environment = AppStore.Environment(&properties, around: content)
            offer = try? properties.group("offer", Transaction.Offer.init)
            eligibleWinBackOfferIDs = properties.value(
                "eligibleWinBackOfferIDs", .texts, "eligibleWinBackOfferIds")
            renewalPrice = properties.optional("renewalPrice", .thousandths, "renewalPrice")
            currency = properties.optional("currency", .text, "currency").map { Locale.Currency($0) }
            appAccountToken = properties.optional("appAccountToken", .uuid, "appAccountToken")
            appTransactionID = properties.value("appTransactionID", .textUnlessEmpty, "appTransactionId")
            renewalBillingPlanType = properties.optional(
                "renewalBillingPlanType", .text, "renewalBillingPlanType"
            )
            .map(Product.SubscriptionInfo.BillingPlanType.init(rawValue:))
            commitmentInfo = properties.object("commitmentInfo", CommitmentInfo.form, CommitmentInfo.init)
            boxedAdvancedCommerceInfo = properties.object(
                "advancedCommerceInfo", AdvancedCommerceInfo.form, AdvancedCommerceInfo.init
            ).map(Boxed.init)
            renewalQuantity = properties.optional("renewalQuantity", .integer, "renewalQuantity")
            multiSeatInfo = properties.object("multiSeatInfo", MultiSeatInfo.form, MultiSeatInfo.init)
            signedDate = try properties.required("signedDate", .date, "signedDate")
            (deviceVerification, deviceVerificationNonce) = properties.deviceBinding()
        }
    }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The payload's JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
