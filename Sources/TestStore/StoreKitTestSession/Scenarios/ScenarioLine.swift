internal import Essentials
internal import StoreKitVerify
internal import WireFormats

/// A line of a scenario: words, and options of the form `name=value`.
///
/// One place turns text into actions, for files, for the scenarios that come with the command, and for the
/// events that the local server takes. A text comes from a user, so each refusal has a reason for a person, with the
/// offending word, shortened.
struct ScenarioLine {
    /// Counted from 1, for messages.
    let number: Int
    private(set) var words: [Substring] = []
    /// Of options of one name, the last counts.
    private var options: [Substring: Substring] = [:]

    /// No line is refused here. `step()` and the initializers of settings and populations check the words.
    init(_ line: Substring, number: Int) {
        self.number = number
        // A comment goes from # to the end of the line.
        let text = line.prefix { $0 != "#" }
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }) {
            // A word that begins with = is no option: it has no name.
            if let equals = word.firstIndex(of: "="), equals > word.startIndex {
                options[word[..<equals]] = word[word.index(after: equals)...]
            } else {
                words.append(word)
            }
        }
    }

    /// An error with this line's number.
    func error(_ reason: String) -> ScenarioError { ScenarioError(line: number, reason: reason) }

    /// Reads `TIME [CUSTOMER:] ACTION [ARGUMENT…]`.
    ///
    /// A line without a customer is about one who is named `customer`.
    func step() throws(ScenarioError) -> Scenario.Step {
        guard let first = words.first, first.hasPrefix("+"), let time = ScenarioTime(first.dropFirst()) else {
            throw error(
                "\"\(String(words[0]).abbreviated())\" is neither a time, such as +40d, nor set or population"
            )
        }
        var rest = words.dropFirst()
        var customer = "customer"
        if let name = rest.first, name.hasSuffix(":"), name.count > 1 {
            customer = String(name.dropLast())
            rest = rest.dropFirst()
        }
        guard let verb = rest.first else { throw error("it has no action") }
        let action = try action(verb, Array(rest.dropFirst()))
        return Scenario.Step(time: time, customer: customer, action: action, line: number)
    }

    /// The action of a verb. Most take the transaction or product that they concern; without one, they concern the latest.
    private func action(_ verb: Substring, _ arguments: [Substring]) throws(ScenarioError) -> ScenarioAction {
        let first = arguments.first.map { String($0) }
        switch verb {
        case "buy": return .buy(try purchase(required(first, "buy", "a product")))
        case "cancel": return .cancel(first)
        case "resume": return .resume(first)
        case "renew": return .renew(first)
        case "expire": return .expire(first)
        case "end-for-other-reasons": return .endForOtherReasons(first)
        case "take-off-sale": return .takeOffSale(first)
        case "fail-payments": return .failPayments
        case "fail-renewals": return .failRenewals
        case "fix-payments": return .fixPayments
        case "raise-price":
            let text = try required(first, "raise-price", "a price, or a percentage")
            // The new price itself, or how much it rises.
            let isShare = text.hasSuffix("%")
            guard let number = Decimal(price: isShare ? text.dropLast() : text[...]) else {
                throw error("\"\(text.abbreviated())\" is neither a price nor a percentage")
            }
            return .raisePrice(
                isShare ? .byPercent(number) : .to(number), needsConsent: options["consent"] != "no")
        case "agree": return .agreeToPrice(first)
        case "decline": return .declinePrice(first)
        case "request-refund": return .requestRefund(first, try reason())
        case "refund":
            return .refund(first, percent: try percent(), isAppsFault: options["reason"] == "app-issue")
        case "decline-refund": return .declineRefund(first)
        case "reverse-refund": return .reverseRefund(first)
        case "restore": return .restore(first)
        case "move": return .move(to: try required(first, "move", "a product"))
        case "share":
            return .share(first, with: try required(options["with"].map { String($0) }, "share", "with=NAME"))
        case "leave-family": return .leaveFamily(first)
        case "add-seats", "remove-seats", "keep-seats", "refund-seats", "assign":
            return .seats(try seatAction(verb, arguments))
        case "extend": return .extend(first, days: try days())
        case "extend-all": return .extendAll(try required(first, "extend-all", "a product"), days: try days())
        case "migrate", "update-metadata", "change-price", "buy-items", "refund-item":
            return .advancedCommerce(try advancedCommerceAction(verb, arguments))
        case "test-notification": return .testNotification
        case "rescind-consent": return .rescindConsent
        case "external-purchase": return .externalPurchase(try externalPurchase(first))
        case "end": return .end
        default: throw error("there is no action \"\(String(verb).abbreviated())\"")
        }
    }

    /// An argument that an action cannot do without.
    func required(
        _ argument: String?, _ verb: String, _ name: String
    ) throws(ScenarioError) -> String {
        guard let argument else { throw error("\(verb) needs \(name)") }
        return argument
    }

    /// A customer's request. The App Store judges later whether product, quantity and offer fit each other.
    private func purchase(_ product: String) throws(ScenarioError) -> PurchaseRequest {
        var request = PurchaseRequest(productID: product)
        if let text = options["quantity"] {
            guard let quantity = Int(text) else { throw error("\"\(text)\" is not a quantity") }
            request.quantity = quantity
        }
        if let text = options["token"] {
            guard let token = UUID(canonicalForm: text) else { throw error("\"\(text)\" is not a UUID") }
            request.appAccountToken = token
        }
        if let text = options["seats"] { request.seats = try seats(String(text), "seats=") }
        if let plan = options["plan"] {
            guard plan == "monthly" || plan == "up-front" else {
                throw error("plan=\(plan) is neither plan=monthly nor plan=up-front")
            }
            request.isBilledMonthly = plan == "monthly"
        }
        if let answer = options["intro"] { request.introductoryOfferEligibility = answer != "no" }
        if let id = options["promotional-offer"] { request.offer = .promotional(String(id)) }
        if let name = options["code"] { request.offer = .code(String(name)) }
        if let token = options["signed-request"] {
            request.advancedCommerceData = InAppRequest.data(token: String(token)).utf8
        }
        if let id = options["win-back-offer"] { request.offer = .winBack(String(id)) }
        return request
    }

    /// The share of the price that a refund gives back: all of it, if nothing is said.
    private func percent() throws(ScenarioError) -> Double {
        guard let text = options["percent"] else { return 100 }
        guard let percent = Double(text), percent > 0, percent <= 100 else {
            throw error("\"\(text)\" is not a share of the price, in percent")
        }
        return percent
    }

    /// How long a renewal date is extended: Apple allows 90 days at a time ("Extend a Subscription Renewal Date").
    private func days() throws(ScenarioError) -> Int {
        guard let days = Int(options["days"] ?? ""), (1...90).contains(days) else {
            throw error("an extension needs days=N, from 1 to 90")
        }
        return days
    }

    /// Why the customer wants a refund. Names that Apple may add are passed on as they are.
    private func reason() throws(ScenarioError) -> ConsumptionRequestReason {
        guard let name = options["reason"] else { return .unintendedPurchase }
        return ConsumptionRequestReason(rawValue: String(name))
    }

    /// The event of a token for purchases outside the App Store.
    private func externalPurchase(_ name: String?) throws(ScenarioError) -> ServerNotification.Subtype {
        switch name {
        case "created": return .created
        case "unreported": return .unreported
        case "reminder": return .activeTokenReminder
        default: throw error("external-purchase is created, unreported or reminder")
        }
    }

    /// The value of an option that is a share in percent, with or without the sign.
    ///
    /// - Returns: a share from 0 to 1.
    func share(_ name: Substring, default share: Double) throws(ScenarioError) -> Double {
        guard let text = options[name] else { return share }
        return try self.share(text, of: "\(name)")
    }

    /// A share in percent, with or without the sign.
    ///
    /// - Parameter name: what it is a share of, for the message.
    /// - Returns: a share from 0 to 1.
    func share(_ text: Substring, of name: String) throws(ScenarioError) -> Double {
        guard let percent = Double(text.hasSuffix("%") ? text.dropLast() : text), (0...100).contains(percent)
        else {
            throw error("\(name.abbreviated())=\(String(text).abbreviated()) is not a percentage")
        }
        return percent / 100
    }

    /// The text of an option; `nil` if the line has none of the name.
    func option(_ name: Substring) -> Substring? { options[name] }

    /// Refuses options that a line cannot have: a misspelt rate would leave the archive without what it is for.
    func checkOptions(_ allowed: Set<Substring>, of verb: String) throws(ScenarioError) {
        // Of several wrong ones, a dictionary would name another one each time.
        guard let wrong = options.keys.filter({ !allowed.contains($0) }).min() else { return }
        throw error(
            "\(verb) has no option \"\(String(wrong).abbreviated())\": it has \(allowed.sorted().joined(separator: ", "))"
        )
    }
}

/// `set NAME VALUE`, which holds from the scenario's beginning.
extension Scenario.Setting {
    init(_ line: ScenarioLine) throws(ScenarioError) {
        guard line.words.count == 3 else { throw line.error("it is not of the form \"set NAME VALUE\"") }
        let value = line.words[2]
        switch (line.words[1], value) {
        case ("grace", "on"): self = .grace(isOn: true)
        case ("grace", "off"): self = .grace(isOn: false)
        case ("grace", _):
            guard let length = ScenarioTime(value) else {
                throw line.error("\"\(value)\" is not the length of a grace period, such as 16d")
            }
            self = .gracePeriod(length)
        case ("rate", _):
            guard let rate = SKTestSession.TimeRate.allCases.first(where: { "\($0)" == value }) else {
                throw line.error("there is no rate of time \"\(String(value).abbreviated())\"")
            }
            self = .timeRate(rate)
        case ("storefront", _):
            guard Region.isCode(String(value)) else {
                throw line.error("\"\(String(value).abbreviated())\" is not a storefront, such as USA")
            }
            self = .storefront(String(value))
        case ("generic", _):
            let names = value.split(separator: ",").map { String($0) }
            guard !names.isEmpty else { throw line.error("set generic needs the identifiers of products") }
            self = .generic(names)
        case ("seats", _): self = .seats(try line.seatSale(value))
        case ("upgrade-refunds", "told"): self = .upgradeRefunds(areTold: true)
        case ("upgrade-refunds", "silent"): self = .upgradeRefunds(areTold: false)
        case ("payloads", "then"): self = .payloads(areOfTheirYear: true)
        case ("upgrade-refunds", _):
            throw line.error("\"\(String(value).abbreviated())\" is neither told nor silent")
        case ("payloads", "now"): self = .payloads(areOfTheirYear: false)
        case ("payloads", _): throw line.error("\"\(String(value).abbreviated())\" is neither then nor now")
        case ("renewals", "unlimited"): self = .renewals(nil)
        case ("renewals", _):
            guard let limit = Int(value), limit >= 0 else {
                throw line.error(
                    "\"\(String(value).abbreviated())\" is neither a number of renewals nor unlimited")
            }
            self = .renewals(limit)
        default: throw line.error("there is no setting \"\(String(line.words[1]).abbreviated())\"")
        }
    }
}
