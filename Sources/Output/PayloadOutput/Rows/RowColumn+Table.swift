internal import StoreKitVerify
internal import WireFormats

/// The columns of lines and notifications, and those that all payloads share.
extension RowColumn {
    static let line: [RowColumn] = [
        .other("file", .text),
        .other("line", .integer),
        .other("verified", .boolean),
        .other("kind", .text),
        .other("error", .text),
        .other("detail", .text),
        .other("message", .text),
        .other("failedMember", .text),
        .other("retryable", .boolean),
    ]

    static let notification: [RowColumn] =
        [
            .member("notificationType", .of(.notification, "notificationType")),
            .member("subtype", .of(.notification, "subtype")),
            .other("meaning", .text),
            .other("accessChange", .text),
            .member("notificationUUID", .of(.notification, "notificationUUID")),
            .member("notificationVersion", .of(.notification, "version", as: .text)),
        ]
        + enumeration("status", .status, .data, "status")
        + [
            .member("consumptionRequestReason", .of(.data, "consumptionRequestReason", as: .text))
        ]

    static let common: [RowColumn] = [
        .member(
            "signedDate", .outermost(.notification, "signedDate"), .outermost(.transaction, "signedDate"),
            .outermost(.renewalInfo, "signedDate"), .outermost(.appTransaction, "receiptCreationDate"),
            .outermost(.realtimeRequest, "signedDate"), receipt: .date("signedDate") { $0.signedDate }),
        .member(
            "environment", .of(.transaction, "environment"), .of(.renewalInfo, "environment"),
            .of(.appTransaction, "receiptType"), .of(.realtimeRequest, "environment"),
            .of(.data, "environment", as: .textUnlessEmpty),
            .of(.summary, "environment", as: .textUnlessEmpty),
            RowSource(.externalPurchaseToken, "externalPurchaseId", .impliedEnvironment),
            .of(.appData, "environment", as: .textUnlessEmpty),
            .of(.unclaimInfo, "environment", as: .textUnlessEmpty),
            receipt: .text("environment") { $0.environment?.rawValue }),
        .member(
            "bundleID", .of(.transaction, "bundleId"), .of(.appTransaction, "bundleId"),
            .of(.data, "bundleId", as: .textUnlessEmpty), .of(.summary, "bundleId", as: .textUnlessEmpty),
            .of(.externalPurchaseToken, "bundleId", as: .textUnlessEmpty),
            .of(.appData, "bundleId", as: .textUnlessEmpty),
            .of(.unclaimInfo, "bundleId", as: .textUnlessEmpty), receipt: .text("bundleID") { $0.bundleID }),
        .member(
            "appAppleID", .of(.appTransaction, "appAppleId"), .of(.realtimeRequest, "appAppleId"),
            .of(.data, "appAppleId", as: .identifierUnlessZero),
            .of(.summary, "appAppleId", as: .identifierUnlessZero),
            .of(.externalPurchaseToken, "appAppleId", as: .identifierUnlessZero),
            .of(.appData, "appAppleId", as: .identifierUnlessZero),
            .of(.unclaimInfo, "appAppleId", as: .identifierUnlessZero),
            receipt: .identifier("appID") { $0.appID }),
        .member("bundleVersion", .of(.data, "bundleVersion", as: .text)),
        .member(
            "productID", .of(.transaction, "productId"), .of(.renewalInfo, "productId"),
            .of(.realtimeRequest, "productId"), .of(.summary, "productId", as: .text)),
        .member(
            "originalTransactionID", .of(.transaction, "originalTransactionId"),
            .of(.renewalInfo, "originalTransactionId"), .of(.realtimeRequest, "originalTransactionId"),
            .of(.unclaimInfo, "originalTransactionId")),
        .member(
            "appTransactionID", .of(.transaction, "appTransactionId"), .of(.renewalInfo, "appTransactionId"),
            .of(.appTransaction, "appTransactionId")),
        .member(
            "appAccountToken", .of(.transaction, "appAccountToken"), .of(.renewalInfo, "appAccountToken")),
    ]

    static let others: [RowColumn] = [
        .member(
            "requestIdentifier", .of(.realtimeRequest, "requestIdentifier"),
            .of(.summary, "requestIdentifier", as: .text)),
        .member("userLocale", .of(.realtimeRequest, "userLocale", as: .text)),
        .member("storefrontCountryCodes", .of(.summary, "storefrontCountryCodes", as: .texts)),
        .member("succeededCount", .of(.summary, "succeededCount", as: .integer)),
        .member("failedCount", .of(.summary, "failedCount", as: .integer)),
        .member("unclaimedSeatIDs", .of(.unclaimInfo, "unclaimSeatIds")),
        .member("externalPurchaseID", .of(.externalPurchaseToken, "externalPurchaseId", as: .text)),
        .member("externalPurchaseTokenType", .of(.externalPurchaseToken, "tokenType", as: .text)),
        .member(
            "externalPurchaseTokenCreationDate", .of(.externalPurchaseToken, "tokenCreationDate", as: .date)),
        .member(
            "externalPurchaseTokenExpirationDate",
            .of(.externalPurchaseToken, "tokenExpirationDate", as: .date)),
    ]

    static let surroundings: [RowColumn] = [
        .other("envelope", .json)
    ]
}
