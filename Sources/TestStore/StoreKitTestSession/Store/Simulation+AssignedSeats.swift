internal import StoreKitVerify

/// Members whom the App Store itself invites to seats (`invitationManagement` is `APPLE`): each has a purchase of its own,
/// `ASSIGNED`, that follows the buyer's as a family's does.
extension Simulation {
    /// Gives a member a seat. Returns the place of the member's transaction.
    ///
    /// Apple does not say whether the buyer's own seat is among those that can be given. It is here.
    mutating func assignSeat(
        of place: TransactionPlace, to member: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        guard let index = purchases[place].subscription,
            purchases[purchases[index].latest].seats?.invitationManagement == .apple,
            purchases[index].sharedFrom == nil, purchases[index].customer != member
        else { throw .notAllowed("the App Store gives no seats of this purchase to this customer") }
        let assigned = assignedMembers(of: index).count
        guard assigned < seats(ofPeriod: purchases[index]) else {
            throw .notAllowed("all seats of the subscription are given")
        }
        return try share(subscription: index, with: member, isAssigned: true)
    }

    private func assignedMembers(of index: SubscriptionPlace) -> [SubscriptionPlace] {
        purchases[index].members.filter { purchases[$0].isAssigned }
    }

    /// Takes the newest members' seats where there are fewer seats than members by now.
    mutating func endLostAssignments(_ index: SubscriptionPlace) throws(StoreRefusal) {
        guard !purchases[index].isEnded else { return }
        let assigned = assignedMembers(of: index)
        guard !assigned.isEmpty else { return }
        for own in assigned.dropFirst(seats(ofPeriod: purchases[index])).reversed() {
            purchases.leave(own)
            if !purchases[own].isEnded { try revokeFromMember(own, .other) }
        }
    }
}
