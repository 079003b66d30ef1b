internal import Essentials
internal import StoreKitVerify
internal import WireFormats

/// The actions about the seats of a subscription for several people.
enum SeatAction: Hashable, Sendable {
    /// Seats for the rest of the period.
    case add(Int)
    /// Fewer seats from the next period on, or more of those that were to end.
    case changeNext(by: Int)
    case refund(String?, Int)
    case assign(String?, to: String)
}

extension ScenarioLine {
    /// The action of a verb about seats.
    func seatAction(_ verb: Substring, _ arguments: [Substring]) throws(ScenarioError) -> SeatAction {
        let first = arguments.first.map { String($0) }
        switch verb {
        case "add-seats": return .add(try seats(first, verb))
        case "remove-seats": return .changeNext(by: -(try seats(first, verb)))
        case "keep-seats": return .changeNext(by: try seats(first, verb))
        case "refund-seats":
            return .refund(arguments.dropFirst().first.map { String($0) }, try seats(first, verb))
        default:
            return .assign(first, to: try required(option("with").map { String($0) }, "assign", "with=NAME"))
        }
    }

    /// A number of seats.
    ///
    /// - Parameter name: what asks for it, for the message.
    func seats(_ text: String?, _ name: Substring) throws(ScenarioError) -> Int {
        guard let count = Int(text ?? ""), (1...SeatSale.limit).contains(count) else {
            throw error("\(name) needs a number of seats, from 1 to \(SeatSale.limit)")
        }
        return count
    }

    /// `set seats apple|developer|off [tiers=5:9.99,7.99]`.
    func seatSale(_ value: Substring) throws(ScenarioError) -> SeatSale? {
        switch value {
        case "off": return nil
        case "apple": return SeatSale(invitationManagement: .apple, tiers: try tiers())
        case "developer": return SeatSale(invitationManagement: .developer, tiers: try tiers())
        default:
            throw error(
                "\"\(String(value).abbreviated())\" is neither apple, developer nor off: who invites members")
        }
    }

    /// The prices of seats: `tiers=5:9.99,7.99` has five seats cost 9.99 each, and all others 7.99.
    private func tiers() throws(ScenarioError) -> [SeatSale.Tier] {
        guard let text = option("tiers") else { return [] }
        let entries = text.split(separator: ",", omittingEmptySubsequences: false)
        var tiers: [SeatSale.Tier] = []
        for (number, entry) in entries.enumerated() {
            let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
            let isLast = number == entries.count - 1
            let seats = isLast ? nil : Int(parts[0])
            guard entries.count <= 5, parts.count == (isLast ? 1 : 2),
                isLast || (1...SeatSale.limit).contains(seats ?? 0),
                let price = Decimal(price: parts[parts.count - 1]), price < 1_000_000
            else {
                throw error(
                    "tiers=\(String(text).abbreviated()) is not of the form 5:9.99,7.99, with at most five prices"
                )
            }
            tiers.append(.init(seats: seats, price: price.milliunits))
        }
        return tiers
    }
}

extension Simulation {
    /// Does an action about seats for a customer.
    ///
    /// - Parameter customerNamed: the place of a customer, by a name of the scenario.
    mutating func perform(
        _ action: SeatAction, by customer: CustomerPlace,
        customerNamed: (inout Simulation, String) throws(StoreRefusal) -> CustomerPlace
    ) throws(StoreRefusal) {
        switch action {
        case .add(let count):
            let index = try subscription(named: nil, of: customer)
            try buySeats(index, total: seats(ofPeriod: purchases[index]) + count)
        case .changeNext(let count):
            let index = try subscription(named: nil, of: customer)
            try setNextSeats(index, (purchases[index].nextSeats ?? 0) + count)
        case .refund(let name, let count):
            try refundSeats(transaction(named: name, of: customer), count)
        case .assign(let name, let member):
            let place = try transaction(named: name, of: customer)
            _ = try assignSeat(of: place, to: try customerNamed(&self, member))
        }
    }
}
