internal import Essentials
internal import SeededRandom
internal import StoreKitVerify

extension Population {
    /// An action of somebody, at a time in milliseconds from the beginning.
    struct Step {
        let time: Int
        /// The name of the customer, or of a member of the family.
        let customer: String
        /// Where the customer buys; `nil` for the App Store's own storefront.
        let storefront: String?
        let action: ScenarioAction
    }

    /// The actions of all customers, one customer after the other.
    ///
    /// - Parameters:
    ///   - number: tells the customers from those of other populations.
    ///   - products: the products of the file, by the names that the line has for them.
    ///   - assignsSeats: whether the App Store gives seats to members.
    func steps(
        _ number: Int, _ scale: ScenarioTime.Scale, _ products: [String: ConfiguredProduct],
        assignsSeats: Bool, _ random: inout SplitMix64
    ) -> [Step] {
        var steps: [Step] = []
        // At least one and 60 milliseconds: at the fastest rate of time, the ranges of a life must not be empty.
        let (day, month) = (max(1, scale.rate.days(1)), max(60, scale.rate.days(30)))
        let end = duration.after(0, scale)
        for customer in 0..<count {
            // All customers come in the first month.
            let start = Int.random(in: 0..<max(1, min(month, end)), using: &random)
            let name = self.products.draw(&random)
            guard let product = products[name] else { continue }
            var life = PopulationLife(
                customer: "\(number)/\(customer)", name: name, product: product,
                storefront: storefronts?.draw(&random),
                rates: rates, assignsSeats: assignsSeats, day: day, month: month, end: end)
            life.live(from: start, isMonthly: plans.draw(&random) == "monthly", &random)
            steps += life.steps
        }
        return steps
    }
}

/// The actions of a random customer. All times are in milliseconds from the beginning.
struct PopulationLife {
    /// The customer's name: the places of the population and of the customer in it.
    let customer: String
    /// The product, by the name that the line has for it.
    let name: String
    let product: ConfiguredProduct
    let storefront: String?
    let rates: Population.Rates
    /// Whether the App Store gives seats to members.
    let assignsSeats: Bool
    /// A day and a month, at the scenario's rate of time.
    let day, month: Int
    /// Nothing happens from then on: the App Store's time is there at the end, and not later.
    let end: Int
    private(set) var steps: [Population.Step] = []
    /// The tokens of the customer's accounts in the app; each purchase is made with one of them.
    private var accounts: [UUID] = []
    /// What the app's server sells by the product; empty where the App Store sells the product itself.
    private var items: [AdvancedCommerceAction.Item] = []

    init(
        customer: String, name: String, product: ConfiguredProduct, storefront: String?,
        rates: Population.Rates, assignsSeats: Bool, day: Int, month: Int, end: Int
    ) {
        (self.customer, self.name, self.product, self.storefront) = (customer, name, product, storefront)
        (self.rates, self.assignsSeats) = (rates, assignsSeats)
        (self.day, self.month, self.end) = (day, month, end)
    }

    /// The events that a month can bring.
    private enum Event {
        case cancellation, failure, refund, upgrade, downgrade, seatChange, move, restore, itemRefund
    }

    /// - Parameter name: the member of the family who does it; `nil` for the customer.
    private mutating func add(_ time: Int, _ action: ScenarioAction, by name: String? = nil) {
        guard time < end else { return }
        steps.append(
            Population.Step(time: time, customer: name ?? customer, storefront: storefront, action: action))
    }

    /// Draws only where a rate is given: the lives of a line do not depend on the rates that came to the language later.
    private func happens(_ rate: Double, _ random: inout SplitMix64) -> Bool {
        rate > 0 && Double.random(in: 0..<1, using: &random) < rate
    }

    /// The whole life: a purchase, the family, and a lot for each month.
    mutating func live(from start: Int, isMonthly: Bool, _ random: inout SplitMix64) {
        let request = begin(at: start, isMonthly: isMonthly, &random)
        var time = start
        while time + month < end {
            let moment = time + Int.random(in: day..<month, using: &random)
            guard let next = live(event(&random), at: moment, after: time, request, &random) else { return }
            time = next
        }
    }

    /// The first purchase, and those who share it. Returns what the customer buys again.
    private mutating func begin(
        at start: Int, isMonthly: Bool, _ random: inout SplitMix64
    ) -> PurchaseRequest {
        var request = PurchaseRequest(productID: name)
        request.isBilledMonthly = isMonthly && product.subscription?.monthlyPlan != nil
        if hasCodeForNew, happens(rates.offers, &random) { request.offer = .code("any") }
        if happens(rates.accounts, &random) {
            accounts = [UUID(drawnFrom: &random), UUID(drawnFrom: &random)]
        }
        if sellsItems, !request.isBilledMonthly, happens(rates.items, &random) {
            // Whole units, which every storefront can charge.
            items = [.init(sku: "leaf", price: 5)]
            if product.subscription != nil { items.append(.init(sku: "root", price: 2)) }
        }
        let isForSeveral =
            product.subscription != nil && !request.isBilledMonthly && items.isEmpty
            && happens(rates.seats, &random)
        // Twenty are enough for all price tiers.
        if isForSeveral { request.seats = Int.random(in: 1...20, using: &random) }
        buy(request, at: start, &random)
        if let seats = request.seats {
            assign(min(seats, 4), from: start, &random)
        } else if product.isFamilyShareable, happens(rates.families, &random) {
            addFamily(from: start, &random)
        }
        return request
    }

    /// The event of a month. Returns when the next month begins; `nil` for the end of the life.
    ///
    /// - Parameters:
    ///   - moment: when the event happens.
    ///   - time: when the month begins.
    ///   - request: what the customer bought first.
    private mutating func live(
        _ event: Event?, at moment: Int, after time: Int, _ request: PurchaseRequest,
        _ random: inout SplitMix64
    ) -> Int? {
        switch event {
        case .none: if isBoughtAgain { buy(request, at: time + month, &random) }
        case .failure: return failPayments(at: moment, request, &random)
        case .cancellation:
            if product.subscription != nil { add(moment, .cancel(nil)) }
            return comeBack(after: moment, request, &random)
        case .refund where items.isEmpty: return refund(at: moment, request, &random)
        case .seatChange: if request.seats != nil { changeSeats(at: moment, &random) }
        case .upgrade: change(to: "$higher", request.seats, at: moment, &random)
        case .downgrade: change(to: "$lower", request.seats, at: moment, &random)
        case .move:
            let name = Bool.random(using: &random) ? "$higher" : "$lower"
            if product.subscription != nil { add(moment, .move(to: name)) }
        case .restore: add(moment, .restore(nil))
        case .itemRefund, .refund:
            if !items.isEmpty { add(moment, .advancedCommerce(.refund(sku: nil))) }
        }
        return time + month
    }

    /// Payments fail. The customer mends that some time after the period, upgrades instead, or does neither.
    private mutating func failPayments(
        at moment: Int, _ request: PurchaseRequest, _ random: inout SplitMix64
    ) -> Int? {
        if items.isEmpty, happens(rates.upgradesInGrace, &random) {
            // The present period ends within a month, and a grace period has up to 16 days.
            add(moment, .failRenewals)
            let upgrade = moment + Int.random(in: day..<month, using: &random)
            change(to: "$higher", request.seats, at: upgrade, &random)
            add(moment + month, .fixPayments)
            return moment + month
        }
        add(moment, .failPayments)
        guard Double.random(in: 0..<1, using: &random) < rates.recovery else { return nil }
        let time = moment + month + Int.random(in: day..<(40 * day), using: &random)
        add(time, .fixPayments)
        return time
    }

    /// The latest purchase is refunded; the customer disputes that, buys again, or does neither.
    private mutating func refund(
        at moment: Int, _ request: PurchaseRequest, _ random: inout SplitMix64
    ) -> Int? {
        add(moment, .requestRefund(nil, .unsatisfiedWithPurchase))
        add(moment + day / 2, .refund(nil, percent: 100, isAppsFault: false))
        guard happens(rates.reversals, &random) else {
            return comeBack(after: moment + day / 2, request, &random)
        }
        let time = moment + Int.random(in: day..<month, using: &random)
        add(time, .reverseRefund(nil))
        return time
    }

    /// More seats now, fewer or more from the next period on, or a refund of some.
    private mutating func changeSeats(at moment: Int, _ random: inout SplitMix64) {
        let count = Int.random(in: 1...5, using: &random)
        let actions: [ScenarioAction] = [
            .seats(.add(count)), .seats(.changeNext(by: -count)), .seats(.changeNext(by: count)),
            .seats(.refund(nil, count)),
        ]
        add(moment, actions[Int.random(in: 0..<actions.count, using: &random)])
    }

    /// Members get seats, where the App Store invites them. They join in the first month, and give the seats up as
    /// customers cancel.
    private mutating func assign(_ count: Int, from start: Int, _ random: inout SplitMix64) {
        guard assignsSeats else { return }
        addMembers(1...count, from: start, &random) { [name] in .seats(.assign(name, to: $0)) }
    }

    /// One lot for each month decides. The shares may add up to more than 1; the first then wins.
    private func event(_ random: inout SplitMix64) -> Event? {
        let chance = Double.random(in: 0..<1, using: &random)
        var sum = 0.0
        let shares: [(Double, Event)] = [
            (rates.churn, .cancellation), (rates.failures, .failure), (rates.refunds, .refund),
            (rates.upgrades, .upgrade), (rates.downgrades, .downgrade), (rates.seatChanges, .seatChange),
            (rates.moves, .move), (rates.restores, .restore), (rates.itemRefunds, .itemRefund),
        ]
        for (share, event) in shares {
            sum += share
            if chance < sum { return event }
        }
        return nil
    }

    /// A change to another level; the App Store says no where the group has none.
    private mutating func change(
        to name: String, _ seats: Int?, at moment: Int, _ random: inout SplitMix64
    ) {
        var request = PurchaseRequest(productID: name)
        request.seats = seats
        if product.subscription != nil { buy(request, at: moment, &random) }
    }

    /// Buys what the customer buys by the product, with the token of one of the customer's accounts.
    private mutating func buy(_ request: PurchaseRequest, at time: Int, _ random: inout SplitMix64) {
        guard items.isEmpty else { return add(time, .advancedCommerce(.sell(name, items: items))) }
        var request = request
        request.appAccountToken = accounts.randomElement(using: &random)
        add(time, .buy(request))
    }

    /// The customer buys again, some months after an end. Returns when; `nil` if the customer does not, or not in time.
    private mutating func comeBack(
        after time: Int, _ request: PurchaseRequest, _ random: inout SplitMix64
    ) -> Int? {
        guard happens(rates.returns, &random) else { return nil }
        let back = time + month + Int.random(in: 0..<(3 * month), using: &random)
        guard back < end else { return nil }
        // The code was for new customers.
        var request = request
        request.offer = nil
        buy(request, at: back, &random)
        return back
    }

    /// One to five members, as Family Sharing has them. They join in the first month, and leave as customers cancel.
    private mutating func addFamily(from start: Int, _ random: inout SplitMix64) {
        let count = Int.random(in: 1...5, using: &random)
        addMembers(1...count, from: start, &random) { [name] in .share(name, with: $0) }
    }

    /// - Parameter join: what the customer does for the member of a name.
    private mutating func addMembers(
        _ members: ClosedRange<Int>, from start: Int, _ random: inout SplitMix64,
        _ join: (String) -> ScenarioAction
    ) {
        for member in members {
            var time = start + Int.random(in: 1...month, using: &random)
            guard time < end else { continue }
            let memberName = "\(customer)/\(member)"
            add(time, join(memberName))
            while time + month < end {
                time += month
                guard happens(rates.churn, &random) else { continue }
                add(time, .leaveFamily(nil), by: memberName)
                break
            }
        }
    }

    /// Whether the product has an offer code that a new customer may use.
    private var hasCodeForNew: Bool {
        guard let subscription = product.subscription else { return !product.codeOffers.isEmpty }
        return subscription.codeOffers.contains { $0.eligibility.isEmpty || $0.eligibility.contains("new") }
    }

    /// Whether an app's server may sell items by the product: those with one price for ever are its own.
    private var sellsItems: Bool { product.subscription != nil || product.type == .consumable }

    /// Consumables and subscriptions that do not renew are bought each month.
    private var isBoughtAgain: Bool { product.type == .consumable || product.type == .nonRenewable }
}
