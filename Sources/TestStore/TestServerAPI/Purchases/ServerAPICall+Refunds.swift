internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// The endpoints about refunds.
extension ServerAPICall {
    /// Get Refund History: the customer's refunds, in the order of their dates.
    func refundHistory() throws(ServerAPIError) -> ServerAPIResponse {
        try appStore.read { (simulation) throws(ServerAPIError) in
            let page = try Page(
                of: try refunds(simulation), after: queryValue("revision"), in: simulation)
            var object = ObjectText()
            page.add(to: &object)
            object.add("signedTransactions", all: try simulation.transactionTokens(page.places))
            return ServerAPIResponse(object)
        }
    }

    /// Get Refund History V1, which Apple has deprecated: up to 50 refunds, without pages.
    func formerRefundHistory() throws(ServerAPIError) -> ServerAPIResponse {
        try appStore.read { (simulation) throws(ServerAPIError) in
            let places = try refunds(simulation).sorted().prefix(50).map(\.place)
            var object = ObjectText()
            object.add("signedTransactions", all: try simulation.transactionTokens(places))
            return ServerAPIResponse(object)
        }
    }

    /// - Complexity: linear in the customer's transactions.
    private func refunds(_ simulation: Simulation) throws(ServerAPIError) -> [Page.Key] {
        let customer = try customer(in: simulation)
        return simulation.purchases[customer].transactions.compactMap { place in
            if let items = simulation.purchases[place].itemRefunds.last {
                return Page.Key(date: items.date, place: place)
            }
            // A family member's revocation is no refund.
            guard let revocation = simulation.purchases[place].revocation, revocation.percentage != nil
            else { return nil }
            return Page.Key(date: revocation.date, place: place)
        }
    }
}
