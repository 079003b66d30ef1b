internal import Essentials
internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// The endpoints about subscriptions.
extension ServerAPICall {
    /// Get All Subscription Statuses: each subscription of the customer, in the group that it belongs to.
    func subscriptionStatuses() throws(ServerAPIError) -> ServerAPIResponse {
        try appStore.read { (simulation) throws(ServerAPIError) in
            let customer = try customer(in: simulation)
            var wanted: Set<Int> = []
            for text in queryValues("status") {
                // The numbers of `RenewalState`, from active to revoked.
                guard let status = Int(text), (1...5).contains(status) else { throw .invalidStatus }
                wanted.insert(status)
            }
            // An own subscription and one of the family's can be in one group.
            var groups: [(id: String, entries: [ObjectText])] = []
            for index in simulation.purchases[customer].allSubscriptions {
                let subscription = simulation.purchases[index]
                let status = subscription.state.rawValue
                guard wanted.isEmpty || wanted.contains(status) else { continue }
                let entry = try lastTransaction(index, status, simulation)
                if let place = groups.firstIndex(where: { $0.id == subscription.groupID }) {
                    groups[place].entries.append(entry)
                } else {
                    groups.append((subscription.groupID, [entry]))
                }
            }
            var object = aboutApp()
            object.add(
                "data",
                all: groups.map { id, entries in
                    var group = ObjectText()
                    group.add("subscriptionGroupIdentifier", id)
                    group.add("lastTransactions", all: entries)
                    return group
                })
            return ServerAPIResponse(object)
        }
    }

    /// A subscription's latest transaction and its renewal information, signed anew for this answer.
    private func lastTransaction(
        _ index: SubscriptionPlace, _ status: Int, _ simulation: Simulation
    ) throws(ServerAPIError) -> ObjectText {
        let subscription = simulation.purchases[index]
        var object = ObjectText()
        object.add("originalTransactionId", String(subscription.originalID))
        object.add("status", status)
        object.add("signedRenewalInfo", try ServerAPIError.signing(try simulation.renewalToken(index)))
        object.add(
            "signedTransactionInfo",
            try ServerAPIError.signing(try simulation.transactionToken(subscription.latest)))
        return object
    }

    // MARK: - Extensions

    /// Extend a Subscription Renewal Date.
    func extendOne() throws(ServerAPIError) -> ServerAPIResponse {
        let identifier = try identifier(else: .invalidOriginalTransactionID)
        let body = try object()
        let days = try extensionDays(body)
        // Apple takes an identifier of the caller's, of at most 128 characters; for all subscribers it is a UUID.
        guard let request = body["requestIdentifier"]?.stringValue, (1...128).contains(request.count) else {
            throw .invalidRequestIdentifier
        }
        return try appStore.change { (simulation) throws(ServerAPIError) in
            guard let place = try? simulation.purchases.place(of: identifier),
                simulation.purchases[place].originalID == identifier,
                let index = simulation.purchases[place].subscription
            else { throw .originalTransactionIDNotFound }
            let end = try translating(try simulation.extend(index, by: days), ServerAPIError.init)
            let latest = simulation.purchases[simulation.purchases[index].latest]
            var object = ObjectText()
            object.add("originalTransactionId", String(identifier))
            object.add("webOrderLineItemId", latest.webOrderLineItemID.map { String($0) })
            object.add("success", true)
            object.add("effectiveDate", end)
            return ServerAPIResponse(object)
        }
    }

    /// The days of an extension, after the members that every extension has were checked.
    ///
    /// Apple allows 1 to 90 days, and the reasons 0 to 3 (undeclared, satisfaction, other, service issue).
    private func extensionDays(_ body: JSONTree) throws(ServerAPIError) -> Int {
        guard let days = body["extendByDays"]?.wholeNumber, (1...90).contains(days) else {
            throw .invalidExtendByDays
        }
        guard let reason = body["extendReasonCode"]?.wholeNumber, (0...3).contains(reason) else {
            throw .invalidExtendReasonCode
        }
        return days
    }

    /// Extend Subscription Renewal Dates for All Active Subscribers. It is done at once.
    func extendMany() throws(ServerAPIError) -> ServerAPIResponse {
        let body = try object()
        let days = try extensionDays(body)
        guard let request = body["requestIdentifier"]?.stringValue, UUID(canonicalForm: request) != nil else {
            throw .invalidRequestIdentifier
        }
        let productID = body["productId"]?.stringValue ?? ""
        try checkIsSubscription(productID)
        let storefronts = try storefronts(body["storefrontCountryCodes"])
        var answer = ObjectText()
        answer.add("requestIdentifier", request)
        // A request that comes again, for instance after a lost answer, extends nothing twice.
        let isNew = api.withState { $0.massRequests.insert(request.lowercased()).inserted }
        guard isNew else { return ServerAPIResponse(answer) }
        let outcome = try appStore.change { (simulation) throws(ServerAPIError) in
            let counts = try ServerAPIError.signing(
                try simulation.extendAll(
                    of: productID, by: days, requestIdentifier: request, storefronts: storefronts))
            return MassExtension(
                requestIdentifier: request, productID: productID, completeDate: simulation.now,
                succeeded: counts.succeeded, failed: counts.failed)
        }
        api.withState { $0.massExtensions.append(outcome) }
        return ServerAPIResponse(answer)
    }

    /// Only products that renew have a renewal date.
    private func checkIsSubscription(_ productID: String) throws(ServerAPIError) {
        guard appStore.configuration.product(productID)?.subscription != nil else { throw .invalidProductID }
    }

    /// The storefronts whose subscribers are extended; `nil` for all. An empty list would extend no subscription, so it
    /// is an error.
    private func storefronts(_ list: JSONTree?) throws(ServerAPIError) -> [String]? {
        guard let list, list != .null else { return nil }
        guard case .array(let elements) = list else { throw .invalidStorefrontCountryCode }
        guard !elements.isEmpty else { throw .invalidEmptyStorefrontCountryCodeList }
        let codes = elements.compactMap(\.stringValue)
        guard codes.count == elements.count, codes.allSatisfy(Region.isCode) else {
            throw .invalidStorefrontCountryCode
        }
        return codes
    }

    /// Get Status of Subscription Renewal Date Extensions.
    func massExtensionStatus() throws(ServerAPIError) -> ServerAPIResponse {
        let (productID, request) = (parameter("product"), parameter("request"))
        try checkIsSubscription(productID)
        guard UUID(canonicalForm: request) != nil else { throw .invalidRequestIdentifier }
        let outcome = api.withState { state in
            state.massExtensions.first {
                $0.requestIdentifier.lowercased() == request.lowercased() && $0.productID == productID
            }
        }
        guard let outcome else { throw .statusRequestNotFound }
        var object = ObjectText()
        object.add("requestIdentifier", outcome.requestIdentifier)
        object.add("complete", true)
        object.add("completeDate", outcome.completeDate)
        object.add("succeededCount", outcome.succeeded)
        object.add("failedCount", outcome.failed)
        return ServerAPIResponse(object)
    }
}

/// A request to extend the renewal dates of all subscribers, and its result.
struct MassExtension: Sendable {
    let requestIdentifier: String
    let productID: String
    /// In milliseconds since 1970.
    let completeDate: Int
    let succeeded: Int
    let failed: Int
}

extension ServerAPIError {
    /// Each refusal has a code of Apple's, by which a client decides whether to try again.
    init(_ refusal: Simulation.ExtensionRefusal) {
        self =
            switch refusal {
            case .familyShared: .familySharedSubscriptionExtensionIneligible
            case .assigned: .assignedSubscriptionExtensionIneligible
            case .ineligible: .subscriptionExtensionIneligible
            case .tooOften: .subscriptionMaxExtension
            case .signing: .generalInternal
            }
    }
}
