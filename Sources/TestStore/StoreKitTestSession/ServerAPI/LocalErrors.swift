/// Errors by a local request: those that no request and no state of this package leads to.
extension TestAppStoreAPI {
    /// Answers `POST /test/errors`, whose body is a code: the next request to a path of Apple's fails with it.
    func failNext(_ request: ServerAPIRequest) -> ServerAPIResponse {
        guard let code = Int(String(decoding: request.body, as: UTF8.self)),
            let error = ServerAPIError.advancedCommerce[code]
                ?? ServerAPIError.server.first(where: { $0.code == code })
        else {
            return Self.failure(
                "the body is not an error code of the Server API or the Advanced Commerce API")
        }
        withState { $0.nextError = error }
        return ServerAPIResponse(status: 200)
    }

    /// The error that was asked for, once.
    func takeNextError() -> ServerAPIError? {
        withState { state in
            defer { state.nextError = nil }
            return state.nextError
        }
    }
}
