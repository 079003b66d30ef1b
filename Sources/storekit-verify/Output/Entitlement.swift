import StoreKitVerify
import VerificationReports

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A product that a customer owns, and until when if that is known.
struct Entitlement {
    private let standing: Standing
    /// The names of the customer who owns it.
    let customers: [Customer.Name]

    var transaction: Transaction { standing.transaction }
    var renewalInfo: Product.SubscriptionInfo.RenewalInfo? { standing.renewalInfo }
    var end: Date? { standing.end }

    /// The entitlements at an instant, latest purchase first: those of each customer in each app and environment.
    ///
    /// - Parameter areOneCustomers: whether all purchases are one customer's.
    static func all(
        in history: PurchaseHistory, areOneCustomers: Bool, at instant: Date
    ) -> [Entitlement] {
        history.groupedByAppAndCustomer(areOneCustomers: areOneCustomers).flatMap { group in
            let names = Set(group.purchases.flatMap { $0.customers.dropFirst() })
            return group.entitlements(at: instant).map { standing in
                Entitlement(
                    standing: standing,
                    customers: names.sorted { $0.description < $1.description }
                        + [.originalTransactionID(standing.transaction.originalID)])
            }
        }.sorted { $0.transaction.follows($1.transaction) }
    }

    /// The state as StoreKit names it.
    var stateName: String? {
        switch standing.state {
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
        object.add("customers", customers.map(\.description))
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
            lines.append(row("app", visible(transaction.appBundleID)))
            lines.append(row("environment", visible(transaction.environment.rawValue)))
            lines.append(
                row("customer", visible(entitlement.customers.map(\.description).joined(separator: ", "))))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ label: String, _ value: String) -> String {
        "  " + label + String(repeating: " ", count: max(1, 14 - label.count)) + value
    }
}
