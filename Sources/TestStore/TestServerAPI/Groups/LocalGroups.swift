internal import StoreKitTestSession
internal import WireFormats

/// Organizations by a local request: scenarios sell seats to consumers alone.
extension TestAppStoreAPI {
    /// Answers `POST /test/organizations`, whose body is the identifier of a transaction: the group of its subscription
    /// is an organization's from now on.
    func setOrganization(_ request: ServerAPIRequest) -> ServerAPIResponse {
        let isDone = appStore.change { simulation in
            guard let identifier = UInt64(String(decoding: request.body, as: UTF8.self)),
                let place = try? simulation.purchases.place(of: identifier),
                let index = simulation.purchases[place].subscription,
                simulation.invitationManagement(of: index) != nil
            else { return false }
            simulation.purchases.setOrganization(index)
            return true
        }
        guard isDone else {
            return Self.failure("the body is no transaction of a subscription with several seats")
        }
        return ServerAPIResponse(status: 200)
    }
}
