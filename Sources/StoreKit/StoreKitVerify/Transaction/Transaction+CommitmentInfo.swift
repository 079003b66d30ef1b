package import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Transaction {
    /// The commitment of a subscription that is billed each month and runs for several months.
    public struct CommitmentInfo: Hashable, Sendable {
        /// When the commitment ends.
        public let expirationDate: Date
        /// The number of this transaction's billing period, counted from 1.
        public let billingPeriodNumber: UInt64
        /// The number of billing periods in the commitment.
        public let totalBillingPeriods: UInt64
        /// The price of the whole commitment, in units of the currency.
        public let price: Decimal

        package static let form = PayloadForm(
            "commitment",
            [
                .required("expirationDate", .date, "commitmentExpiresDate"),
                .required("billingPeriodNumber", .count, "billingPeriodNumber"),
                .required("totalBillingPeriods", .count, "totalBillingPeriods"),
                .required("price", .thousandths, "commitmentPrice"),
            ])

        /// Returns `nil` unless all members are present.
        init?(_ transaction: PayloadFields) {
            guard let fields = transaction.object("commitmentInfo", names: Self.form.names),
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
