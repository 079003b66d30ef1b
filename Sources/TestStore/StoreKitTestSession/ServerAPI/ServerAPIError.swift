/// Why the App Store Server API refuses a request: Apple's code and message.
///
/// Clients decide by the code alone; Apple's own library for Python knows these codes, and a proof runs it against them.
struct ServerAPIError: Error, Hashable, Sendable {
    /// Apple's code. Its first three digits are the HTTP status.
    let code: Int
    /// Apple's sentence, which clients may show.
    let message: String

    init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The HTTP status.
    var status: Int { code / 10_000 }
}

/// The errors that a request or the state of this App Store can lead to, with the messages of Apple's documentation.
extension ServerAPIError {
    static let generalBadRequest = ServerAPIError(4_000_000, "Bad request.")
    static let invalidRequestRevision = ServerAPIError(4_000_005, "Invalid request revision.")
    static let invalidTransactionID = ServerAPIError(4_000_006, "Invalid transaction id.")
    static let invalidOriginalTransactionID = ServerAPIError(4_000_008, "Invalid original transaction id.")
    static let invalidExtendByDays = ServerAPIError(4_000_009, "Invalid extend by days value.")
    static let invalidExtendReasonCode = ServerAPIError(4_000_010, "Invalid extend reason code.")
    static let invalidRequestIdentifier = ServerAPIError(4_000_011, "Invalid request identifier.")
    // MARK: - The history of notifications

    static let startDateTooFarInPast = ServerAPIError(
        4_000_012,
        "Invalid request. The start date is earlier than the allowed start date.")
    static let startDateAfterEndDate = ServerAPIError(
        4_000_013,
        "Invalid request. The end date precedes the start date or the dates are the same.")
    static let invalidPaginationToken = ServerAPIError(
        4_000_014,
        "Invalid request. The pagination token is invalid.")
    static let invalidStartDate = ServerAPIError(
        4_000_015,
        "Invalid request. The start date is not a timestamp value represented in milliseconds.")
    static let invalidEndDate = ServerAPIError(
        4_000_016,
        "Invalid request. The end date is not a timestamp value represented in milliseconds.")
    static let invalidNotificationType = ServerAPIError(
        4_000_018,
        "Invalid request. The notification type or subtype is invalid.")
    static let multipleFiltersSupplied = ServerAPIError(
        4_000_019,
        "Invalid request. Supply either a transaction id or a notification type, but not both.")
    static let invalidTestNotificationToken = ServerAPIError(
        4_000_020,
        "Invalid request. The test notification token is invalid.")
    // MARK: - The filters of the history of transactions

    static let invalidSort = ServerAPIError(4_000_021, "Invalid request. The sort parameter is invalid.")
    static let invalidProductType = ServerAPIError(
        4_000_022,
        "Invalid request. The product type parameter is invalid.")
    static let invalidProductID = ServerAPIError(
        4_000_023,
        "Invalid request. The product id parameter is invalid.")
    static let invalidSubscriptionGroupIdentifier = ServerAPIError(
        4_000_024,
        "Invalid request. The subscription group identifier parameter is invalid.")
    static let invalidExcludeRevoked = ServerAPIError(
        4_000_025,
        "Invalid request. The exclude revoked parameter is invalid.")
    static let invalidInAppOwnershipType = ServerAPIError(
        4_000_026,
        "Invalid request. The in-app ownership type parameter is invalid.")
    static let invalidEmptyStorefrontCountryCodeList = ServerAPIError(
        4_000_027,
        "Invalid request. If provided, the list of storefront country codes must not be empty.")
    static let invalidStorefrontCountryCode = ServerAPIError(
        4_000_028,
        "Invalid request. A storefront country code was invalid.")
    static let invalidRevoked = ServerAPIError(
        4_000_030,
        "Invalid request. The revoked parameter is invalid.")
    static let invalidStatus = ServerAPIError(4_000_031, "Invalid request. The status parameter is invalid.")
    static let invalidAccountTenure = ServerAPIError(
        4_000_032,
        "Invalid request. The account tenure field is invalid.")
    static let invalidAppAccountToken = ServerAPIError(
        4_000_033,
        "Invalid request. The app account token field must contain a valid UUID or an empty string.")
    static let invalidConsumptionStatus = ServerAPIError(
        4_000_034,
        "Invalid request. The consumption status field is invalid.")
    static let invalidCustomerConsented = ServerAPIError(
        4_000_035,
        "Invalid request. The customer consented field is required and must indicate the customer consented.")
    static let invalidDeliveryStatus = ServerAPIError(
        4_000_036,
        "Invalid request. The delivery status field is invalid.")
    static let invalidLifetimeDollarsPurchased = ServerAPIError(
        4_000_037,
        "Invalid request. The lifetime dollars purchased field is invalid.")
    static let invalidLifetimeDollarsRefunded = ServerAPIError(
        4_000_038,
        "Invalid request. The lifetime dollars refunded field is invalid.")
    static let invalidPlatform = ServerAPIError(4_000_039, "Invalid request. The platform field is invalid.")
    static let invalidPlayTime = ServerAPIError(4_000_040, "Invalid request. The playtime field is invalid.")
    static let invalidSampleContentProvided = ServerAPIError(
        4_000_041,
        "Invalid request. The sample content provided field is invalid.")
    static let invalidUserStatus = ServerAPIError(
        4_000_042,
        "Invalid request. The user status field is invalid.")
    static let invalidRefundPreference = ServerAPIError(
        4_000_044,
        "Invalid request. The refund preference field is invalid.")
    static let invalidTransactionTypeNotSupported = ServerAPIError(
        4_000_047,
        "Invalid request. The transaction id doesn't represent a supported in-app purchase type.")
    static let appTransactionIDNotSupported = ServerAPIError(
        4_000_048,
        "Invalid request. App transactions aren't supported by this endpoint.")
    static let invalidAppAccountTokenUUID = ServerAPIError(
        4_000_183,
        "Invalid request. The app account token field must be a valid UUID.")
    static let familyTransactionNotSupported = ServerAPIError(
        4_000_185,
        "Invalid request. Family Sharing transactions aren't supported by this endpoint.")
    static let consumptionPercentageAutoRenewableSubscription = ServerAPIError(
        4_000_209,
        "Invalid request. The consumption percentage field is not supported for auto-renewable subscription transactions."
    )
    static let subscriptionExtensionIneligible = ServerAPIError(
        4_030_004,
        "Forbidden - subscription state ineligible for extension.")
    static let subscriptionMaxExtension = ServerAPIError(
        4_030_005,
        "Forbidden - subscription has reached maximum extension count.")
    static let familySharedSubscriptionExtensionIneligible = ServerAPIError(
        4_030_007,
        "Subscriptions that users obtain through Family Sharing can't get a renewal date extension directly.")
    static let originalTransactionIDNotFound = ServerAPIError(4_040_005, "Original transaction id not found.")
    static let serverNotificationURLNotFound = ServerAPIError(
        4_040_007,
        "No App Store Server Notification URL found for provided app. Check that a URL is configured in App Store Connect for this environment."
    )
    static let testNotificationNotFound = ServerAPIError(
        4_040_008,
        "Either the test notification token is expired or the notification and status are not yet available.")
    static let statusRequestNotFound = ServerAPIError(
        4_040_009,
        "The server didn't find a subscription-renewal-date extension request for this requestIdentifier and productId combination."
    )
    static let transactionIDNotFound = ServerAPIError(4_040_010, "Transaction id not found.")
    static let rateLimitExceeded = ServerAPIError(4_290_000, "Rate limit exceeded.")
    static let generalInternal = ServerAPIError(5_000_000, "An unknown error occurred.")
}

/// The errors whose codes are Apple's and whose messages are not: Apple's documentation has no text for them.
extension ServerAPIError {
    static let invalidImage = ServerAPIError(4_000_161, "Invalid request. The image is invalid.")
    static let headerTooLong = ServerAPIError(4_000_162, "Invalid request. The header is too long.")
    static let bodyTooLong = ServerAPIError(4_000_163, "Invalid request. The body is too long.")
    static let invalidLocale = ServerAPIError(4_000_164, "Invalid request. The locale is invalid.")
    static let altTextTooLong = ServerAPIError(
        4_000_175,
        "Invalid request. The alternative text is too long.")
    static let transactionIDIsNotOriginalTransactionID = ServerAPIError(
        4_000_187,
        "Invalid request. The transaction id is not an original transaction id.")
    static let invalidPerformanceTestRequest = ServerAPIError(
        4_000_211,
        "Invalid request. The performance test request is invalid.")
    static let invalidRequestID = ServerAPIError(4_000_212, "Invalid request. The request id is invalid.")
    static let badRequestRealtimeURL = ServerAPIError(
        4_000_215,
        "Invalid request. The real-time URL is invalid.")
    static let badRequestImageSize = ServerAPIError(4_000_216, "Invalid request. The image size is invalid.")
    static let badRequestTooManyBulletPoints = ServerAPIError(
        4_000_218,
        "Invalid request. There are too many bullet points.")
    static let badRequestBulletPointTextTooLong = ServerAPIError(
        4_000_219,
        "Invalid request. The text of a bullet point is too long.")
    static let badRequestAboveImageRequiresAnImage = ServerAPIError(
        4_000_224,
        "Invalid request. A header above the image requires an image.")
    static let existingPerformanceTestRun = ServerAPIError(
        4_000_213,
        "Invalid request. A performance test is running already.")
    static let maximumNumberOfImagesReached = ServerAPIError(
        4_030_014, "Forbidden - the maximum number of images is reached.")
    static let maximumNumberOfMessagesReached = ServerAPIError(
        4_030_016, "Forbidden - the maximum number of messages is reached.")
    static let messageNotApproved = ServerAPIError(4_030_017, "Forbidden - the message is not approved.")
    static let imageNotApproved = ServerAPIError(4_030_018, "Forbidden - the image is not approved.")
    static let forbiddenNoPassingTest = ServerAPIError(
        4_030_026, "Forbidden - no performance test has passed.")
    static let imageInUse = ServerAPIError(4_030_019, "Forbidden - the image is in use.")
    static let imageNotFound = ServerAPIError(4_040_014, "Image not found.")
    static let messageNotFound = ServerAPIError(4_040_015, "Message not found.")
    static let performanceTestRunNotFound = ServerAPIError(4_040_018, "Performance test run not found.")
    static let defaultMessageNotFound = ServerAPIError(4_040_020, "Default message not found.")
    static let realtimeURLNotFound = ServerAPIError(4_040_021, "Real-time URL not found.")
    static let imageAlreadyExists = ServerAPIError(4_090_000, "The image already exists.")
    static let messageAlreadyExists = ServerAPIError(4_090_001, "The message already exists.")
}
