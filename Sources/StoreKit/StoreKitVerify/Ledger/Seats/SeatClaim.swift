public import Essentials

/// A seat of another customer's subscription that your server gave to a member, for seats that the developer manages
/// (`invitationManagement` is `DEVELOPER`).
///
/// The App Store signs no transaction for such a member. It answers Claim Seat (App Store Server API) with an identifier,
/// and your record of it gives access, as long as the purchaser is entitled. A claim's identifier is never used
/// again: the same seat, given to another member, is another claim.
public struct SeatClaim: Hashable, Sendable {
    /// The App Store's identifier, `seatClaimId`.
    public let id: UUID
    /// The identity of the purchaser's subscription.
    public let purchase: PurchaseChain.ID
    /// The member's names. To add one, such as that of the download after Associate Seat, record the claim again with it.
    public internal(set) var members: Set<Customer.Name>
    /// When your server claimed the seat: of several records of one claim, the earliest date counts.
    public internal(set) var date: Date
    /// When the claim ended; `nil` while it stands.
    public package(set) var endDate: Date?

    /// A claim.
    ///
    /// - Parameters:
    ///   - id: the `seatClaimId` that the App Store answered.
    ///   - purchase: the purchaser's subscription.
    ///   - members: the member's names.
    ///   - date: when your server claimed the seat.
    public init(id: UUID, of purchase: PurchaseChain.ID, for members: [Customer.Name], date: Date) {
        self.id = id
        self.purchase = purchase
        self.members = Set(members)
        self.date = date
    }

    /// Whether the member has the seat at an instant.
    public func stands(at instant: Date) -> Bool {
        date <= instant && endDate.map { instant < $0 } ?? true
    }
}

/// The claims of a store. Records may come in any order and any number of times.
struct SeatClaims: Hashable, Sendable {
    private var claims: [UUID: SeatClaim] = [:]
    /// When claims ended, also of those that are not known yet.
    private var ends: [UUID: Date] = [:]

    mutating func add(_ claim: SeatClaim) {
        guard var known = claims[claim.id] else { return claims[claim.id] = claim }
        known.members.formUnion(claim.members)
        known.date = min(known.date, claim.date)
        claims[claim.id] = known
    }

    mutating func end(_ ids: some Sequence<UUID>, at date: Date) {
        for id in ids { ends[id] = min(ends[id] ?? date, date) }
    }

    /// A customer's claims; all of them for `.everyone`.
    func of(_ customer: Customer) -> [SeatClaim] {
        claims.values.filter { customer.owns($0.members) }.map {
            var claim = $0
            claim.endDate = ends[claim.id]
            return claim
        }
    }
}

/// A member's seat, and the purchase that it is of.
public struct ClaimedSeat: Hashable, Sendable {
    /// The member's claim, which gives the names and dates.
    public let claim: SeatClaim
    /// The purchaser's subscription.
    public var purchase: PurchaseChain { boxedPurchase }

    @Boxed private var boxedPurchase: PurchaseChain

    /// - Parameters:
    ///   - claim: the claim.
    ///   - purchase: the purchase that the claim names.
    public init(_ claim: SeatClaim, of purchase: PurchaseChain) {
        self.claim = claim
        boxedPurchase = purchase
    }

    /// The member's status at an instant; `nil` if the member has no seat then.
    public func status(at instant: Date) -> PurchaseStatus? {
        guard claim.stands(at: instant), var status = purchase.statusNow(at: instant) else { return nil }
        status.seatClaim = claim
        status.seats = nil
        return status
    }
}

/// A store keeps no claims of seats.
public struct SeatClaimsNotKept: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure, in a sentence.
    public var description: String {
        "this store keeps no claims of seats: it does not implement claim(_:) and unclaim(_:at:)"
    }
}
