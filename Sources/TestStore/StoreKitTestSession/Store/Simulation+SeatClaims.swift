package import Essentials
internal import StoreKitVerify
internal import WireFormats

/// The claims that an app's server has to the seats of a subscription.
package struct SeatClaims: Hashable, Sendable {
    /// A claim belongs to no seat of its own: a seat that is given again has a new claim.
    package struct Claim: Hashable, Sendable {
        package let id: UUID
        /// The customer who has the seat, by the number of the download, as soon as the app's server tells it.
        package var appTransactionID: UInt64?

        package init(id: UUID, appTransactionID: UInt64?) {
            (self.id, self.appTransactionID) = (id, appTransactionID)
        }
    }

    /// In the order in which they were made. After a renewal with fewer seats there are more claims than seats.
    package var claims: [Claim] = []
    /// The claim that each request made: a request that comes again makes no second one.
    package var requests: [UUID: UUID] = [:]

    /// No claims.
    package init() {}

    /// The seats that can still be claimed.
    ///
    /// Apple does not say whether the purchaser's own seat is one of them. It is here: every seat can be claimed.
    package func available(of seats: Int) -> Int { max(0, seats - claims.count) }
}

/// Groups of people whose access one account buys: a subscription with several seats makes one.
extension Simulation {
    /// Whether the App Store or the app's developer invites to the seats of a subscription; `nil` if it is for one person.
    package func invitationManagement(of index: SubscriptionPlace) -> SeatSale.InvitationManagement? {
        guard purchases[index].sharedFrom == nil else { return nil }
        return purchases[purchases[index].latest].seats?.invitationManagement
    }

    /// The seats that a subscription has now: zero while it is not paid for.
    package func presentSeats(of index: SubscriptionPlace) -> Int {
        switch purchases[index].phase {
        case .active, .gracePeriod: seats(ofPeriod: purchases[index])
        case .billingRetry, .expired, .revoked: 0
        }
    }

    /// After a refund, the App Store unclaims the seats that are no longer there, newest first, and tells of it. A renewal
    /// with fewer seats ends no claim.
    mutating func unclaimLostSeats(_ index: SubscriptionPlace) throws(StoreRefusal) {
        let (claims, seats) = (purchases.seatClaims[index]?.claims ?? [], seats(ofPeriod: purchases[index]))
        guard invitationManagement(of: index) == .developer, !purchases[index].isEnded,
            claims.count > seats
        else { return }
        purchases.seatClaims[index]?.claims.removeSubrange(seats...)
        beginSigning()
        var info = ObjectText()
        info.add("originalTransactionId", String(purchases[index].originalID))
        info.add("appAppleId", signer.app.appleID)
        info.add("bundleId", signer.app.bundleID)
        info.add("environment", signer.environment.rawValue)
        info.add("unclaimSeatIds", all: claims[seats...].map { $0.id.uuidString.lowercased() })
        try send(.unclaimSeats, nil, "unclaimInfo", info, customer: purchases[index].customer)
    }

    // MARK: - Groups

    /// `groupId` of a subscription's group: eighteen digits, of which the first is that of Apple's Sandbox.
    package func groupID(of index: SubscriptionPlace) -> UInt64 { Self.firstGroup + UInt64(index.number) }

    private static let firstGroup: UInt64 = 900_000_000_000_000_000

    /// The subscriptions whose groups a customer is a member of. A group ends with its subscription.
    package func groups(of customer: CustomerPlace) -> [SubscriptionPlace] {
        let candidates = purchases[customer].allSubscriptions.map { purchases[$0].sharedFrom ?? $0 }
        return Set(candidates + purchases.seatClaims.keys).sorted().filter {
            isGroup($0) && members(ofGroup: $0).contains(customers[customer].appTransactionID)
        }
    }

    /// The subscription of a group.
    package func subscription(ofGroup group: UInt64) -> SubscriptionPlace? {
        purchases.subscription(group &- Self.firstGroup).flatMap { isGroup($0) ? $0 : nil }
    }

    private func isGroup(_ index: SubscriptionPlace) -> Bool {
        invitationManagement(of: index) != nil && !purchases[index].isEnded
    }

    /// The members of a group whom the App Store knows, by the numbers of their downloads: the purchaser, whom it
    /// invited, and who was named to a claim.
    package func members(ofGroup index: SubscriptionPlace) -> [UInt64] {
        let invited = purchases[index].members.filter {
            purchases[$0].isAssigned && !purchases[$0].isEnded
        }
        let known = ([index] + invited).map { customers[purchases[$0].customer].appTransactionID }
        return Set(known + (purchases.seatClaims[index]?.claims ?? []).compactMap(\.appTransactionID))
            .sorted()
    }
}
