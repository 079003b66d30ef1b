public import Essentials
internal import SignedPayloads
package import WireFormats

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

        package static let form = PayloadForm("commitment", CommitmentInfo.init)

        init(_ properties: inout PayloadProperties) throws(PayloadError) {
            expirationDate = try properties.required("expirationDate", .date, "commitmentExpiresDate")
            billingPeriodNumber = try properties.required(
                "billingPeriodNumber", .count, "billingPeriodNumber")
            totalBillingPeriods = try properties.required(
                "totalBillingPeriods", .count, "totalBillingPeriods")
            price = try properties.required("price", .thousandths, "commitmentPrice")
        }
    }
}
