/// The errors of the App Store Server API, of retention messaging, and of groups and seats.
///
/// Source: Apple's page
/// [Error codes](https://developer.apple.com/documentation/appstoreserverapi/error-codes).
extension ErrorTable {
    /// All of them.
    package static let server = ErrorTable(published + "\n" + unpublished)

    /// Those whose messages are Apple's.
    private static let published = """
        4000000 GeneralBadRequest: Bad request.
        4000002 InvalidAppIdentifier: Invalid request app identifier.
        4000004 InvalidLimit: Invalid request limit.
        4000005 InvalidRequestRevision: Invalid request revision.
        4000006 InvalidTransactionId: Invalid transaction id.
        4000008 InvalidOriginalTransactionId: Invalid original transaction id.
        4000009 InvalidExtendByDays: Invalid extend by days value.
        4000010 InvalidExtendReasonCode: Invalid extend reason code.
        4000011 InvalidRequestIdentifier: Invalid request identifier.
        4000012 StartDateTooFarInPast: Invalid request. The start date is earlier than the allowed start \
        date.
        4000013 StartDateAfterEndDate: Invalid request. The end date precedes the start date or the dates \
        are the same.
        4000014 InvalidPaginationToken: Invalid request. The pagination token is invalid.
        4000015 InvalidStartDate: Invalid request. The start date is not a timestamp value represented in \
        milliseconds.
        4000016 InvalidEndDate: Invalid request. The end date is not a timestamp value represented in \
        milliseconds.
        4000017 PaginationTokenExpired: Invalid request. The pagination token is expired.
        4000018 InvalidNotificationType: Invalid request. The notification type or subtype is invalid.
        4000019 MultipleFiltersSupplied: Invalid request. Supply either a transaction id or a \
        notification type, but not both.
        4000020 InvalidTestNotificationToken: Invalid request. The test notification token is invalid.
        4000021 InvalidSort: Invalid request. The sort parameter is invalid.
        4000022 InvalidProductType: Invalid request. The product type parameter is invalid.
        4000023 InvalidProductId: Invalid request. The product id parameter is invalid.
        4000024 InvalidSubscriptionGroupIdentifier: Invalid request. The subscription group identifier \
        parameter is invalid.
        4000025 InvalidExcludeRevoked: Invalid request. The exclude revoked parameter is invalid.
        4000026 InvalidInAppOwnershipType: Invalid request. The in-app ownership type parameter is invalid.
        4000027 InvalidEmptyStorefrontCountryCodeList: Invalid request. If provided, the list of \
        storefront country codes must not be empty.
        4000028 InvalidStorefrontCountryCode: Invalid request. A storefront country code was invalid.
        4000030 InvalidRevoked: Invalid request. The revoked parameter is invalid.
        4000031 InvalidStatus: Invalid request. The status parameter is invalid.
        4000032 InvalidAccountTenure: Invalid request. The account tenure field is invalid.
        4000033 InvalidAppAccountToken: Invalid request. The app account token field must contain a valid \
        UUID or an empty string.
        4000034 InvalidConsumptionStatus: Invalid request. The consumption status field is invalid.
        4000035 InvalidCustomerConsented: Invalid request. The customer consented field is required and \
        must indicate the customer consented.
        4000036 InvalidDeliveryStatus: Invalid request. The delivery status field is invalid.
        4000037 InvalidLifetimeDollarsPurchased: Invalid request. The lifetime dollars purchased field is \
        invalid.
        4000038 InvalidLifetimeDollarsRefunded: Invalid request. The lifetime dollars refunded field is \
        invalid.
        4000039 InvalidPlatform: Invalid request. The platform field is invalid.
        4000040 InvalidPlayTime: Invalid request. The playtime field is invalid.
        4000041 InvalidSampleContentProvided: Invalid request. The sample content provided field is invalid.
        4000042 InvalidUserStatus: Invalid request. The user status field is invalid.
        4000043 InvalidTransactionNotConsumable: Invalid request. The transaction id parameter must \
        represent a consumable in-app purchase.
        4000044 InvalidRefundPreference: Invalid request. The refund preference field is invalid.
        4000047 InvalidTransactionTypeNotSupported: Invalid request. The transaction id doesn't represent \
        a supported in-app purchase type.
        4000048 AppTransactionIdNotSupported: Invalid request. App transactions aren't supported by this \
        endpoint.
        4000183 InvalidAppAccountTokenUUID: Invalid request. The app account token field must be a valid \
        UUID.
        4000185 FamilyTransactionNotSupported: Invalid request. Family Sharing transactions aren't \
        supported by this endpoint.
        4000209 ConsumptionPercentageAutoRenewableSubscription: Invalid request. The consumption \
        percentage field is not supported for auto-renewable subscription transactions.
        4030004 SubscriptionExtensionIneligible: Forbidden - subscription state ineligible for extension.
        4030005 SubscriptionMaxExtension: Forbidden - subscription has reached maximum extension count.
        4030007 FamilySharedSubscriptionExtensionIneligible: Subscriptions that users obtain through \
        Family Sharing can't get a renewal date extension directly.
        4040001 AccountNotFound: Account not found.
        4040002 AccountNotFoundRetryable: Account not found. Please try again.
        4040003 AppNotFound: App not found.
        4040004 AppNotFoundRetryable: App not found. Please try again.
        4040005 OriginalTransactionIdNotFound: Original transaction id not found.
        4040006 OriginalTransactionIdNotFoundRetryable: Original transaction id not found. Please try again.
        4040007 ServerNotificationURLNotFound: No App Store Server Notification URL found for provided \
        app. Check that a URL is configured in App Store Connect for this environment.
        4040008 TestNotificationNotFound: Either the test notification token is expired or the \
        notification and status are not yet available.
        4040009 StatusRequestNotFound: The server didn't find a subscription-renewal-date extension \
        request for this requestIdentifier and productId combination.
        4040010 TransactionIdNotFound: Transaction id not found.
        4040019 AppTransactionDoesNotExist: No AppTransaction exists for the customer.
        4040022 GroupNotFound: Group not found.
        4290000 RateLimitExceeded: Rate limit exceeded.
        5000000 GeneralInternal: An unknown error occurred.
        5000001 GeneralInternalRetryable: An unknown error occurred. Please try again.
        """

    /// Those whose messages are this package's own: Apple's documentation has no text for them.
    private static let unpublished = """
        4000161 InvalidImage: Invalid request. The image is invalid.
        4000162 HeaderTooLong: Invalid request. The header is too long.
        4000163 BodyTooLong: Invalid request. The body is too long.
        4000164 InvalidLocale: Invalid request. The locale is invalid.
        4000175 AltTextTooLong: Invalid request. The alternative text is too long.
        4000187 TransactionIdIsNotOriginalTransactionId: Invalid request. The transaction id is not an \
        original transaction id.
        4000211 InvalidPerformanceTestRequest: Invalid request. The performance test request is invalid.
        4000212 InvalidRequestId: Invalid request. The request id is invalid.
        4000213 ExistingPerformanceTestRun: Invalid request. A performance test is running already.
        4000215 BadRequestRealtimeUrl: Invalid request. The real-time URL is invalid.
        4000216 BadRequestImageSize: Invalid request. The image size is invalid.
        4000218 BadRequestTooManyBulletPoints: Invalid request. There are too many bullet points.
        4000219 BadRequestBulletPointTextTooLong: Invalid request. The text of a bullet point is too long.
        4000224 BadRequestAboveImageRequiresAnImage: Invalid request. A header above the image requires \
        an image.
        4000227 InvalidAssignedTransactionNotSupported: Invalid request. Transactions of assigned seats \
        aren't supported by this endpoint.
        4030014 MaximumNumberOfImagesReached: Forbidden - the maximum number of images is reached.
        4030016 MaximumNumberOfMessagesReached: Forbidden - the maximum number of messages is reached.
        4030017 MessageNotApproved: Forbidden - the message is not approved.
        4030018 ImageNotApproved: Forbidden - the image is not approved.
        4030019 ImageInUse: Forbidden - the image is in use.
        4030026 ForbiddenNoPassingTest: Forbidden - no performance test has passed.
        4030028 AssignedSubscriptionExtensionIneligible: Forbidden - a subscription of an assigned seat \
        can't be extended.
        4040014 ImageNotFound: Image not found.
        4040015 MessageNotFound: Message not found.
        4040018 PerformanceTestRunNotFound: Performance test run not found.
        4040020 DefaultMessageNotFound: Default message not found.
        4040021 RealtimeUrlNotFound: Real-time URL not found.
        4090000 ImageAlreadyExists: The image already exists.
        4090001 MessageAlreadyExists: The message already exists.
        """
}

/// The errors that Apple names and does not number.
extension ErrorTable {
    /// The numbers are placeholders that cannot be mistaken for Apple's: 99 stands where Apple's have 00 to 35. The messages
    /// are this package's own, except the first.
    package static let unnumbered = ErrorTable(
        """
        9901 LineItemCreationDateOutOfRange: The line item's creation date is outside of the time in \
        which the token is active.
        4009901 InvalidGroupId: Invalid request. The group id is invalid.
        4009902 TransactionNotDevManagedGroup: Invalid request. The transaction isn't of a multiseat \
        purchase whose invitations the developer manages.
        4009903 BundleTransactionIdNotSupported: Invalid request. The transaction of a bundle isn't \
        supported by this endpoint.
        4039901 NoAvailableSeats: Forbidden - no seat is available.
        4049901 SeatClaimIdNotFound: Seat claim id not found.
        4049902 AppTransactionIdNotFound: App transaction id not found.
        """)
}
