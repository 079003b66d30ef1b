internal import StoreKitVerify
internal import WireFormats

/// Seats by a local request: a developer says how many a subscription has, and who is in its group.
extension AppStoreServerAPI {
    /// Answers `POST /test/seats`.
    ///
    /// `quantity` gives the subscription of `transactionId` so many seats, as a purchase or a renewal does;
    /// `invitationManagement`, `groupType` and `members` say more of its group. `revokedSeatQuantity` takes seats back,
    /// as a refund does.
    func setSeats(_ request: ServerAPIRequest) -> ServerAPIResponse {
        guard let body = try? JSONTree(request.body.span), case .object = body else {
            return Self.failure("the body is not a JSON object")
        }
        do throws(StoreRefusal) {
            try appStore.change { (simulation) throws(StoreRefusal) in
                try simulation.setSeats(by: body)
            }
        } catch {
            return Self.failure(error.message)
        }
        return ServerAPIResponse(status: 200)
    }
}

extension Simulation {
    /// Nothing is changed if anything in the request is wrong.
    fileprivate mutating func setSeats(by body: JSONTree) throws(StoreRefusal) {
        guard let transaction = UInt64(body["transactionId"]?.stringValue ?? "") else {
            throw .notAllowed("transactionId is not the identifier of a transaction")
        }
        guard let index = transactions[try place(of: transaction)].subscription else {
            throw .notAllowed("transaction \(transaction) is of no auto-renewable subscription")
        }
        try checkIsOwn(index)
        if let revoked = body.present("revokedSeatQuantity") {
            return try revokeSeats(revoked.wholeNumber ?? 0, of: index)
        }
        guard let quantity = body["quantity"]?.wholeNumber, (1...Self.mostSeats).contains(quantity) else {
            throw .notAllowed("quantity is a number of seats, from 1 to \(Self.mostSeats)")
        }
        let before = seatGroups[index]
        let management = try name(
            body, "invitationManagement", before?.invitationManagement ?? .developer)
        let kind = try name(body, "groupType", before?.kind ?? .consumer)
        let members = try members(body) ?? before?.members ?? []
        setSeats(quantity, of: index)
        seatGroups[index]?.invitationManagement = management
        seatGroups[index]?.kind = kind
        seatGroups[index]?.members = members
    }

    /// Apple publishes no limit. This one keeps sums of prices far from the largest integer.
    private static let mostSeats = 100_000

    private func name<Value: RawRepresentable<String>>(
        _ body: JSONTree, _ member: String, _ present: Value
    ) throws(StoreRefusal) -> Value {
        guard let text = body.present(member) else { return present }
        guard let value = text.stringValue.flatMap(Value.init(rawValue:)) else {
            throw .notAllowed("\(member) is none of Apple's names")
        }
        return value
    }

    /// The customers of `members`, by the numbers of their downloads; `nil` if the body does not have it.
    private func members(_ body: JSONTree) throws(StoreRefusal) -> [UInt64]? {
        guard let list = body.present("members") else { return nil }
        guard case .array(let elements) = list else { throw .notAllowed("members is no list") }
        var members: [UInt64] = []
        for element in elements {
            guard let member = UInt64(element.stringValue ?? ""), customer(ofDownload: member) != nil else {
                throw .notAllowed("members has an element that is no customer's appTransactionId")
            }
            members.append(member)
        }
        return members
    }
}
