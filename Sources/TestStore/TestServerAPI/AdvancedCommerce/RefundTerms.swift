internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// How a request wants an item to be refunded.
struct RefundTerms {
    let reason: String
    let type: String

    /// Whether the request asks for a refusal, to test it.
    var isDeclined: Bool { reason == "SIMULATE_REFUND_DECLINE" }

    private static let reasons: Set = [
        "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
        "MODIFY_ITEMS_REFUND", "SIMULATE_REFUND_DECLINE",
    ]

    /// - Parameter types: Apple's names that the endpoint allows.
    init(
        _ body: JSONTree, types: Set<String>, _ simulation: Simulation
    ) throws(AdvancedCommerceCode) {
        guard let reason = body.present("refundReason") else { throw .nullRefundReason }
        guard let text = reason.stringValue, Self.reasons.contains(text) else { throw .invalidRefundReason }
        guard let type = body.present("refundType") else { throw .nullRefundType }
        guard let name = type.stringValue, types.contains(name) else { throw .invalidRefundType }
        self.reason = text
        self.type = name
        guard !isDeclined || simulation.signer.environment != .production else {
            throw .simulateRefundDeclineOnlyInSandbox
        }
    }

    /// The question to the app's server. Two reasons have no question of their own.
    var consumptionReason: ConsumptionRequestReason {
        switch reason {
        case "MODIFY_ITEMS_REFUND", "SIMULATE_REFUND_DECLINE": .other
        default: ConsumptionRequestReason(rawValue: reason)
        }
    }

    /// A problem of the app is the only reason that a transaction tells.
    var revocationReason: Transaction.RevocationReason {
        reason == "FULFILLMENT_ISSUE" ? .developerIssue : .other
    }

    func refund(
        of item: Simulation.AdvancedCommerce.Item, amount: Int, revokes: Bool, at date: Int
    ) -> Simulation.ItemRefund {
        .init(sku: item.sku, amount: amount, date: date, reason: reason, type: type, revokes: revokes)
    }

    /// The part of an item's price that is paid back, in thousandths of the currency's unit.
    func amount(
        _ body: JSONTree, of item: Simulation.AdvancedCommerce.Item, _ place: TransactionPlace,
        _ simulation: Simulation
    ) throws(AdvancedCommerceCode) -> Int {
        let custom = body.present("refundAmount")
        switch type {
        case "CUSTOM":
            guard let amount = custom?.wholeNumber else { throw .nullRefundAmount }
            guard amount > 0 else { throw .negativeRefundAmount }
            guard amount <= item.charge else { throw .invalidAmount }
            return amount
        case _ where custom != nil: throw .refundAmountWithoutCustom
        case "PRORATED":
            guard let index = simulation.purchases[place].subscription,
                simulation.purchases[index].latest == place
            else {
                throw .proratedOnlyLatestTransaction
            }
            return Simulation.ItemRefund.amount(item.charge, simulation.unusedShare(of: place))
        default: return item.charge
        }
    }
}
