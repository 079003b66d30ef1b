import Foundation
import SignedPayloads
import StoreKitVerify

/// StoreKit's values by their StoreKit names, made from the values' properties: the oracle of `TypedWriter`.
struct TypedOracle {
    private var members: [(name: String, value: String)] = []

    /// The object on one line.
    var json: String { "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}" }

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        members.append((name, Self.quoted(value)))
    }

    /// Adds a text, unless it is empty. Old payloads do not have it.
    mutating func addUnlessEmpty(_ name: String, _ value: String) { add(name, value.isEmpty ? nil : value) }

    mutating func add(_ name: String, id: UInt64?) { add(name, id.map { String($0) }) }

    mutating func add(_ name: String, _ value: Int?) { add(name, json: value.map { String($0) }) }

    mutating func add(_ name: String, _ value: Bool?) { add(name, json: value.map { $0 ? "true" : "false" }) }

    mutating func add(_ name: String, _ value: Decimal?) { add(name, json: value?.description) }

    mutating func add(_ name: String, _ value: Date?) { add(name, value.map(Self.iso8601)) }

    mutating func add(_ name: String, _ value: UUID?) { add(name, value?.uuidString.lowercased()) }

    mutating func add(_ name: String, _ value: TypedOracle?) { add(name, json: value?.json) }

    /// Adds an array, unless it is empty.
    mutating func add(_ name: String, _ values: [String]) {
        guard !values.isEmpty else { return }
        add(name, json: "[" + values.map(Self.quoted).joined(separator: ",") + "]")
    }

    /// Adds an array, unless it is empty.
    mutating func add(_ name: String, _ values: [TypedOracle]) {
        guard !values.isEmpty else { return }
        add(name, json: "[" + values.map(\.json).joined(separator: ",") + "]")
    }

    private mutating func add(_ name: String, json: String?) {
        guard let json else { return }
        members.append((name, json))
    }

    private static func quoted(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\0"..<" ", "\u{7f}": String(format: "\\u%04x", scalar.value)
            default: String(scalar)
            }
        }
        return "\"" + characters.joined() + "\""
    }

    static func iso8601(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        let seconds = (milliseconds / 1000).rounded(.down)
        guard seconds >= -62_135_596_800, seconds < 253_402_300_800 else { return "\(milliseconds)" }
        var time = Int(seconds)
        var fields = unsafe tm()
        _ = unsafe gmtime_r(&time, &fields)
        return unsafe String(
            format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", fields.tm_year + 1900, fields.tm_mon + 1,
            fields.tm_mday,
            fields.tm_hour, fields.tm_min, fields.tm_sec, Int(milliseconds) - Int(seconds) * 1000)
    }
}

extension TypedOracle {
    init(_ transaction: Transaction) {
        add("id", id: transaction.id)
        add("originalID", id: transaction.originalID)
        add("webOrderLineItemID", transaction.webOrderLineItemID)
        addUnlessEmpty("appBundleID", transaction.appBundleID)
        add("productID", transaction.productID)
        add("productType", transaction.productType.rawValue)
        add("subscriptionGroupID", transaction.subscriptionGroupID)
        add("purchaseDate", transaction.purchaseDate)
        add("originalPurchaseDate", transaction.originalPurchaseDate)
        add("expirationDate", transaction.expirationDate)
        add("purchasedQuantity", transaction.purchasedQuantity)
        add("isUpgraded", transaction.isUpgraded)
        addUnlessEmpty("ownershipType", transaction.ownershipType.rawValue)
        add("appAccountToken", transaction.appAccountToken)
        addUnlessEmpty("environment", transaction.environment.rawValue)
        addUnlessEmpty("storefront", transaction.storefront.countryCode)
        addUnlessEmpty("storefrontID", transaction.storefront.id)
        addUnlessEmpty("reason", transaction.reason.rawValue)
        add("offer", transaction.offer.map(TypedOracle.init))
        add("price", transaction.price)
        add("currency", transaction.currency?.identifier)
        add("revocationDate", transaction.revocationDate)
        add("revocationReason", transaction.revocationReason?.rawValue)
        add("revocationType", transaction.revocationType?.rawValue)
        add("revocationPercentage", transaction.revocationPercentage)
        addUnlessEmpty("appTransactionID", transaction.appTransactionID)
        add("billingPlanType", transaction.billingPlanType?.rawValue)
        if let info = transaction.commitmentInfo {
            var object = TypedOracle()
            object.add("expirationDate", info.expirationDate)
            object.add("billingPeriodNumber", Int(clamping: info.billingPeriodNumber))
            object.add("totalBillingPeriods", Int(clamping: info.totalBillingPeriods))
            object.add("price", info.price)
            add("commitmentInfo", object)
        }
        if let info = transaction.advancedCommerceInfo {
            var object = TypedOracle()
            object.add("requestReferenceID", info.requestReferenceID)
            object.add("descriptors", info.descriptors.map(TypedOracle.init))
            object.add("period", info.period?.iso8601)
            object.add("taxCode", info.taxCode)
            object.add("taxRate", info.taxRate)
            object.add("taxExclusivePrice", info.taxExclusivePrice)
            object.add("estimatedTax", info.estimatedTax)
            object.add("items", info.items.map(TypedOracle.init))
            add("advancedCommerceInfo", object)
        }
        if let info = transaction.multiSeatInfo {
            var object = TypedOracle()
            object.addUnlessEmpty("invitationManagement", info.invitationManagement.rawValue)
            object.add("priceTiers", info.priceTiers.map(TypedOracle.init))
            object.add("revokedSeatQuantity", info.revokedSeatQuantity)
            add("multiSeatInfo", object)
        }
        add("additionalTransactionReason", transaction.additionalTransactionReason?.rawValue)
        add("previousOriginalTransactionID", id: transaction.previousOriginalTransactionID)
        add("signedDate", transaction.signedDate)
        addBinding(of: transaction)
    }

    init(_ info: Product.SubscriptionInfo.RenewalInfo) {
        add("originalTransactionID", id: info.originalTransactionID)
        add("currentProductID", info.currentProductID)
        add("autoRenewPreference", info.autoRenewPreference)
        add("willAutoRenew", info.willAutoRenew)
        add("expirationReason", info.expirationReason?.rawValue)
        add("isInBillingRetry", info.isInBillingRetry)
        add("gracePeriodExpirationDate", info.gracePeriodExpirationDate)
        add("priceIncreaseStatus", "\(info.priceIncreaseStatus)")
        add("renewalDate", info.renewalDate)
        // The epoch means that the payload has no such date.
        if info.recentSubscriptionStartDate.timeIntervalSince1970 != 0 {
            add("recentSubscriptionStartDate", info.recentSubscriptionStartDate)
        }
        addUnlessEmpty("environment", info.environment.rawValue)
        add("offer", info.offer.map(TypedOracle.init))
        add("eligibleWinBackOfferIDs", info.eligibleWinBackOfferIDs)
        add("renewalPrice", info.renewalPrice)
        add("currency", info.currency?.identifier)
        add("appAccountToken", info.appAccountToken)
        addUnlessEmpty("appTransactionID", info.appTransactionID)
        add("renewalBillingPlanType", info.renewalBillingPlanType?.rawValue)
        if let commitment = info.commitmentInfo {
            var object = TypedOracle()
            object.add("renewalDate", commitment.renewalDate)
            object.add("renewalPrice", commitment.renewalPrice)
            object.add("willAutoRenew", commitment.willAutoRenew)
            object.add("autoRenewPreference", commitment.autoRenewPreference)
            object.add("renewalBillingPlanType", commitment.renewalBillingPlanType?.rawValue)
            add("commitmentInfo", object)
        }
        if let commerce = info.advancedCommerceInfo {
            var object = TypedOracle()
            object.add("requestReferenceID", commerce.requestReferenceID)
            object.add("consistencyToken", commerce.consistencyToken)
            object.add("descriptors", commerce.descriptors.map(TypedOracle.init))
            object.add("period", commerce.period?.iso8601)
            object.add("taxCode", commerce.taxCode)
            object.add("items", commerce.items.map(TypedOracle.init))
            add("advancedCommerceInfo", object)
        }
        add("renewalQuantity", info.renewalQuantity)
        if let seats = info.multiSeatInfo {
            var object = TypedOracle()
            object.add("renewalPriceTiers", seats.renewalPriceTiers.map(TypedOracle.init))
            add("multiSeatInfo", object)
        }
        add("signedDate", info.signedDate)
        addBinding(of: info)
    }

    init(_ transaction: AppTransaction) {
        add("appID", id: transaction.appID)
        add("appVersion", transaction.appVersion)
        add("appVersionID", id: transaction.appVersionID)
        add("bundleID", transaction.bundleID)
        addUnlessEmpty("environment", transaction.environment.rawValue)
        add("originalAppVersion", transaction.originalAppVersion)
        add("originalPurchaseDate", transaction.originalPurchaseDate)
        add("preorderDate", transaction.preorderDate)
        add("requestDate", transaction.requestDate)
        add("revocationDate", transaction.revocationDate)
        addUnlessEmpty("appTransactionID", transaction.appTransactionID)
        addUnlessEmpty("originalPlatform", transaction.originalPlatform.rawValue)
        addUnlessEmpty("storeType", transaction.storeType.rawValue)
        add("signedDate", transaction.signedDate)
        addBinding(of: transaction)
    }

    init(_ notification: ServerNotification) {
        add("notificationType", notification.notificationType.rawValue)
        add("subtype", notification.subtype?.rawValue)
        add("notificationUUID", notification.notificationUUID)
        add("version", notification.version)
        add("signedDate", notification.signedDate)
        add("summary", notification.summary.map(TypedOracle.init))
        add("externalPurchaseToken", notification.externalPurchaseToken.map(TypedOracle.init))
        add("unclaimInfo", notification.unclaimInfo.map(TypedOracle.init))
        add("accessChange", "\(notification.accessChange)")
        add("bundleID", notification.bundleID)
        let (data, summary) = (notification.data, notification.summary)
        let (token, appData) = (notification.externalPurchaseToken, notification.appData)
        let number = data?.appAppleID ?? summary?.appAppleID ?? token?.appAppleID
        add("appAppleID", id: number ?? appData?.appAppleID ?? notification.unclaimInfo?.appAppleID)
        addUnlessEmpty("environment", notification.environment?.rawValue ?? "")
        add("status", data?.status?.rawValue)
        add("bundleVersion", data?.bundleVersion)
        add("consumptionRequestReason", data?.consumptionRequestReason?.rawValue)
        add("transaction", (notification.data?.transaction?.unsafePayloadValue).map(TypedOracle.init))
        add("renewalInfo", (notification.data?.renewalInfo?.unsafePayloadValue).map(TypedOracle.init))
        add(
            "appTransaction", (notification.appData?.appTransaction?.unsafePayloadValue).map(TypedOracle.init)
        )
    }

    private init(_ summary: NotificationSummary) {
        add("environment", summary.environment?.rawValue)
        add("appAppleID", id: summary.appAppleID)
        add("bundleID", summary.bundleID)
        add("productID", summary.productID)
        add("requestIdentifier", summary.requestIdentifier)
        add("storefrontCountryCodes", summary.storefrontCountryCodes)
        add("succeededCount", summary.succeededCount)
        add("failedCount", summary.failedCount)
    }

    private init(_ token: ExternalPurchaseToken) {
        add("externalPurchaseID", token.externalPurchaseID)
        add("tokenCreationDate", token.tokenCreationDate)
        add("tokenExpirationDate", token.tokenExpirationDate)
        add("tokenType", token.tokenType?.rawValue)
        add("appAppleID", id: token.appAppleID)
        add("bundleID", token.bundleID)
    }

    private init(_ unclaimed: NotificationUnclaimInfo) {
        add("unclaimSeatIDs", unclaimed.unclaimSeatIDs.map { $0.uuidString.lowercased() })
        add("originalTransactionID", id: unclaimed.originalTransactionID)
        add("appAppleID", id: unclaimed.appAppleID)
        add("bundleID", unclaimed.bundleID)
        add("environment", unclaimed.environment?.rawValue)
    }

    private init(_ tier: AdvancedCommerce.SeatPriceTier) {
        add("price", tier.price)
        add("maximumSeatQuantity", tier.maximumSeatQuantity)
    }

    private init(_ tier: Transaction.MultiSeatInfo.PriceTier) {
        add("price", tier.price)
        add("quantity", tier.quantity)
    }

    init(_ request: RealtimeRequest) {
        add("originalTransactionID", id: request.originalTransactionID)
        add("appAppleID", id: request.appAppleID)
        add("productID", request.productID)
        add("userLocale", request.userLocaleIdentifier)
        add("requestIdentifier", request.requestIdentifier)
        add("signedDate", request.signedDate)
        addUnlessEmpty("environment", request.environment.rawValue)
    }

    private init(_ details: AdvancedCommerce.Details) {
        add("sku", details.sku)
        add("displayName", details.displayName)
        add("description", details.description)
        add("seatPriceTiers", details.seatPriceTiers.map(TypedOracle.init))
    }

    private init(_ item: Transaction.AdvancedCommerceInfo.Item) {
        add("details", TypedOracle(item.details))
        add("offer", item.offer.map(TypedOracle.init))
        add("price", item.price)
        add("refunds", item.refunds.map(TypedOracle.init))
        add("revocationDate", item.revocationDate)
    }

    private init(_ item: Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item) {
        add("details", TypedOracle(item.details))
        add("offer", item.offer.map(TypedOracle.init))
        add("price", item.price)
        guard let increase = item.priceIncreaseInfo else { return }
        var object = TypedOracle()
        object.add("dependentSKUs", increase.dependentSKUs)
        object.add("price", increase.price)
        object.add("status", increase.status?.rawValue)
        add("priceIncreaseInfo", object)
    }

    private init(_ offer: AdvancedCommerce.Offer) {
        add("period", offer.period?.iso8601)
        add("periodCount", offer.periodCount)
        add("price", offer.price)
        add("reason", offer.reason?.rawValue)
    }

    private init(_ refund: AdvancedCommerce.Refund) {
        add("amount", refund.amount)
        add("date", refund.date)
        add("reason", refund.reason?.rawValue)
        add("type", refund.type?.rawValue)
        add("revokedSeatQuantity", refund.revokedSeatQuantity)
    }

    private init(_ offer: Transaction.Offer) {
        add("id", offer.id)
        add("type", offer.type.rawValue)
        add("paymentMode", offer.paymentMode?.rawValue)
        add("period", offer.period?.iso8601)
    }

    private mutating func addBinding(of value: some DeviceSignedValue) {
        guard !value.deviceVerification.isEmpty else { return }
        add("deviceVerification", value.deviceVerification.base64EncodedString())
        add("deviceVerificationNonce", value.deviceVerificationNonce)
    }
}
