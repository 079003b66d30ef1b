import Foundation
import StoreKitVerify

/// The members that the documentation's coverage page marks as done, under the same names. The compiler
/// checks that they exist.
enum CoveredMembers {
    /// The names of all of them.
    static var names: [String] {
        properties + statics + purchaseErrors + Array(others.keys)
            + (Deprecated.self as any Listing.Type).names
    }

    private static let purchaseErrors = Product.PurchaseError.allCases.map { "Product.PurchaseError.\($0)" }

    private static let properties =
        properties(
            of: VerificationResult<Transaction>.self, named: "VerificationResult",
            [
                "unsafePayloadValue": \.unsafePayloadValue, "jwsRepresentation": \.jwsRepresentation,
                "headerData": \.headerData, "payloadData": \.payloadData, "signedData": \.signedData,
                "signatureData": \.signatureData, "signature": \.signature, "signedDate": \.signedDate,
                "deviceVerification": \.deviceVerification,
                "deviceVerificationNonce": \.deviceVerificationNonce, "debugDescription": \.debugDescription,
            ])
        + properties(
            of: Transaction.self, named: "Transaction",
            [
                "id": \.id, "originalID": \.originalID, "webOrderLineItemID": \.webOrderLineItemID,
                "appBundleID": \.appBundleID, "productID": \.productID, "productType": \.productType,
                "subscriptionGroupID": \.subscriptionGroupID, "purchaseDate": \.purchaseDate,
                "originalPurchaseDate": \.originalPurchaseDate, "expirationDate": \.expirationDate,
                "purchasedQuantity": \.purchasedQuantity, "isUpgraded": \.isUpgraded,
                "ownershipType": \.ownershipType, "appAccountToken": \.appAccountToken,
                "environment": \.environment, "storefront": \.storefront, "reason": \.reason,
                "offer": \.offer, "price": \.price, "currency": \.currency,
                "revocationDate": \.revocationDate, "revocationReason": \.revocationReason,
                "revocationType": \.revocationType, "revocationPercentage": \.revocationPercentage,
                "appTransactionID": \.appTransactionID, "advancedCommerceInfo": \.advancedCommerceInfo,
                "billingPlanType": \.billingPlanType, "commitmentInfo": \.commitmentInfo,
                "multiSeatInfo": \.multiSeatInfo,
                "additionalTransactionReason": \.additionalTransactionReason,
                "previousOriginalTransactionID": \.previousOriginalTransactionID, "signedDate": \.signedDate,
                "deviceVerification": \.deviceVerification,
                "deviceVerificationNonce": \.deviceVerificationNonce,
                "jsonRepresentation": \.jsonRepresentation, "debugDescription": \.debugDescription,
                "hashValue": \.hashValue,
            ])
        + properties(
            of: Transaction.Offer.self, named: "Offer",
            [
                "id": \.id, "type": \.type, "paymentMode": \.paymentMode, "period": \.period,
            ])
        + properties(
            of: Transaction.CommitmentInfo.self, named: "Transaction.CommitmentInfo",
            [
                "expirationDate": \.expirationDate, "billingPeriodNumber": \.billingPeriodNumber,
                "totalBillingPeriods": \.totalBillingPeriods, "price": \.price,
            ])
        + properties(
            of: Transaction.MultiSeatInfo.self, named: "Transaction.MultiSeatInfo",
            [
                "invitationManagement": \.invitationManagement, "priceTiers": \.priceTiers,
                "revokedSeatQuantity": \.revokedSeatQuantity,
            ])
        + properties(
            of: Transaction.MultiSeatInfo.PriceTier.self, named: "Transaction.MultiSeatInfo.PriceTier",
            [
                "price": \.price, "quantity": \.quantity,
            ])
        + properties(
            of: SubscriptionRenewalInfo.MultiSeatInfo.self, named: "RenewalInfo.MultiSeatInfo",
            [
                "renewalPriceTiers": \.renewalPriceTiers
            ])
        + properties(
            of: SubscriptionRenewalInfo.self, named: "RenewalInfo",
            [
                "originalTransactionID": \.originalTransactionID, "currentProductID": \.currentProductID,
                "autoRenewPreference": \.autoRenewPreference, "willAutoRenew": \.willAutoRenew,
                "expirationReason": \.expirationReason, "isInBillingRetry": \.isInBillingRetry,
                "gracePeriodExpirationDate": \.gracePeriodExpirationDate,
                "priceIncreaseStatus": \.priceIncreaseStatus, "renewalDate": \.renewalDate,
                "recentSubscriptionStartDate": \.recentSubscriptionStartDate, "environment": \.environment,
                "signedDate": \.signedDate, "deviceVerification": \.deviceVerification,
                "deviceVerificationNonce": \.deviceVerificationNonce,
                "jsonRepresentation": \.jsonRepresentation, "debugDescription": \.debugDescription,
                "offer": \.offer, "eligibleWinBackOfferIDs": \.eligibleWinBackOfferIDs,
                "renewalPrice": \.renewalPrice, "currency": \.currency, "appAccountToken": \.appAccountToken,
                "appTransactionID": \.appTransactionID, "advancedCommerceInfo": \.advancedCommerceInfo,
                "commitmentInfo": \.commitmentInfo, "renewalBillingPlanType": \.renewalBillingPlanType,
                "renewalQuantity": \.renewalQuantity, "multiSeatInfo": \.multiSeatInfo,
                "hashValue": \.hashValue,
            ])
        + properties(
            of: SubscriptionRenewalInfo.ExpirationReason.self, named: "ExpirationReason",
            [
                "localizedDescription": \.localizedDescription
            ])
        + properties(
            of: SubscriptionRenewalInfo.CommitmentInfo.self, named: "RenewalInfo.CommitmentInfo",
            [
                "renewalDate": \.renewalDate, "renewalPrice": \.renewalPrice,
                "willAutoRenew": \.willAutoRenew, "autoRenewPreference": \.autoRenewPreference,
                "renewalBillingPlanType": \.renewalBillingPlanType,
            ])
        + properties(
            of: Product.SubscriptionInfo.Status.self, named: "Status",
            [
                "state": \.state, "transaction": \.transaction, "renewalInfo": \.renewalInfo,
            ])
        + properties(
            of: AppTransaction.self, named: "AppTransaction",
            [
                "appID": \.appID, "appVersion": \.appVersion, "appVersionID": \.appVersionID,
                "bundleID": \.bundleID, "environment": \.environment,
                "originalAppVersion": \.originalAppVersion, "originalPurchaseDate": \.originalPurchaseDate,
                "preorderDate": \.preorderDate, "signedDate": \.signedDate,
                "deviceVerification": \.deviceVerification,
                "deviceVerificationNonce": \.deviceVerificationNonce,
                "jsonRepresentation": \.jsonRepresentation, "debugDescription": \.debugDescription,
                "appTransactionID": \.appTransactionID, "originalPlatform": \.originalPlatform,
                "revocationDate": \.revocationDate, "storeType": \.storeType,
            ])
        + properties(
            of: AdvancedCommerce.SeatPriceTier.self, named: "AdvancedCommerceInfo.SeatPriceTier",
            [
                "price": \.price, "maximumSeatQuantity": \.maximumSeatQuantity,
            ])
        + properties(
            of: AdvancedCommerce.Details.self, named: "AdvancedCommerceInfo.Item.Details",
            [
                "seatPriceTiers": \.seatPriceTiers
            ])
        + properties(
            of: AdvancedCommerce.Refund.self, named: "AdvancedCommerceInfo.Refund",
            [
                "revokedSeatQuantity": \.revokedSeatQuantity
            ])
        + properties(
            of: Storefront.self, named: "Storefront", ["countryCode": \.countryCode, "id": \.id])
        + properties(
            of: Product.SubscriptionOffer.self, named: "SubscriptionOffer",
            [
                "id": \.id, "type": \.type, "price": \.price, "displayPrice": \.displayPrice,
                "period": \.period, "periodCount": \.periodCount, "paymentMode": \.paymentMode,
            ])
        + properties(
            of: Product.SubscriptionPeriod.self, named: "SubscriptionPeriod",
            [
                "value": \.value, "unit": \.unit,
            ])
        + properties(
            of: Product.self, named: "Product",
            [
                "id": \.id, "type": \.type, "displayName": \.displayName, "description": \.description,
                "displayPrice": \.displayPrice, "price": \.price, "isFamilyShareable": \.isFamilyShareable,
                "jsonRepresentation": \.jsonRepresentation, "subscription": \.subscription,
                "currentEntitlements": \.currentEntitlements,
                "supportsMultiSeatPurchase": \.supportsMultiSeatPurchase,
            ])
        + properties(
            of: Product.SubscriptionInfo.BundledSubscription.self, named: "BundledSubscription",
            [
                "id": \.id, "displayName": \.displayName, "description": \.description, "price": \.price,
                "displayPrice": \.displayPrice, "isFamilyShareable": \.isFamilyShareable,
                "subscriptionGroupID": \.subscriptionGroupID,
            ])
        + properties(
            of: Product.SubscriptionInfo.PricingTerms.self, named: "PricingTerms",
            [
                "billingPlanType": \.billingPlanType, "billingPeriod": \.billingPeriod,
                "pricingModel": \.pricingModel, "subscriptionOffers": \.subscriptionOffers,
            ])
        + properties(
            of: Product.SubscriptionInfo.PricingTerms.SinglePrice.self, named: "SinglePrice",
            [
                "billingInfo": \.billingInfo, "commitmentInfo": \.commitmentInfo,
            ])
        + properties(
            of: Product.SubscriptionInfo.PricingTerms.SeatBasedPricing.self, named: "SeatBasedPricing",
            [
                "priceTiers": \.priceTiers
            ])
        + properties(
            of: Product.SubscriptionInfo.PricingTerms.SeatBasedPricing.PriceTier.self,
            named: "SeatBasedPricing.PriceTier",
            [
                "minimumSeats": \.minimumSeats, "maximumSeats": \.maximumSeats,
                "billingInfo": \.billingInfo,
            ])
        + properties(
            of: Product.SubscriptionInfo.BillingInfo.self, named: "BillingInfo",
            [
                "price": \.price, "displayPrice": \.displayPrice, "period": \.period,
            ])
        + properties(
            of: Product.SubscriptionInfo.CommitmentInfo.self,
            named: "Product.SubscriptionInfo.CommitmentInfo",
            [
                "price": \.price
            ])
        + properties(
            of: Product.SubscriptionInfo.self, named: "Product.SubscriptionInfo",
            [
                "subscriptionGroupID": \.subscriptionGroupID, "subscriptionPeriod": \.subscriptionPeriod,
                "introductoryOffer": \.introductoryOffer, "promotionalOffers": \.promotionalOffers,
                "winBackOffers": \.winBackOffers, "groupLevel": \.groupLevel,
                "pricingTerms": \.pricingTerms, "bundledSubscriptions": \.bundledSubscriptions,
            ])

    private static let statics =
        statics(
            of: Transaction.self, named: "Transaction",
            [
                "updates": \.updates, "all": \.all, "unfinished": \.unfinished,
                "currentEntitlements": \.currentEntitlements,
            ])
        + statics(
            of: Transaction.OfferType.self, named: "OfferType",
            [
                "introductory": \.introductory, "promotional": \.promotional, "code": \.code,
                "winBack": \.winBack,
            ])
        + statics(
            of: Transaction.Offer.PaymentMode.self, named: "PaymentMode",
            [
                "freeTrial": \.freeTrial, "payAsYouGo": \.payAsYouGo, "payUpFront": \.payUpFront,
                "oneTime": \.oneTime,
            ])
        + statics(
            of: Transaction.RevocationReason.self, named: "RevocationReason",
            [
                "other": \.other, "developerIssue": \.developerIssue,
            ])
        + statics(
            of: Transaction.RevocationType.self, named: "RevocationType",
            [
                "fullRefund": \.fullRefund, "proratedRefund": \.proratedRefund,
                "familyRevocation": \.familyRevocation, "assignmentRevocation": \.assignmentRevocation,
            ])
        + statics(
            of: Transaction.OwnershipType.self, named: "OwnershipType",
            [
                "purchased": \.purchased, "familyShared": \.familyShared, "assigned": \.assigned,
            ])
        + statics(
            of: Transaction.MultiSeatInfo.InvitationManagement.self, named: "InvitationManagement",
            [
                "apple": \.apple, "developer": \.developer,
            ])
        + statics(
            of: Transaction.AdditionalTransactionReason.self, named: "AdditionalTransactionReason",
            [
                "seatAddition": \.seatAddition
            ])
        + statics(
            of: Transaction.Reason.self, named: "Reason", ["purchase": \.purchase, "renewal": \.renewal])
        + statics(
            of: SubscriptionRenewalInfo.ExpirationReason.self, named: "ExpirationReason",
            [
                "autoRenewDisabled": \.autoRenewDisabled, "billingError": \.billingError,
                "didNotConsentToPriceIncrease": \.didNotConsentToPriceIncrease,
                "productUnavailable": \.productUnavailable, "unknown": \.unknown,
            ])
        + statics(
            of: Product.SubscriptionInfo.BillingPlanType.self, named: "BillingPlanType",
            [
                "monthly": \.monthly, "upFront": \.upFront,
            ])
        + statics(
            of: Product.SubscriptionInfo.Status.self, named: "Status", ["updates": \.updates, "all": \.all])
        + statics(
            of: Product.SubscriptionInfo.RenewalState.self, named: "RenewalState",
            [
                "subscribed": \.subscribed, "expired": \.expired,
                "inBillingRetryPeriod": \.inBillingRetryPeriod, "inGracePeriod": \.inGracePeriod,
                "revoked": \.revoked,
            ])
        + statics(
            of: AppStore.Platform.self, named: "Platform",
            [
                "iOS": \.iOS, "macOS": \.macOS, "tvOS": \.tvOS, "visionOS": \.visionOS,
            ])
        + statics(
            of: AppTransaction.StoreType.self, named: "StoreType",
            [
                "consumer": \.consumer
            ])
        + statics(
            of: AppStore.Environment.self, named: "Environment",
            [
                "production": \.production, "sandbox": \.sandbox, "xcode": \.xcode,
            ])
        + statics(
            of: Product.ProductType.self, named: "ProductType",
            [
                "consumable": \.consumable, "nonConsumable": \.nonConsumable, "nonRenewable": \.nonRenewable,
                "autoRenewable": \.autoRenewable,
            ])
        + statics(
            of: ServerNotification.NotificationType.self, named: "NotificationType",
            [
                "consumptionRequest": \.consumptionRequest, "refund": \.refund,
                "refundDeclined": \.refundDeclined, "priceIncrease": \.priceIncrease, "expired": \.expired,
            ])
        + statics(
            of: ServerNotification.Subtype.self, named: "Subtype",
            [
                "pending": \.pending, "accepted": \.accepted, "priceIncrease": \.priceIncrease,
                "voluntary": \.voluntary,
            ])

    /// Cases, functions, types, conformances, and properties that have no key path.
    private static var others: [String: Any] {
        [
            "VerificationResult.verified(_:)": VerificationResult<Transaction>.verified,
            "VerificationResult.unverified(_:_:)": VerificationResult<Transaction>.unverified,
            "VerificationResult.payloadValue":
                { (value: VerificationResult<Transaction>) throws in try value.payloadValue },
            "VerificationResult: Equatable": VerificationResult<Transaction>.self as any Equatable.Type,
            "VerificationResult: Hashable": VerificationResult<Transaction>.self as any Hashable.Type,
            "VerificationResult: Sendable": VerificationResult<Transaction>.self as any Sendable.Type,
            "VerificationResult: CustomDebugStringConvertible":
                VerificationResult<Transaction>.self as any CustomDebugStringConvertible.Type,
            "VerificationError.invalidCertificateChain":
                VerificationResult<Transaction>.VerificationError.invalidCertificateChain,
            "VerificationError.invalidDeviceVerification":
                VerificationResult<Transaction>.VerificationError.invalidDeviceVerification,
            "VerificationError.invalidEncoding":
                VerificationResult<Transaction>.VerificationError.invalidEncoding,
            "VerificationError.invalidSignature":
                VerificationResult<Transaction>.VerificationError.invalidSignature,
            "VerificationError.missingRequiredProperties":
                VerificationResult<Transaction>.VerificationError.missingRequiredProperties,
            "VerificationError.revokedCertificate":
                VerificationResult<Transaction>.VerificationError.revokedCertificate,
            "VerificationError: Error":
                VerificationResult<Transaction>.VerificationError.self as any Error.Type,
            "VerificationError: LocalizedError":
                VerificationResult<Transaction>.VerificationError.self as any LocalizedError.Type,
            "VerificationError: Hashable":
                VerificationResult<Transaction>.VerificationError.self as any Hashable.Type,
            "Transaction.==(_:_:)": (==) as (Transaction, Transaction) -> Bool,
            "Transaction.!=(_:_:)": (!=) as (Transaction, Transaction) -> Bool,
            "Transaction.hash(into:)": Transaction.hash(into:),
            "Transaction: Hashable": Transaction.self as any Hashable.Type,
            "Transaction: Identifiable": Transaction.self as any Identifiable.Type,
            "Transaction: Sendable": Transaction.self as any Sendable.Type,
            "Transaction: CustomDebugStringConvertible":
                Transaction.self as any CustomDebugStringConvertible.Type,
            "Transaction.all(for:)": Transaction.all(for:),
            "Transaction.currentEntitlements(for:)": Transaction.currentEntitlements(for:),
            "Transaction.latest(for:)": Transaction.latest(for:),
            "Transaction.finish()": Transaction.finish,
            "Transaction.subscriptionStatus":
                { (value: Transaction) async in await value.subscriptionStatus },
            "Transaction.Transactions": Transaction.Transactions.self,
            "Transaction.Transactions: AsyncSequence":
                Transaction.Transactions.self as any AsyncSequence.Type,
            "RefundRequestStatus.success": Transaction.RefundRequestStatus.success,
            "RefundRequestStatus.userCancelled": Transaction.RefundRequestStatus.userCancelled,
            "RefundRequestError.duplicateRequest": Transaction.RefundRequestError.duplicateRequest,
            "RefundRequestError.failed": Transaction.RefundRequestError.failed,
            "RefundRequestError: Error": Transaction.RefundRequestError.self as any Error.Type,
            "OfferType: RawRepresentable": Transaction.OfferType.self as any RawRepresentable.Type,
            "PaymentMode: RawRepresentable": Transaction.Offer.PaymentMode.self as any RawRepresentable.Type,
            "RevocationReason: RawRepresentable":
                Transaction.RevocationReason.self as any RawRepresentable.Type,
            "RevocationType: RawRepresentable": Transaction.RevocationType.self as any RawRepresentable.Type,
            "OwnershipType: RawRepresentable": Transaction.OwnershipType.self as any RawRepresentable.Type,
            "Reason: RawRepresentable": Transaction.Reason.self as any RawRepresentable.Type,
            "ProductType: RawRepresentable": Product.ProductType.self as any RawRepresentable.Type,
            "BillingPlanType: RawRepresentable":
                Product.SubscriptionInfo.BillingPlanType.self as any RawRepresentable.Type,
            "Environment: RawRepresentable": AppStore.Environment.self as any RawRepresentable.Type,
            "Platform: RawRepresentable": AppStore.Platform.self as any RawRepresentable.Type,
            "ExpirationReason: RawRepresentable":
                SubscriptionRenewalInfo.ExpirationReason.self as any RawRepresentable.Type,
            "RenewalState: RawRepresentable":
                Product.SubscriptionInfo.RenewalState.self as any RawRepresentable.Type,
            "Transaction.AdvancedCommerceInfo": Transaction.AdvancedCommerceInfo.self,
            "RenewalInfo.==(_:_:)": (==) as (SubscriptionRenewalInfo, SubscriptionRenewalInfo) -> Bool,
            "RenewalInfo.!=(_:_:)": (!=) as (SubscriptionRenewalInfo, SubscriptionRenewalInfo) -> Bool,
            "RenewalInfo.hash(into:)": SubscriptionRenewalInfo.hash(into:),
            "SubscriptionRenewalInfo": SubscriptionRenewalInfo.self,
            "RenewalInfo: Hashable": SubscriptionRenewalInfo.self as any Hashable.Type,
            "RenewalInfo: Sendable": SubscriptionRenewalInfo.self as any Sendable.Type,
            "RenewalInfo: CustomDebugStringConvertible":
                SubscriptionRenewalInfo.self as any CustomDebugStringConvertible.Type,
            "PriceIncreaseStatus.noIncreasePending":
                SubscriptionRenewalInfo.PriceIncreaseStatus.noIncreasePending,
            "PriceIncreaseStatus.pending": SubscriptionRenewalInfo.PriceIncreaseStatus.pending,
            "PriceIncreaseStatus.agreed": SubscriptionRenewalInfo.PriceIncreaseStatus.agreed,
            "Product.SubscriptionInfo.status(for:)": Product.SubscriptionInfo.status(for:),
            "Product.SubscriptionInfo.isEligibleForIntroOffer(for:)":
                Product.SubscriptionInfo.isEligibleForIntroOffer(for:),
            "Product.SubscriptionInfo.status(transactionID:)":
                Product.SubscriptionInfo.status(transactionID:),
            "Product.products(for:)": Product.products(for:) as ([String]) async throws -> [Product],
            "Product.purchase(options:)": Product.purchase(options:),
            "Product.latestTransaction": asynchronous { await $0.latestTransaction as Any }
                as Reading<Product>,
            "Product.SubscriptionInfo.status":
                asynchronous { try await $0.status } as Reading<Product.SubscriptionInfo>,
            "Product.SubscriptionInfo.isEligibleForIntroOffer":
                asynchronous { await $0.isEligibleForIntroOffer } as Reading<Product.SubscriptionInfo>,
            "Product.PurchaseResult.success(_:)": Product.PurchaseResult.success,
            "Product.PurchaseResult.userCancelled": Product.PurchaseResult.userCancelled,
            "Product.PurchaseResult.pending": Product.PurchaseResult.pending,
            "PurchaseOption.appAccountToken(_:)": Product.PurchaseOption.appAccountToken(_:),
            "PurchaseOption.quantity(_:)": Product.PurchaseOption.quantity(_:),
            "PurchaseOption.winBackOffer(_:)": Product.PurchaseOption.winBackOffer(_:),
            "PurchaseOption.promotionalOffer(_:compactJWS:)":
                Product.PurchaseOption.promotionalOffer(_:compactJWS:),
            "PurchaseOption.promotionalOffer(offerID:keyID:nonce:signature:timestamp:)":
                Product.PurchaseOption.promotionalOffer(offerID:keyID:nonce:signature:timestamp:),
            "PurchaseOption.introductoryOfferEligibility(compactJWS:)":
                Product.PurchaseOption.introductoryOfferEligibility(compactJWS:),
            "PurchaseOption.billingPlanType(_:)": Product.PurchaseOption.billingPlanType(_:),
            "PurchaseOption.custom(key:value:)":
                Product.PurchaseOption.custom(key:value:) as (String, Data) -> Product.PurchaseOption,
            "PurchaseOption.seats(_:)": Product.PurchaseOption.seats(_:),
            "BillingPeriod": Product.SubscriptionInfo.BillingPeriod.self,
            "PricingModel.singlePrice(_:)": Product.SubscriptionInfo.PricingTerms.PricingModel.singlePrice,
            "PricingModel.seatBased(_:)": Product.SubscriptionInfo.PricingTerms.PricingModel.seatBased,
            "PricingTerms.subscript(offers:)":
                { (terms: Product.SubscriptionInfo.PricingTerms) in terms[offers: .promotional] },
            "PurchaseOption.simulatesAskToBuyInSandbox(_:)":
                Product.PurchaseOption.simulatesAskToBuyInSandbox(_:),
            "StoreKitError.unknown": StoreKitError.unknown,
            "StoreKitError.userCancelled": StoreKitError.userCancelled,
            "StoreKitError.notAvailableInStorefront": StoreKitError.notAvailableInStorefront,
            "StoreKitError.notEntitled": StoreKitError.notEntitled,
            "StoreKitError.unsupported": StoreKitError.unsupported,
            "StoreKitError.networkError(_:)": StoreKitError.networkError,
            "StoreKitError.systemError(_:)": StoreKitError.systemError,
            "AppTransaction.shared": { @Sendable () async throws in try await AppTransaction.shared },
            "AppTransaction.refresh()": AppTransaction.refresh,
            "AppStore.sync()": AppStore.sync,
            "Unit.day": Product.SubscriptionPeriod.Unit.day,
            "Unit.week": Product.SubscriptionPeriod.Unit.week,
            "Unit.month": Product.SubscriptionPeriod.Unit.month,
            "Unit.year": Product.SubscriptionPeriod.Unit.year,
        ]
    }

    /// A member that is read asynchronously.
    private typealias Reading<Root> = @Sendable (Root) async throws -> Any

    private static func asynchronous<Root>(_ read: @escaping Reading<Root>) -> Reading<Root> { read }

    private static func properties<Root>(
        of: Root.Type, named name: String, _ paths: [String: PartialKeyPath<Root>]
    ) -> [String] { paths.keys.map { "\(name).\($0)" } }

    private static func statics<Root>(
        of: Root.Type, named name: String, _ paths: [String: PartialKeyPath<Root.Type>]
    ) -> [String] { paths.keys.map { "\(name).\($0)" } }

    private protocol Listing {
        static var names: [String] { get }
    }

    /// The tests read these names through the protocol, so that the compiler gives no deprecation warning.
    private enum Deprecated: Listing {
        @available(*, deprecated, message: "It names what is deprecated.")
        static var names: [String] {
            let functions: [String: Any] = [
                "Transaction.currentEntitlement(for:)": Transaction.currentEntitlement(for:)
            ]
            return Array(functions.keys)
                + properties(
                    of: Transaction.self, named: "Transaction",
                    [
                        "currencyCode": \.currencyCode,
                        "environmentStringRepresentation": \.environmentStringRepresentation,
                        "offerID": \.offerID, "offerType": \.offerType,
                        "offerPaymentModeStringRepresentation": \.offerPaymentModeStringRepresentation,
                        "offerPeriodStringRepresentation": \.offerPeriodStringRepresentation,
                        "reasonStringRepresentation": \.reasonStringRepresentation,
                        "storefrontCountryCode": \.storefrontCountryCode,
                        "revocationTypeStringRepresentation": \.revocationTypeStringRepresentation,
                    ])
                + properties(
                    of: SubscriptionRenewalInfo.self, named: "RenewalInfo",
                    [
                        "environmentStringRepresentation": \.environmentStringRepresentation,
                        "offerID": \.offerID, "offerType": \.offerType, "currencyCode": \.currencyCode,
                        "offerPaymentModeStringRepresentation": \.offerPaymentModeStringRepresentation,
                        "offerPeriodStringRepresentation": \.offerPeriodStringRepresentation,
                    ])
                + properties(
                    of: AppTransaction.self, named: "AppTransaction",
                    [
                        "originalPlatformStringRepresentation": \.originalPlatformStringRepresentation
                    ])
        }
    }
}
