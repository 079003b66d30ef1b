import Essentials
package import SeededRandom
package import StoreKitVerify

/// Payloads that contradict each other in every way: identifiers, apps, environments, dates and names.
package struct ContradictingPayloads {
    package var transactions: [VerificationResult<Transaction>] = []
    package var renewals: [VerificationResult<Product.SubscriptionInfo.RenewalInfo>] = []

    package init(_ random: inout SplitMix64) throws {
        let types = [
            "Auto-Renewable Subscription", "Non-Consumable", "Non-Renewing Subscription", "Consumable",
        ]
        let environments = [#""Production""#, #""Production""#, #""Sandbox""#, #""""#]
        let tokens = (0..<2).map { _ in "\"\(UUID().uuidString.lowercased())\"" }
        for _ in 0..<120 {
            let bought = Int.random(in: 0...40, using: &random)
            var members = ["environment": environments.randomElement(using: &random) ?? ""]
            if Bool.random(using: &random) {
                members["appAccountToken"] = tokens.randomElement(using: &random)
            }
            if Int.random(in: 0..<4, using: &random) == 0 { members["bundleId"] = #""com.example.pond""# }
            if Int.random(in: 0..<5, using: &random) == 0 {
                members["revocationDate"] = "\(Signed.day(Int.random(in: 0...40, using: &random)))"
            }
            if Int.random(in: 0..<5, using: &random) == 0 { members["isUpgraded"] = "true" }
            transactions.append(
                try Signed.transaction(
                    Signed.transactionPayload(
                        id: Int.random(in: 1...4, using: &random),
                        original: Int.random(in: 1...2, using: &random),
                        type: types[min(3, Int.random(in: 0...7, using: &random) / 2)], purchased: bought,
                        expires: bought + Int.random(in: -5...30, using: &random),
                        signed: Int.random(in: 0...40, using: &random), members)))
        }
        for _ in 0..<60 {
            var members = ["environment": environments.randomElement(using: &random) ?? ""]
            if Bool.random(using: &random) {
                members["appAccountToken"] = tokens.randomElement(using: &random)
            }
            if Bool.random(using: &random) {
                members["renewalDate"] = "\(Signed.day(Int.random(in: 0...60, using: &random)))"
            }
            if Bool.random(using: &random) { members["isInBillingRetryPeriod"] = "true" }
            if Bool.random(using: &random) {
                members["gracePeriodExpiresDate"] =
                    "\(Signed.day(Int.random(in: 0...60, using: &random)))"
            }
            renewals.append(
                try Signed.renewalInfo(
                    Signed.renewalPayload(
                        original: Int.random(in: 1...2, using: &random),
                        signed: Int.random(in: 0...40, using: &random), members)))
        }
    }

    /// The number of steps: adding each payload, and finishing each transaction.
    package var count: Int { transactions.count * 2 + renewals.count }

    package func history(_ steps: [Int]) throws -> PurchaseHistory {
        var history = PurchaseHistory()
        for step in steps {
            switch step {
            case ..<transactions.count: try history.add(transactions[step])
            case ..<(transactions.count + renewals.count):
                try history.add(renewals[step - transactions.count])
            default:
                history.finish(
                    try transactions[step - transactions.count - renewals.count].payloadValue)
            }
        }
        return history
    }
}
