extension Transaction {
    /// What came of asking for a refund.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The App Store has the request.
        case success
        /// The customer closed the sheet.
        case userCancelled
    }

    /// Why a refund could not be asked for.
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// There is a request for the transaction already.
        case duplicateRequest
        /// The request failed.
        case failed
    }

    /// Shows the sheet for refund requests, which is for a device: there is no window here.
    @available(
        *, unavailable,
        message:
            "A refund is asked for on a device. A server answers CONSUMPTION_REQUEST notifications by the App Store Server API's Send Consumption Information."
    )
    public func beginRefundRequest<Window>(in window: Window) async throws -> RefundRequestStatus {
        throw RefundRequestError.failed
    }

    /// Shows the sheet for refund requests, which is for a device: there is no window here.
    @available(
        *, unavailable,
        message:
            "A refund is asked for on a device. A server answers CONSUMPTION_REQUEST notifications by the App Store Server API's Send Consumption Information."
    )
    public static func beginRefundRequest<Window>(
        for transactionID: UInt64, in window: Window
    ) async throws -> RefundRequestStatus { throw RefundRequestError.failed }
}
