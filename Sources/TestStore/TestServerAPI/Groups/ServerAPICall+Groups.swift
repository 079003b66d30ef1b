internal import StoreKitTestSession
internal import WireFormats

/// The endpoints of groups: the people whose access one account buys.
extension ServerAPICall {
    /// Get Customer Groups: those that the customer of a transaction is a member of.
    func customerGroups() throws(ServerAPIError) -> ServerAPIResponse {
        try appStore.read { (simulation) throws(ServerAPIError) in
            let customer = try customer(in: simulation)
            var object = ObjectText()
            object.add(
                "groups", all: simulation.groups(of: customer).map { entry($0, of: customer, simulation) })
            return ServerAPIResponse(object)
        }
    }

    /// Only members of an organization have roles. Here, the customer who has bought the seats is its administrator.
    private func entry(
        _ index: SubscriptionPlace, of customer: CustomerPlace, _ simulation: Simulation
    ) -> ObjectText {
        let isOrganization = simulation.purchases[index].isOrganization
        var object = ObjectText()
        object.add("groupId", String(simulation.groupID(of: index)))
        object.add("groupType", isOrganization ? "ORGANIZATION" : "CONSUMER")
        guard isOrganization else { return object }
        var role = ObjectText()
        role.add("productId", simulation.purchases.product(ofSubscription: index).id)
        role.add("role", simulation.purchases[index].customer == customer ? "ADMIN" : "NONE")
        object.add("roles", all: [role])
        return object
    }

    /// Get Group Members, in the order of the numbers of their downloads. The token of a page is the last of them.
    func groupMembers() throws(ServerAPIError) -> ServerAPIResponse {
        let group = try Self.identifier(parameter("group"), else: .invalidGroupID)
        let limit = Int(queryValue("limit") ?? "\(Self.largestPage)") ?? 0
        guard (1...Self.largestPage).contains(limit) else { throw .invalidLimit }
        return try appStore.read { (simulation) throws(ServerAPIError) in
            guard let index = simulation.subscription(ofGroup: group) else { throw .groupNotFound }
            var members = simulation.members(ofGroup: index)
            if let token = queryValue("paginationToken") {
                let last = try Self.identifier(token, else: .invalidPaginationToken)
                members.removeAll { $0 <= last }
            }
            let page = members.prefix(limit).map { String($0) }
            let hasMore = members.count > page.count
            var object = ObjectText()
            object.add(
                "members",
                all: page.map { member in
                    var entry = ObjectText()
                    entry.add("appTransactionId", member)
                    return entry
                })
            object.add("hasMore", hasMore)
            object.add("paginationToken", hasMore ? page.last : nil)
            return ServerAPIResponse(object)
        }
    }

    /// Apple's largest page of members, which is also the size of a page here if none is asked for.
    private static let largestPage = 100
}
