public import Essentials
internal import SignedPayloads
package import WireFormats

extension Transaction {
    /// The seats of a subscription that was bought for several people.
    ///
    /// The transactions of members and assignees repeat the numbers of the purchaser's. So only those of the purchaser
    /// count as revenue.
    public struct MultiSeatInfo: Hashable, Sendable {
        /// Who invites the members of the group.
        ///
        /// An unknown value is kept unchanged.
        public struct InvitationManagement: RawRepresentable, Hashable, Sendable {
            /// The value, as the payload gives it.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The App Store invites the members. Each of them has a transaction of their own.
            public static let apple = InvitationManagement(rawValue: "APPLE")
            /// The app's developer invites the members. They have no transactions: the developer claims seats for them.
            public static let developer = InvitationManagement(rawValue: "DEVELOPER")
        }

        /// Seats of one price.
        public struct PriceTier: Hashable, Sendable {
            /// The price of one seat, in units of the transaction's currency.
            public let price: Decimal
            /// The number of seats at this price.
            public let quantity: Int

            package static let form = PayloadForm("price tier", PriceTier.init)

            init(_ properties: inout PayloadProperties) throws(PayloadError) {
                price = try properties.required("price", .thousandths, "price")
                quantity = try properties.required("quantity", .integer, "quantity")
            }
        }

        /// Who invites the members of the group; empty if the payload does not say.
        public let invitationManagement: InvitationManagement

        /// The prices of the seats. Apple promises no order; seats fill the tiers from the highest price on. A tier
        /// without price or quantity is left out here, and `charge` is then `nil`.
        public let priceTiers: [PriceTier]

        /// The number of the transaction's seats that a refund of seats took back. Only the purchaser's transaction has
        /// it. The transaction itself stays valid.
        public let revokedSeatQuantity: Int?

        /// The price of all seats: the sum of price times quantity over the tiers. `nil` if there are no tiers, or
        /// if one cannot be read or has a number below zero.
        ///
        /// `Transaction.price` is the average price of a seat, and may be rounded. Do not multiply it.
        public let charge: Decimal?

        package static let form = PayloadForm("multiseat information", MultiSeatInfo.init)

        init(_ properties: inout PayloadProperties) {
            invitationManagement = InvitationManagement(
                rawValue: properties.value("invitationManagement", .textUnlessEmpty, "invitationManagement"))
            priceTiers = properties.objects("priceTiers", PriceTier.form, PriceTier.init)
            revokedSeatQuantity = properties.optional("revokedSeatQuantity", .integer, "revokedSeatQuantity")
            charge = properties.optional(nil, .seatCharge, "priceTiers")
        }
    }

    /// Why a subscription period has more than one transaction.
    ///
    /// An unknown value is kept unchanged.
    public struct AdditionalTransactionReason: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Seats were added during the period. All transactions of the period count, and none replaces another.
        public static let seatAddition = AdditionalTransactionReason(rawValue: "SEAT_ADDITION")
    }

    /// The charge of the transaction: `price`, or the sum over the price tiers of its seats.
    package var charge: Decimal? { multiSeatInfo.map(\.charge) ?? price }
}
