package import AppStoreTables

/// Why the App Store Server API refuses a request: the codes to which a request or the state of this App Store can lead.
///
/// Clients decide by the code alone; Apple's own library for Python knows these codes, and a proof runs it against them.
/// `POST /test/errors` makes the next request fail with any other code of Apple's.
package enum ServerAPIError: Int, Error, CaseIterable {
    case generalBadRequest = 4_000_000
    case invalidLimit = 4_000_004
    case invalidRequestRevision = 4_000_005
    case invalidTransactionID = 4_000_006
    case invalidOriginalTransactionID = 4_000_008
    case invalidExtendByDays = 4_000_009
    case invalidExtendReasonCode = 4_000_010
    case invalidRequestIdentifier = 4_000_011
    case startDateTooFarInPast = 4_000_012
    case startDateAfterEndDate = 4_000_013
    case invalidPaginationToken = 4_000_014
    case invalidStartDate = 4_000_015
    case invalidEndDate = 4_000_016
    case invalidNotificationType = 4_000_018
    case multipleFiltersSupplied = 4_000_019
    case invalidTestNotificationToken = 4_000_020
    case invalidSort = 4_000_021
    case invalidProductType = 4_000_022
    case invalidProductID = 4_000_023
    case invalidSubscriptionGroupIdentifier = 4_000_024
    case invalidExcludeRevoked = 4_000_025
    case invalidInAppOwnershipType = 4_000_026
    case invalidEmptyStorefrontCountryCodeList = 4_000_027
    case invalidStorefrontCountryCode = 4_000_028
    case invalidRevoked = 4_000_030
    case invalidStatus = 4_000_031
    case invalidAccountTenure = 4_000_032
    case invalidAppAccountToken = 4_000_033
    case invalidConsumptionStatus = 4_000_034
    case invalidCustomerConsented = 4_000_035
    case invalidDeliveryStatus = 4_000_036
    case invalidLifetimeDollarsPurchased = 4_000_037
    case invalidLifetimeDollarsRefunded = 4_000_038
    case invalidPlatform = 4_000_039
    case invalidPlayTime = 4_000_040
    case invalidSampleContentProvided = 4_000_041
    case invalidUserStatus = 4_000_042
    case invalidRefundPreference = 4_000_044
    case invalidTransactionTypeNotSupported = 4_000_047
    case appTransactionIDNotSupported = 4_000_048
    case invalidImage = 4_000_161
    case headerTooLong = 4_000_162
    case bodyTooLong = 4_000_163
    case invalidLocale = 4_000_164
    case altTextTooLong = 4_000_175
    case invalidAppAccountTokenUUID = 4_000_183
    case familyTransactionNotSupported = 4_000_185
    case transactionIDIsNotOriginalTransactionID = 4_000_187
    case consumptionPercentageAutoRenewableSubscription = 4_000_209
    case invalidPerformanceTestRequest = 4_000_211
    case invalidRequestID = 4_000_212
    case existingPerformanceTestRun = 4_000_213
    case badRequestRealtimeURL = 4_000_215
    case badRequestImageSize = 4_000_216
    case badRequestTooManyBulletPoints = 4_000_218
    case badRequestBulletPointTextTooLong = 4_000_219
    case badRequestAboveImageRequiresAnImage = 4_000_224
    case assignedTransactionNotSupported = 4_000_227
    case subscriptionExtensionIneligible = 4_030_004
    case subscriptionMaxExtension = 4_030_005
    case familySharedSubscriptionExtensionIneligible = 4_030_007
    case maximumNumberOfImagesReached = 4_030_014
    case maximumNumberOfMessagesReached = 4_030_016
    case messageNotApproved = 4_030_017
    case imageNotApproved = 4_030_018
    case imageInUse = 4_030_019
    case forbiddenNoPassingTest = 4_030_026
    case assignedSubscriptionExtensionIneligible = 4_030_028
    case originalTransactionIDNotFound = 4_040_005
    case serverNotificationURLNotFound = 4_040_007
    case testNotificationNotFound = 4_040_008
    case statusRequestNotFound = 4_040_009
    case transactionIDNotFound = 4_040_010
    case imageNotFound = 4_040_014
    case messageNotFound = 4_040_015
    case performanceTestRunNotFound = 4_040_018
    case defaultMessageNotFound = 4_040_020
    case realtimeURLNotFound = 4_040_021
    case groupNotFound = 4_040_022
    case imageAlreadyExists = 4_090_000
    case messageAlreadyExists = 4_090_001
    case rateLimitExceeded = 4_290_000
    case generalInternal = 5_000_000

    // MARK: - Errors that Apple does not number: the numbers are placeholders

    case invalidGroupID = 4_009_901
    case transactionNotDeveloperManagedGroup = 4_009_902
    case noAvailableSeats = 4_039_901
    case seatClaimIDNotFound = 4_049_901
    case appTransactionIDNotFound = 4_049_902

    /// The code with Apple's name and message.
    package var entry: ErrorTable.Entry {
        ErrorTable.server[rawValue] ?? ErrorTable.unnumbered.entry(of: rawValue)
    }
}
