import StoreKitVerify

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A product that a customer owns, and until when if that is known.
struct Entitlement {
    let transaction: Transaction
    /// The state of a subscription; `nil` for other products.
    let state: Product.SubscriptionInfo.RenewalState?
    let renewalInfo: Product.SubscriptionInfo.RenewalInfo?

    /// All entitlements of a history at an instant.
    static func all(in history: PurchaseHistory, at instant: Date) -> [Entitlement] {
        let chains = Dictionary(history.purchases.map { ($0.id, $0) }) { first, _ in first }
        return history.currentEntitlements(at: instant).map { transaction in
            let renewalInfo = chains[transaction.chainID]?.renewalInfo(at: instant)
            let isSubscription = transaction.productType == .autoRenewable
            return Entitlement(
                transaction: transaction,
                state: isSubscription
                    ? Product.SubscriptionInfo.RenewalState(
                        of: transaction, renewalInfo: renewalInfo, at: instant) : nil,
                renewalInfo: isSubscription ? renewalInfo : nil)
        }
    }

    /// The end of a grace period, or of the paid period.
    var end: Date? {
        state == .inGracePeriod ? renewalInfo?.gracePeriodExpirationDate : transaction.expirationDate
    }

    /// The state as StoreKit names it.
    var stateName: String? {
        switch state {
        case .subscribed?: "subscribed"
        case .inGracePeriod?: "inGracePeriod"
        default: nil
        }
    }

    /// The entitlement as one JSON object, with StoreKit's names.
    var json: String {
        var object = TypedObject()
        object.add("productID", transaction.productID)
        object.add("productType", transaction.productType.rawValue)
        object.add("state", stateName)
        object.add("id", id: transaction.id)
        object.add("originalID", id: transaction.originalID)
        object.addUnlessEmpty("ownershipType", transaction.ownershipType.rawValue)
        object.add("purchaseDate", transaction.purchaseDate)
        object.add("expirationDate", transaction.expirationDate)
        if let renewalInfo {
            object.add("gracePeriodExpirationDate", renewalInfo.gracePeriodExpirationDate)
            object.add("willAutoRenew", renewalInfo.willAutoRenew)
            object.add("autoRenewPreference", renewalInfo.autoRenewPreference)
        }
        object.addUnlessEmpty("appBundleID", transaction.appBundleID)
        object.addUnlessEmpty("environment", transaction.environment.rawValue)
        object.add("appAccountToken", transaction.appAccountToken)
        object.addUnlessEmpty("appTransactionID", transaction.appTransactionID)
        return object.json
    }
}

/// Entitlements laid out for people.
struct EntitlementText {
    let style: TerminalStyle

    /// The whole text, with a line break at the end.
    func text(for entitlements: [Entitlement], at instant: Date) -> String {
        let count = entitlements.count == 1 ? "1 entitlement" : "\(entitlements.count) entitlements"
        var lines = [style.bold("\(count) at \(instant.typedText)")]
        for entitlement in entitlements {
            let transaction = entitlement.transaction
            let name = visible(transaction.productID)
            lines += ["", style.good("✓ ") + style.bold(name)]
            lines.append(row("kind", visible(transaction.productType.rawValue)))
            if let state = entitlement.stateName {
                lines.append(
                    row("state", state + (entitlement.end.map { " until \($0.typedText)" } ?? "")))
            }
            if let info = entitlement.renewalInfo {
                let next = info.autoRenewPreference.map { "to \(visible($0))" } ?? "no"
                lines.append(row("renews", info.willAutoRenew ? next : "no"))
            }
            lines.append(row("purchased", transaction.purchaseDate.typedText))
            if transaction.ownershipType != .purchased {
                lines.append(row("ownership", visible(transaction.ownershipType.rawValue)))
            }
            lines.append(row("transaction", "\(transaction.id), original \(transaction.originalID)"))
            lines.append(row("environment", visible(transaction.environment.rawValue)))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ label: String, _ value: String) -> String {
        "  " + label + String(repeating: " ", count: max(1, 14 - label.count)) + value
    }
}
