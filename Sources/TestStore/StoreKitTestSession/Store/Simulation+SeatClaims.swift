internal import StoreKitVerify
internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The group of people of a subscription with several seats, and the claims that an app's server has to the seats.
struct SeatGroup: Hashable, Sendable {
    /// Who invites the members (`invitationManagement`).
    enum InvitationManagement: String, Sendable {
        case apple = "APPLE"
        case developer = "DEVELOPER"
    }

    /// Who pays (`groupType`).
    enum Kind: String, Sendable {
        case consumer = "CONSUMER"
        case organization = "ORGANIZATION"
    }

    /// A claim belongs to no seat of its own: a seat that is given again has a new claim.
    struct Claim: Hashable, Sendable {
        let id: UUID
        /// The customer who has the seat, by the number of the download, as soon as the app's server tells it.
        var appTransactionID: UInt64?
    }

    /// `groupId`, which clients cannot read anything from.
    let id: UInt64
    var kind = Kind.consumer
    var invitationManagement = InvitationManagement.developer
    /// The seats of the present period, without the refunded ones.
    var quantity: Int
    /// The members whom the App Store invited, by the numbers of their downloads.
    var members: [UInt64] = []
    /// In the order in which they were claimed. After a renewal with fewer seats there are more claims than seats.
    var claims: [Claim] = []
    /// The claim that each request made: a request that comes again makes no second one.
    var requests: [UUID: UUID] = [:]

    /// The seats that can still be claimed.
    ///
    /// Apple does not say whether the purchaser's own seat is one of them. It is here: every seat can be claimed.
    func available(of seats: Int) -> Int { max(0, seats - claims.count) }
}

extension Simulation {
    /// The subscription with a transaction, if it was bought for several people.
    func subscriptionWithSeats(_ place: Int) -> Int? {
        guard let index = transactions[place].subscription, subscriptions[index].sharedFrom == nil else {
            return nil
        }
        return seatGroups[index] == nil ? nil : index
    }

    /// The seats that a subscription has now: none while it is not paid for.
    func seats(of index: Int) -> Int {
        switch subscriptions[index].phase {
        case .active, .gracePeriod: seatGroups[index]?.quantity ?? 0
        case .billingRetry, .expired, .revoked: 0
        }
    }

    /// Makes a subscription one with several seats, or gives it another number of them, as a renewal does. Claims stay.
    mutating func setSeats(_ quantity: Int, of index: Int) {
        // Eighteen digits, beginning with the number that Apple's Sandbox has.
        let id = 900_000_000_000_000_000 + UInt64(seatGroups.count)
        seatGroups[index, default: SeatGroup(id: id, quantity: quantity)].quantity = quantity
    }

    /// Takes seats back after a refund. The App Store then unclaims the seats that are no longer there, newest first.
    mutating func revokeSeats(_ count: Int, of index: Int) throws(StoreRefusal) {
        guard let group = seatGroups[index], (1...group.quantity).contains(count) else {
            throw .notAllowed("the subscription does not have so many seats")
        }
        seatGroups[index]?.quantity -= count
        try unclaimSeats(above: group.quantity - count, of: index)
    }

    /// Ends the newest claims above a number, and tells of it (`UNCLAIM_SEATS`) if there are any.
    mutating func unclaimSeats(above seats: Int, of index: Int) throws(StoreRefusal) {
        guard let group = seatGroups[index], group.invitationManagement == .developer,
            group.claims.count > seats
        else { return }
        let ended = group.claims[seats...]
        seatGroups[index]?.claims.removeSubrange(seats...)
        beginSigning()
        var info = ObjectText()
        info.add("originalTransactionId", String(subscriptions[index].originalID))
        info.add("appAppleId", signer.app.appleID)
        info.add("bundleId", signer.app.bundleID)
        info.add("environment", signer.environment.rawValue)
        info.add("unclaimSeatIds", all: ended.map { $0.id.uuidString.lowercased() })
        try send(.unclaimSeats, nil, "unclaimInfo", info, customer: subscriptions[index].customer)
    }

    // MARK: - Groups

    /// The subscriptions of all groups that exist: a group ends with its subscription.
    var subscriptionsOfGroups: [Int] { seatGroups.keys.filter { !isEnded(subscriptions[$0]) }.sorted() }

    /// The members of a group whom the App Store knows, by the numbers of their downloads: the purchaser, whom it
    /// invited, and whose seats were associated.
    func members(ofGroup index: Int) -> [UInt64] {
        guard let group = seatGroups[index] else { return [] }
        let purchaser = customers[subscriptions[index].customer].appTransactionID
        return Set([purchaser] + group.members + group.claims.compactMap(\.appTransactionID)).sorted()
    }
}
