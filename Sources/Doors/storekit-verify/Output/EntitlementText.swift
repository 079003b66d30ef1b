import Essentials
import InspectionReports
import PayloadOutput
import StoreKitVerify
import WireFormats

/// Entitlements laid out for people.
///
/// The text may change from version to version. Programs read the JSON.
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
            lines.append(row("app", visible(entitlement.purchase.appBundleID)))
            lines.append(row("environment", visible(entitlement.purchase.environment.rawValue)))
            lines.append(
                row("customer", visible(entitlement.customers.map(\.description).joined(separator: ", "))))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Labels have up to 13 characters.
    private func row(_ label: String, _ value: String) -> String {
        "  " + label + String(repeating: " ", count: max(1, 14 - label.count)) + value
    }
}
