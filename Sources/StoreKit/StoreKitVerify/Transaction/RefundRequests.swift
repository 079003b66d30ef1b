extension Transaction {
    /// The result of a refund request.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The App Store received the request.
        case success
        /// The customer closed the sheet.
        case userCancelled
    }

    /// Why a refund request failed.
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// The App Store already has a request for the transaction.
        case duplicateRequest
        /// Any other failure of the request.
        case failed
    }

    /// Shows the sheet for refund requests. Unavailable: the sheet needs a window on a device.
    @available(
        *, unavailable,
        message:
            "A refund is asked for on a device. A server answers CONSUMPTION_REQUEST notifications by the App Store Server API's Send Consumption Information."
    )
    public func beginRefundRequest<Window>(in window: Window) async throws -> RefundRequestStatus {
        throw RefundRequestError.failed
    }

    /// Shows the sheet for refund requests. Unavailable: the sheet needs a window on a device.
    @available(
        *, unavailable,
        message:
            "A refund is asked for on a device. A server answers CONSUMPTION_REQUEST notifications by the App Store Server API's Send Consumption Information."
    )
    public static func beginRefundRequest<Window>(
        for transactionID: UInt64, in window: Window
    ) async throws -> RefundRequestStatus { throw RefundRequestError.failed }
}
