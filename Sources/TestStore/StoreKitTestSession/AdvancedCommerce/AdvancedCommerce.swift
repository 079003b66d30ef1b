package import Essentials
internal import StoreKitVerify
internal import WireFormats

extension Simulation {
    /// A subscription that an app's server manages through the Advanced Commerce API.
    package struct AdvancedCommerce: Hashable, Sendable {
        /// The request that the subscription, or its last change, came from.
        package var requestReferenceID: UUID
        /// The present terms of the customer.
        package var present: Terms
        /// The terms from the next renewal on.
        package var next: Terms

        /// The token that a later request copies from the renewal information.
        package var consistencyToken: String { requestReferenceID.uuidString.lowercased() }

        /// The names and the items that a period has.
        package struct Terms: Hashable, Sendable {
            var displayName: String
            var description: String
            package var items: [Item]
            package var taxCode: String

            package init(
                displayName: String, description: String, items: [Item], taxCode: String = "C003-00-2"
            ) {
                (self.displayName, self.description) = (displayName, description)
                (self.items, self.taxCode) = (items, taxCode)
            }

            /// The price of a period, in thousandths of the currency's unit.
            var price: Int { items.reduce(0) { $0 + $1.charge } }

            /// The terms of the period after one with these.
            var afterPeriod: Terms {
                var next = self
                next.items = items.map(\.afterPeriod)
                return next
            }
        }

        /// An item for sale, with the app's own number and words.
        package struct Item: Hashable, Sendable {
            package var sku: String
            package var displayName: String
            package var description: String
            /// Without the offer, in thousandths of the currency's unit.
            package var price: Int
            /// The items whose prices follow this one's.
            var dependentSKUs: [String] = []
            var offer: ItemOffer?

            /// An item without an offer, whose price no other one follows.
            package init(sku: String, displayName: String, description: String, price: Int) {
                (self.sku, self.displayName) = (sku, displayName)
                (self.description, self.price) = (description, price)
            }

            /// The price of a period.
            package var charge: Int { offer?.price ?? price }

            /// The item in the next period: its offer has one period less, or has ended.
            var afterPeriod: Item {
                var next = self
                next.offer?.periodsLeft -= 1
                if next.offer?.periodsLeft == 0 { next.offer = nil }
                return next
            }
        }

        /// An offer of one item.
        struct ItemOffer: Hashable, Sendable {
            /// Apple's name of a length, such as `P1M`.
            let period: String
            let periodCount: Int
            /// Of a period, in thousandths of the currency's unit.
            let price: Int
            /// Apple's name.
            let reason: String
            /// The periods that have the offer, the present one included.
            var periodsLeft: Int
        }
    }

    /// A refund of an item of one transaction.
    package struct ItemRefund: Hashable, Sendable {
        package let sku: String
        /// In thousandths of the currency's unit.
        let amount: Int
        /// In milliseconds since 1970.
        package let date: Int
        /// Apple's names.
        let reason: String
        let type: String
        /// Whether the customer loses the item.
        package let revokes: Bool
        /// How many seats were taken back; `nil` for a refund of the item itself.
        package var seats: Int?

        package init(
            sku: String, amount: Int, date: Int, reason: String, type: String, revokes: Bool,
            seats: Int? = nil
        ) {
            (self.sku, self.amount, self.date) = (sku, amount, date)
            (self.reason, self.type) = (reason, type)
            (self.revokes, self.seats) = (revokes, seats)
        }

        /// A part of an amount, without a product that no integer holds.
        ///
        /// - Parameter share: in thousandths of a percent.
        package static func amount(_ amount: Int, _ share: Int) -> Int {
            amount / 100_000 * share + amount % 100_000 * share / 100_000
        }
    }
}

// MARK: - Payloads

extension Simulation.AdvancedCommerce.Terms {
    /// The customer sees these words in place of the product's own.
    var descriptors: ObjectText {
        var object = ObjectText()
        object.add("description", description)
        object.add("displayName", displayName)
        return object
    }
}

extension Simulation.AdvancedCommerce.Item {
    func object(price: Int) -> ObjectText {
        var object = ObjectText()
        object.add("SKU", sku)
        object.add("description", description)
        object.add("displayName", displayName)
        object.add("offer", offer?.object)
        object.add("price", price)
        return object
    }

    /// An item of the next renewal. A price that rises is told of beside the present one; one that falls needs no notice.
    func renewal(presentPrice: Int?) -> ObjectText {
        guard let presentPrice, price > presentPrice else { return object(price: price) }
        var increase = ObjectText()
        increase.add("dependentSKUs", all: dependentSKUs)
        increase.add("price", price)
        increase.add("status", "PENDING")
        var object = object(price: presentPrice)
        object.add("priceIncreaseInfo", increase)
        return object
    }
}

extension Simulation.AdvancedCommerce.ItemOffer {
    fileprivate var object: ObjectText {
        var object = ObjectText()
        object.add("period", period)
        object.add("periodCount", periodCount)
        object.add("price", price)
        object.add("reason", reason)
        return object
    }
}

extension Simulation.ItemRefund {
    var object: ObjectText {
        var object = ObjectText()
        object.add("refundAmount", amount)
        object.add("refundDate", date)
        object.add("refundReason", reason)
        object.add("refundType", type)
        object.add("revokedSeatQuantity", seats)
        return object
    }
}
