/// The errors of groups and seats.
extension ServerAPIError {
    static let invalidLimit = ServerAPIError(4_000_004, "Invalid request limit.")
    /// InvalidAssignedTransactionNotSupportedError, whose message is this package's own.
    static let assignedTransactionNotSupported = ServerAPIError(
        4_000_227, "Invalid request. Transactions of assigned seats aren't supported by this endpoint.")
    /// AssignedSubscriptionExtensionIneligibleError, whose message is this package's own.
    static let assignedSubscriptionExtensionIneligible = ServerAPIError(
        4_030_028, "Forbidden - a subscription of an assigned seat can't be extended.")
    static let groupNotFound = ServerAPIError(4_040_022, "Group not found.")
}

/// The errors of groups and seats that Apple names and does not number.
///
/// Their numbers are placeholders: 99 stands where Apple's own numbers have 00 to 02, so that none of them can be mistaken
/// for one of Apple's.
extension ServerAPIError {
    /// InvalidGroupIdError.
    static let invalidGroupID = ServerAPIError(4_009_901, "Invalid request. The group id is invalid.")
    /// TransactionNotDevManagedGroupError.
    static let transactionNotDeveloperManagedGroup = ServerAPIError(
        4_009_902,
        "Invalid request. The transaction isn't of a multiseat purchase whose invitations the developer manages."
    )
    /// BundleTransactionIdNotSupportedError. No purchase of this package is a bundle yet.
    static let bundleTransactionIDNotSupported = ServerAPIError(
        4_009_903, "Invalid request. The transaction of a bundle isn't supported by this endpoint.")
    /// NoAvailableSeatsError.
    static let noAvailableSeats = ServerAPIError(4_039_901, "Forbidden - no seat is available.")
    /// SeatClaimIdNotFoundError.
    static let seatClaimIDNotFound = ServerAPIError(4_049_901, "Seat claim id not found.")
    /// AppTransactionIdNotFoundError.
    static let appTransactionIDNotFound = ServerAPIError(4_049_902, "App transaction id not found.")
}
