/// The errors of Apple's page to which no request and no state of this App Store leads: it has one app, its customers
/// are there at once with an app transaction each, and its tokens of pages do not expire. `POST /test/errors` gives them.
extension ServerAPIError {
    static let invalidAppIdentifier = ServerAPIError(4_000_002, "Invalid request app identifier.")
    static let paginationTokenExpired = ServerAPIError(
        4_000_017, "Invalid request. The pagination token is expired.")
    static let invalidTransactionNotConsumable = ServerAPIError(
        4_000_043,
        "Invalid request. The transaction id parameter must represent a consumable in-app purchase.")
    static let accountNotFound = ServerAPIError(4_040_001, "Account not found.")
    static let accountNotFoundRetryable = ServerAPIError(4_040_002, "Account not found. Please try again.")
    static let appNotFound = ServerAPIError(4_040_003, "App not found.")
    static let appNotFoundRetryable = ServerAPIError(4_040_004, "App not found. Please try again.")
    static let originalTransactionIDNotFoundRetryable = ServerAPIError(
        4_040_006,
        "Original transaction id not found. Please try again.")
    static let appTransactionDoesNotExist = ServerAPIError(
        4_040_019, "No AppTransaction exists for the customer.")
    static let generalInternalRetryable = ServerAPIError(
        5_000_001, "An unknown error occurred. Please try again.")
}

extension ServerAPIError {
    /// Every error of the App Store Server API, of retention messaging, and of groups and seats.
    static let server = [
        generalBadRequest, invalidRequestRevision, invalidTransactionID, invalidOriginalTransactionID,
        invalidExtendByDays, invalidExtendReasonCode, invalidRequestIdentifier, startDateTooFarInPast,
        startDateAfterEndDate, invalidPaginationToken, invalidStartDate, invalidEndDate,
        invalidNotificationType, multipleFiltersSupplied, invalidTestNotificationToken, invalidSort,
        invalidProductType, invalidProductID, invalidSubscriptionGroupIdentifier, invalidExcludeRevoked,
        invalidInAppOwnershipType, invalidEmptyStorefrontCountryCodeList, invalidStorefrontCountryCode,
        invalidRevoked, invalidStatus, invalidAccountTenure, invalidAppAccountToken, invalidConsumptionStatus,
        invalidCustomerConsented, invalidDeliveryStatus, invalidLifetimeDollarsPurchased,
        invalidLifetimeDollarsRefunded, invalidPlatform, invalidPlayTime, invalidSampleContentProvided,
        invalidUserStatus, invalidRefundPreference, invalidTransactionTypeNotSupported,
        appTransactionIDNotSupported, invalidAppAccountTokenUUID, familyTransactionNotSupported,
        consumptionPercentageAutoRenewableSubscription, subscriptionExtensionIneligible,
        subscriptionMaxExtension, familySharedSubscriptionExtensionIneligible, originalTransactionIDNotFound,
        serverNotificationURLNotFound, testNotificationNotFound, statusRequestNotFound, transactionIDNotFound,
        rateLimitExceeded, generalInternal, invalidImage, headerTooLong, bodyTooLong, invalidLocale,
        altTextTooLong, transactionIDIsNotOriginalTransactionID, invalidPerformanceTestRequest,
        invalidRequestID, badRequestRealtimeURL, badRequestImageSize, badRequestTooManyBulletPoints,
        badRequestBulletPointTextTooLong, badRequestAboveImageRequiresAnImage, existingPerformanceTestRun,
        maximumNumberOfImagesReached, maximumNumberOfMessagesReached, messageNotApproved, imageNotApproved,
        forbiddenNoPassingTest, imageInUse, imageNotFound, messageNotFound, performanceTestRunNotFound,
        defaultMessageNotFound, realtimeURLNotFound, imageAlreadyExists, messageAlreadyExists,
        invalidAppIdentifier, paginationTokenExpired, invalidTransactionNotConsumable, accountNotFound,
        accountNotFoundRetryable, appNotFound, appNotFoundRetryable, originalTransactionIDNotFoundRetryable,
        appTransactionDoesNotExist, generalInternalRetryable, invalidLimit, assignedTransactionNotSupported,
        assignedSubscriptionExtensionIneligible, groupNotFound, invalidGroupID,
        transactionNotDeveloperManagedGroup, bundleTransactionIDNotSupported, noAvailableSeats,
        seatClaimIDNotFound, appTransactionIDNotFound,
    ]
}
