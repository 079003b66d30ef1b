public import StoreKitVerify

/// Subscriptions for several people. StoreKitTest has no functions for them. An app buys seats by
/// `Product.PurchaseOption.seats(_:)`. Each function throws `SKTestError` if there is no such transaction, or the App Store
/// does not allow the action.
extension SKTestSession {
    /// Who invites members to the seats of subscriptions, for all customers; `nil` if the App Store sells no seats, as it is
    /// at first.
    ///
    /// A subscription keeps the value that there was when it was bought. Each seat costs what the product does.
    public var seatInvitationManagement: Transaction.MultiSeatInfo.InvitationManagement? {
        get { appStore.read { $0.settings.seatSale?.invitationManagement } }
        set {
            let sale = newValue.map { SeatSale(invitationManagement: $0) }
            appStore.change { $0.settings.seatSale = sale }
        }
    }

    /// Changes how many seats a subscription has after the next renewal: fewer than now, or some of those that were to end.
    ///
    /// - Parameters:
    ///   - identifier: a transaction of the subscription.
    ///   - count: the seats of the next period.
    public func setRenewalSeats(forTransaction identifier: some BinaryInteger, to count: Int) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.setNextSeats(index, count)
        }
    }

    /// Refunds some seats of a transaction, or all of them, which is a refund of the transaction.
    public func refundSeats(ofTransaction identifier: some BinaryInteger, count: Int) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.refundSeats(self.place(of: identifier, simulation), count)
        }
    }

    /// Gives a seat to another customer, where the App Store invites members. The member leaves by
    /// `leaveFamilySharing(ofTransaction:)`.
    public func assignSeat(ofTransaction identifier: some BinaryInteger, to member: SKTestSession) throws {
        guard member.appStore === appStore else {
            throw SKTestError(.invalidAction, "the member is a customer of another App Store")
        }
        try act { (simulation) throws(StoreRefusal) in
            _ = try simulation.assignSeat(of: self.place(of: identifier, simulation), to: member.customer)
        }
        try member.deliver()
    }
}
