internal import Essentials
internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// The endpoints of seats whose members the app's developer invites.
extension ServerAPICall {
    /// Claim Seat.
    func claimSeat() throws(ServerAPIError) -> ServerAPIResponse {
        try changeSeats { (simulation, index, claims) throws(ServerAPIError) in
            let body = try object()
            guard let request = UUID(canonicalForm: body["requestIdentifier"]?.stringValue ?? "") else {
                throw .invalidRequestIdentifier
            }
            // A request that comes again, for instance after a lost answer, claims nothing twice.
            if let claim = claims.requests[request] {
                return ServerAPIResponse("seatClaimId", claim.uuidString.lowercased())
            }
            var holder: UInt64?
            if body.present("appTransactionId") != nil { holder = try appTransactionID(body, simulation) }
            guard claims.available(of: simulation.presentSeats(of: index)) > 0 else {
                throw .noAvailableSeats
            }
            let claim = simulation.makeUUID()
            claims.claims.append(.init(id: claim, appTransactionID: holder))
            claims.requests[request] = claim
            return ServerAPIResponse("seatClaimId", claim.uuidString.lowercased())
        }
    }

    /// Get Seat Info.
    func seatInfo() throws(ServerAPIError) -> ServerAPIResponse {
        try changeSeats { (simulation, index, claims) throws(ServerAPIError) in
            let seats = simulation.presentSeats(of: index)
            var answer = ObjectText()
            answer.add("totalSeatCount", seats)
            answer.add("availableSeatCount", claims.available(of: seats))
            answer.add("assignedSeatClaimIds", all: claims.claims.map { $0.id.uuidString.lowercased() })
            return ServerAPIResponse(answer)
        }
    }

    /// Unclaim Seat.
    func unclaimSeat() throws(ServerAPIError) -> ServerAPIResponse {
        try changeSeats { (_, _, claims) throws(ServerAPIError) in
            claims.claims.remove(at: try place(ofClaimIn: claims))
            return ServerAPIResponse(status: 200)
        }
    }

    /// Associate Seat. The customer who is named last has the seat.
    func associateSeat() throws(ServerAPIError) -> ServerAPIResponse {
        try changeSeats { (simulation, _, claims) throws(ServerAPIError) in
            let claim = try place(ofClaimIn: claims)
            claims.claims[claim].appTransactionID = try appTransactionID(try object(), simulation)
            return ServerAPIResponse(status: 200)
        }
    }

    /// Changes the seats of the subscription in the path, by any of its transactions.
    private func changeSeats(
        _ body: (inout Simulation, SubscriptionPlace, inout SeatClaims) throws(ServerAPIError) ->
            ServerAPIResponse
    ) throws(ServerAPIError) -> ServerAPIResponse {
        try appStore.change { (simulation) throws(ServerAPIError) in
            guard let index = simulation.purchases[try place(in: simulation)].subscription,
                simulation.invitationManagement(of: index) == .developer
            else { throw .transactionNotDeveloperManagedGroup }
            var claims = simulation.purchases.seatClaims[index] ?? SeatClaims()
            let response = try body(&simulation, index, &claims)
            simulation.purchases.seatClaims[index] = claims
            return response
        }
    }

    private func place(ofClaimIn claims: SeatClaims) throws(ServerAPIError) -> Int {
        let claim = UUID(canonicalForm: parameter("claim"))
        guard let place = claims.claims.firstIndex(where: { $0.id == claim }) else {
            throw .seatClaimIDNotFound
        }
        return place
    }

    /// The customer whom a body names, by the number of the download.
    private func appTransactionID(
        _ body: JSONTree, _ simulation: Simulation
    ) throws(ServerAPIError) -> UInt64 {
        guard let text = body["appTransactionId"]?.stringValue else { throw .generalBadRequest }
        let identifier = try Self.identifier(text, else: .appTransactionIDNotFound)
        guard simulation.customers.place(ofDownload: identifier) != nil else {
            throw .appTransactionIDNotFound
        }
        return identifier
    }
}
