internal import StoreKitVerify
internal import WireFormats

/// The columns of app transactions and app receipts.
extension RowColumn {
    static let app: [RowColumn] = [
        .member(
            "appVersion", .app, "The version of the app.", .of(.appTransaction, "applicationVersion"),
            receipt: .text("appVersion") { $0.appVersion }),
        .member(
            "appVersionID", .app, "Apple's number for the version.",
            .of(.appTransaction, "versionExternalIdentifier"),
            receipt: .identifier("appVersionID") { $0.appVersionID }),
        .member(
            "originalAppVersion", .app, "The version that the customer first bought or downloaded.",
            .of(.appTransaction, "originalApplicationVersion"),
            receipt: .text("originalAppVersion") { $0.originalAppVersion }),
        .member(
            "appOriginalPurchaseDate", .app, "When the customer first bought or downloaded the app.",
            .of(.appTransaction, "originalPurchaseDate"),
            receipt: .date("originalPurchaseDate") { $0.originalPurchaseDate }),
        .member(
            "preorderDate", .app, "When the customer ordered the app, before its release.",
            .of(.appTransaction, "preorderDate")),
        .member(
            "appRevocationDate", .app, "When the App Store revoked the app.",
            .of(.appTransaction, "revocationDate")),
        .member(
            "originalPlatform", .app,
            "The platform on which the customer first bought or downloaded the app.",
            .of(.appTransaction, "originalPlatform")),
        .member(
            "storeType", .app, "How the customer got the app, for instance `CONSUMER`.",
            .of(.appTransaction, "storeType")),
        .member(
            "requestDate", .app, "When the device requested the app transaction or the receipt.",
            .of(.appTransaction, "requestDate", as: .date), receipt: .date("requestDate") { $0.requestDate }),
        .other(
            "receiptExpirationDate", .timestamp, .app, "When the receipt expires, for volume purchases.",
            receipt: .date("expirationDate") { $0.expirationDate }),
        .other(
            "receiptTransactions", .json, .app,
            "The purchases of an app receipt, as `--output typed` writes them."),
        .member(
            "deviceVerification", .app,
            "The hash that binds a transaction, renewal information, app transaction or receipt to a device.",
            .of(.transaction, "deviceVerification"), .of(.renewalInfo, "deviceVerification"),
            .of(.appTransaction, "deviceVerification"),
            receipt: .bytes("deviceVerification") { $0.deviceVerification }),
        .member(
            "deviceVerificationNonce", .app, "The nonce of that hash.",
            .of(.transaction, "deviceVerificationNonce", as: .uuid),
            .of(.renewalInfo, "deviceVerificationNonce", as: .uuid),
            .of(.appTransaction, "deviceVerificationNonce", as: .uuid),
            receipt: .bytes("deviceVerificationNonce") { $0.deviceVerificationNonce }),
    ]
}
