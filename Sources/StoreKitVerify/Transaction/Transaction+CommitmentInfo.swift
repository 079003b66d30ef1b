#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Transaction {
    /// The commitment of a subscription that is billed by the month and runs for longer.
    public struct CommitmentInfo: Hashable, Sendable {
        /// When the commitment ends.
        public let expirationDate: Date
        /// Which of the billing periods this transaction is for, from 1.
        public let billingPeriodNumber: UInt64
        /// How many billing periods the commitment has.
        public let totalBillingPeriods: UInt64
        /// The price of the whole commitment, in units of the currency.
        public let price: Decimal

        private static let names = [
            "commitmentExpiresDate", "billingPeriodNumber", "totalBillingPeriods", "commitmentPrice",
        ]

        /// There is none unless all of it is there.
        init?(_ transaction: PayloadFields) {
            guard let fields = transaction.object("commitmentInfo", names: Self.names),
                let expirationDate = fields.date("commitmentExpiresDate"),
                let billingPeriodNumber = fields.identifier("billingPeriodNumber"),
                let totalBillingPeriods = fields.identifier("totalBillingPeriods"),
                let price = fields.thousandths("commitmentPrice")
            else { return nil }
            self.expirationDate = expirationDate
            self.billingPeriodNumber = billingPeriodNumber
            self.totalBillingPeriods = totalBillingPeriods
            self.price = price
        }
    }
}
