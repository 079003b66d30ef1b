internal import AppStoreTables
internal import StoreKitTestSession

/// Errors by a local request: those that no request and no state of this package leads to.
extension TestAppStoreAPI {
    /// Answers `POST /test/errors`, whose body is a code: the next request to a path of Apple's fails with it.
    func failNext(_ request: ServerAPIRequest) -> ServerAPIResponse {
        guard let failure = Int(String(decoding: request.body, as: UTF8.self)).flatMap(Self.failure(ofCode:))
        else {
            return Self.failure(
                "the body is no error code of the Server API, of Advanced Commerce, or of a report of external purchases"
            )
        }
        withState { $0.nextFailure = failure }
        return ServerAPIResponse(status: 200)
    }

    private static func failure(ofCode code: Int) -> ServerAPIResponse? {
        if let reported = ExternalPurchaseErrorCode(rawValue: code) {
            return ServerAPICall.refusal([ExternalPurchaseError(code: reported, field: nil)])
        }
        let entry =
            ErrorTable.advancedCommerce[code] ?? ErrorTable.server[code] ?? ErrorTable.unnumbered[code]
        return entry.map { ServerAPIResponse($0) }
    }

    /// The failure that was asked for, once.
    func takeNextFailure() -> ServerAPIResponse? {
        withState { state in
            defer { state.nextFailure = nil }
            return state.nextFailure
        }
    }
}
