internal import StoreKitVerify
internal import WireFormats

/// The columns of lines and notifications, and those that all payloads share.
extension RowColumn {
    static let line: [RowColumn] = [
        .other("file", .text, .line, "The name of the file; null for standard input."),
        .other("line", .integer, .line, "The number of the line in its file, from 1."),
        .other("verified", .boolean, .line, "The verdict: whether the payload has passed every check."),
        .other(
            "kind", .text, .line,
            "The kind of payload, as other formats name it in `type`; null if the line is not verified."),
        .other("error", .text, .line, "The code of the failure; null if the line is verified."),
        .other("detail", .text, .line, "A finer code of the failure."),
        .other("message", .text, .line, "The failure in a sentence, with both sides of the comparison."),
        .other(
            "failedMember", .text, .line,
            "The member of a notification whose payload has failed; other formats name it `at`."),
        .other(
            "retryable", .boolean, .line,
            "Whether the same line may be verified later; null if it is verified now."),
    ]

    static let notification: [RowColumn] =
        [
            .member("notificationType", .notification, "The event.", .of(.notification, "notificationType")),
            .member("subtype", .notification, "The details of the event.", .of(.notification, "subtype")),
            .other(
                "meaning", .text, .notification,
                "The event's meaning for the customer, by type and subtype: the name of a `Meaning`."),
            .other(
                "accessChange", .text, .notification,
                "The event's change of the access to the product, by type and subtype."),
            .member(
                "notificationUUID", .notification,
                "The notification's identifier, the same each time the notification is sent.",
                .of(.notification, "notificationUUID")),
            .member(
                "notificationVersion", .notification, "The version of the notification's format.",
                .of(.notification, "version", as: .text)),
        ]
        + enumeration(
            "status", .notification, "The state of the subscription when the notification was signed.",
            .status,
            .data, "status")
        + [
            .member(
                "consumptionRequestReason", .notification, "Why the customer requested a refund.",
                .of(.data, "consumptionRequestReason", as: .text))
        ]

    static let common: [RowColumn] = [
        .member(
            "signedDate", .common, "When the line's own payload was signed.",
            .outermost(.notification, "signedDate"), .outermost(.transaction, "signedDate"),
            .outermost(.renewalInfo, "signedDate"), .outermost(.appTransaction, "receiptCreationDate"),
            .outermost(.realtimeRequest, "signedDate"), receipt: .date("signedDate") { $0.signedDate }),
        .member(
            "environment", .common, "The environment: `Production`, `Sandbox`, `Xcode` or `LocalTesting`.",
            .of(.transaction, "environment"), .of(.renewalInfo, "environment"),
            .of(.appTransaction, "receiptType"), .of(.realtimeRequest, "environment"),
            .of(.data, "environment", as: .textUnlessEmpty),
            .of(.summary, "environment", as: .textUnlessEmpty),
            RowSource(.externalPurchaseToken, "externalPurchaseId", .impliedEnvironment),
            .of(.appData, "environment", as: .textUnlessEmpty),
            .of(.unclaimInfo, "environment", as: .textUnlessEmpty),
            receipt: .text("environment") { $0.environment?.rawValue }),
        .member(
            "bundleID", .common, "The app's bundle identifier.", .of(.transaction, "bundleId"),
            .of(.appTransaction, "bundleId"), .of(.data, "bundleId", as: .textUnlessEmpty),
            .of(.summary, "bundleId", as: .textUnlessEmpty),
            .of(.externalPurchaseToken, "bundleId", as: .textUnlessEmpty),
            .of(.appData, "bundleId", as: .textUnlessEmpty),
            .of(.unclaimInfo, "bundleId", as: .textUnlessEmpty), receipt: .text("bundleID") { $0.bundleID }),
        .member(
            "appAppleID", .common, "Apple's number for the app, which outside production may be absent.",
            .of(.appTransaction, "appAppleId"), .of(.realtimeRequest, "appAppleId"),
            .of(.data, "appAppleId", as: .identifierUnlessZero),
            .of(.summary, "appAppleId", as: .identifierUnlessZero),
            .of(.externalPurchaseToken, "appAppleId", as: .identifierUnlessZero),
            .of(.appData, "appAppleId", as: .identifierUnlessZero),
            .of(.unclaimInfo, "appAppleId", as: .identifierUnlessZero),
            receipt: .identifier("appID") { $0.appID }),
        .member(
            "bundleVersion", .common, "The app's build on the device of the purchase.",
            .of(.data, "bundleVersion", as: .text)),
        .member(
            "productID", .common, "The product.", .of(.transaction, "productId"),
            .of(.renewalInfo, "productId"), .of(.realtimeRequest, "productId"),
            .of(.summary, "productId", as: .text)),
        .member(
            "originalTransactionID", .common,
            "The first transaction of the purchase, which its renewals name too.",
            .of(.transaction, "originalTransactionId"), .of(.renewalInfo, "originalTransactionId"),
            .of(.realtimeRequest, "originalTransactionId"), .of(.unclaimInfo, "originalTransactionId")),
        .member(
            "appTransactionID", .common,
            "The app's download, one for each Apple Account and app: the customer, as Apple knows them.",
            .of(.transaction, "appTransactionId"), .of(.renewalInfo, "appTransactionId"),
            .of(.appTransaction, "appTransactionId")),
        .member(
            "appAccountToken", .common, "The customer, as the app named them: a UUID in lower case.",
            .of(.transaction, "appAccountToken"), .of(.renewalInfo, "appAccountToken")),
    ]

    static let others: [RowColumn] = [
        .member(
            "requestIdentifier", .others,
            "The request for a retention message, or the server's request to extend all renewal dates.",
            .of(.realtimeRequest, "requestIdentifier"), .of(.summary, "requestIdentifier", as: .text)),
        .member(
            "userLocale", .others,
            "The customer's language and region, in a request for a retention message.",
            .of(.realtimeRequest, "userLocale", as: .text)),
        .member(
            "storefrontCountryCodes", .others, "The storefronts of a request to extend all renewal dates.",
            .of(.summary, "storefrontCountryCodes", as: .texts)),
        .member(
            "succeededCount", .others, "The subscriptions with a new renewal date.",
            .of(.summary, "succeededCount", as: .integer)),
        .member(
            "failedCount", .others, "The subscriptions whose renewal date could not be moved.",
            .of(.summary, "failedCount", as: .integer)),
        .member(
            "unclaimedSeatIDs", .others, "The claims of seats that the App Store has ended.",
            .of(.unclaimInfo, "unclaimSeatIds")),
        .member(
            "externalPurchaseID", .others, "The token for purchases outside the App Store.",
            .of(.externalPurchaseToken, "externalPurchaseId", as: .text)),
        .member(
            "externalPurchaseTokenType", .others, "The purpose of that token.",
            .of(.externalPurchaseToken, "tokenType", as: .text)),
        .member(
            "externalPurchaseTokenCreationDate", .others, "When that token was created.",
            .of(.externalPurchaseToken, "tokenCreationDate", as: .date)),
        .member(
            "externalPurchaseTokenExpirationDate", .others, "When that token stops being active.",
            .of(.externalPurchaseToken, "tokenExpirationDate", as: .date)),
    ]

    static let surroundings: [RowColumn] = [
        .other(
            "envelope", .json, .surroundings,
            "The other members of the JSON object that holds the payload. They are not signed.")
    ]
}
