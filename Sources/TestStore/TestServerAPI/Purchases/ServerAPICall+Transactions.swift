internal import Essentials
internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// The endpoints about transactions.
extension ServerAPICall {
    /// Get Transaction History. The first version leaves out consumables that are finished.
    func history(version: Int) throws(ServerAPIError) -> ServerAPIResponse {
        try appStore.read { (simulation) throws(ServerAPIError) in
            let customer = try customer(in: simulation)
            let filter = try HistoryFilter(self)
            let places = simulation.purchases[customer].transactions.filter { place in
                let transaction = simulation.purchases[place]
                let isGone = version == 1 && transaction.product.type == .consumable && transaction.isFinished
                return !isGone && filter.contains(transaction)
            }
            let page = try Page(
                of: places.map { Page.Key(date: simulation.purchases[$0].modificationDate, place: $0) },
                after: queryValue("revision"), isDescending: filter.isDescending, in: simulation)
            var object = aboutApp()
            page.add(to: &object)
            object.add("signedTransactions", all: try simulation.transactionTokens(page.places))
            return ServerAPIResponse(object)
        }
    }

    /// Get Transaction Info.
    func transactionInfo() throws(ServerAPIError) -> ServerAPIResponse {
        try appStore.read { (simulation) throws(ServerAPIError) in
            let place = try place(in: simulation)
            return ServerAPIResponse(
                "signedTransactionInfo", try ServerAPIError.signing(try simulation.transactionToken(place)))
        }
    }

    /// Get App Transaction Info.
    func appTransactionInfo() throws(ServerAPIError) -> ServerAPIResponse {
        try appStore.read { (simulation) throws(ServerAPIError) in
            let customer = try customer(in: simulation)
            return ServerAPIResponse(
                "signedAppTransactionInfo",
                try ServerAPIError.signing(try simulation.appTransactionToken(of: customer)))
        }
    }

    /// Finish Transaction.
    ///
    /// A finished consumable is left out of receipts, and of the first version of the history.
    func finish() throws(ServerAPIError) -> ServerAPIResponse {
        try appStore.change { (simulation) throws(ServerAPIError) in
            simulation.purchases.finish(try place(in: simulation))
            return ServerAPIResponse(status: 200)
        }
    }

    /// Set App Account Token. Renewals have the token too; transactions of the past keep theirs.
    func setAppAccountToken() throws(ServerAPIError) -> ServerAPIResponse {
        try appStore.change { (simulation) throws(ServerAPIError) in
            let place = try place(in: simulation, else: .originalTransactionIDNotFound)
            let transaction = simulation.purchases[place]
            guard transaction.id == transaction.originalID else {
                throw .transactionIDIsNotOriginalTransactionID
            }
            guard !transaction.isAssigned else { throw .assignedTransactionNotSupported }
            guard !transaction.isFamilyShared else { throw .familyTransactionNotSupported }
            guard let token = UUID(canonicalForm: try object()["appAccountToken"]?.stringValue ?? "") else {
                throw .invalidAppAccountTokenUUID
            }
            simulation.purchases.setAppAccountToken(token, of: place, at: simulation.now)
            return ServerAPIResponse(status: 200)
        }
    }

    /// Look Up Order ID. Unlike Apple's Sandbox, this App Store has orders in every environment.
    func lookUpOrder() throws(ServerAPIError) -> ServerAPIResponse {
        let order = parameter("order")
        let isOrder = order.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        // Far above the length of Apple's numbers, and of the local ones.
        guard isOrder, order.utf8.count <= 64 else { throw .generalBadRequest }
        return try appStore.read { (simulation) throws(ServerAPIError) in
            var object = ObjectText()
            guard let place = simulation.place(ofOrder: order) else {
                // Apple's `OrderLookupStatus`: 0 is valid, 1 is not.
                object.add("status", 1)
                return ServerAPIResponse(object)
            }
            object.add("status", 0)
            object.add("signedTransactions", all: try simulation.transactionTokens([place]))
            return ServerAPIResponse(object)
        }
    }
}

/// Orders: each transaction that was paid for is one.
extension Simulation {
    /// The number of the order, which Apple's invoice to the customer has; `nil` for what the family shares.
    ///
    /// `M` and the transaction's number in base 36, so that no list of orders has to be kept.
    func order(ofTransaction place: TransactionPlace) -> String? {
        let transaction = purchases[place]
        guard !transaction.isFamilyShared else { return nil }
        return "M" + String(transaction.id, radix: 36, uppercase: true)
    }

    /// The transaction of an order.
    func place(ofOrder order: String) -> TransactionPlace? {
        guard order.uppercased().hasPrefix("M"), let identifier = UInt64(order.dropFirst(), radix: 36),
            let place = try? purchases.place(of: identifier), !purchases[place].isFamilyShared
        else { return nil }
        return place
    }
}
