package import Essentials
internal import StoreKitVerify

/// An amount that a customer paid or got back, as the simulated App Store knows it. A reader of its payloads should come to the
/// same.
package struct PaidTruth: Hashable, Sendable {
    package let transaction: UInt64
    package let productID: String
    package let currency: String
    package let storefront: String
    package let date: Date
    /// In thousandths of the currency's unit; below zero if it came back.
    package let amount: Int
}

extension TestAppStore {
    /// All that customers paid and got back. Nothing is estimated here: what an upgrade gives back is no part of it.
    package var paid: [PaidTruth] {
        read { simulation in
            simulation.purchases.transactions.flatMap { simulation.paid(for: simulation.purchases[$0]) }
        }
    }
}

extension Simulation {
    fileprivate func paid(for transaction: TransactionRecord) -> [PaidTruth] {
        guard transaction.ownership == .purchased else { return [] }
        let region = customers[transaction.customer].region
        func truth(_ date: Int, _ amount: Int) -> PaidTruth {
            PaidTruth(
                transaction: transaction.id, productID: transaction.product.id, currency: region.currency,
                storefront: region.code, date: Date(milliseconds: date), amount: amount)
        }
        var (paid, left) = ([truth(transaction.purchaseDate, transaction.price)], transaction.price)
        for refund in transaction.itemRefunds {
            paid.append(truth(refund.date, -refund.amount))
            left -= refund.amount
        }
        if let revocation = transaction.revocation, let share = revocation.percentage {
            let back = min(left, (transaction.price * share + 50_000) / 100_000)
            // Of what is sold once, the refund of the item is the one of the whole.
            if back > 0 || transaction.itemRefunds.isEmpty { paid.append(truth(revocation.date, -back)) }
        }
        return paid
    }
}
