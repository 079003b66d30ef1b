package import StoreKitVerify

/// How subscriptions are sold for several people.
package struct SeatSale: Hashable, Sendable {
    package typealias InvitationManagement = Transaction.MultiSeatInfo.InvitationManagement

    /// Seats of one price.
    struct Tier: Hashable, Sendable {
        /// How many seats have the price; `nil` for all that are left.
        let seats: Int?
        /// Of one seat, in thousandths of the currency's unit.
        let price: Int
    }

    /// Apple names no limit. This one keeps sums of prices far from the largest integer.
    static let limit = 100_000

    /// Of one seat, in thousandths of the currency's unit: all seats of a subscription at this price fit an integer.
    static let highestPrice = 50_000_000_000_000

    let invitationManagement: InvitationManagement
    /// The prices of the first seats and of those that follow; empty if each seat has the product's price.
    var tiers: [Tier] = []

    /// The price of some seats.
    ///
    /// - Parameters:
    ///   - count: the seats.
    ///   - first: how many seats of the period there are already: the added ones come after them. Apple's pages do not say
    ///     in which tiers added seats are; this is assumed.
    func tiers(_ count: Int, after first: Int) -> [PurchasedSeats.Tier] {
        var (skipped, left) = (first, count)
        var purchased: [PurchasedSeats.Tier] = []
        for tier in tiers where left > 0 {
            let free = max(0, (tier.seats ?? .max) - skipped)
            skipped = max(0, skipped - (tier.seats ?? 0))
            guard free > 0 else { continue }
            purchased.append(.init(price: tier.price, quantity: min(free, left)))
            left -= min(free, left)
        }
        return purchased
    }
}

/// The seats that a transaction stands for.
struct PurchasedSeats: Hashable, Sendable {
    /// Seats of one price, as payloads name them.
    struct Tier: Hashable, Sendable {
        /// Of one seat, in thousandths of the currency's unit.
        let price: Int
        let quantity: Int
    }

    let invitationManagement: SeatSale.InvitationManagement
    let tiers: [Tier]
    /// How many of them a refund took back.
    var revoked = 0
    /// Whether the period has more than one transaction.
    var isOneOfSeveral = false

    var quantity: Int { tiers.reduce(0) { $0 + $1.quantity } }
    /// The seats that no refund took back.
    var left: Int { quantity - revoked }
    /// The price of all of them.
    var price: Int { tiers.reduce(0) { $0 + $1.price * $1.quantity } }
    /// The average price of one. Apple does not say how it is rounded; it is rounded down here.
    var averagePrice: Int { quantity > 0 ? price / quantity : 0 }
}
