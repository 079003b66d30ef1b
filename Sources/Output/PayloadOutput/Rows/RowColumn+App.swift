internal import StoreKitVerify
internal import WireFormats

/// The columns of app transactions and app receipts.
extension RowColumn {
    static let app: [RowColumn] = [
        .member(
            "appVersion", .of(.appTransaction, "applicationVersion"),
            receipt: .text("appVersion") { $0.appVersion }),
        .member(
            "appVersionID", .of(.appTransaction, "versionExternalIdentifier"),
            receipt: .identifier("appVersionID") { $0.appVersionID }),
        .member(
            "originalAppVersion", .of(.appTransaction, "originalApplicationVersion"),
            receipt: .text("originalAppVersion") { $0.originalAppVersion }),
        .member(
            "appOriginalPurchaseDate", .of(.appTransaction, "originalPurchaseDate"),
            receipt: .date("originalPurchaseDate") { $0.originalPurchaseDate }),
        .member("preorderDate", .of(.appTransaction, "preorderDate")),
        .member("appRevocationDate", .of(.appTransaction, "revocationDate")),
        .member("originalPlatform", .of(.appTransaction, "originalPlatform")),
        .member("storeType", .of(.appTransaction, "storeType")),
        .member(
            "requestDate", .of(.appTransaction, "requestDate", as: .date),
            receipt: .date("requestDate") { $0.requestDate }),
        .other("receiptExpirationDate", .timestamp, receipt: .date("expirationDate") { $0.expirationDate }),
        .other("receiptTransactions", .json),
        .member(
            "deviceVerification", .of(.transaction, "deviceVerification"),
            .of(.renewalInfo, "deviceVerification"), .of(.appTransaction, "deviceVerification"),
            receipt: .bytes("deviceVerification") { $0.deviceVerification }),
        .member(
            "deviceVerificationNonce", .of(.transaction, "deviceVerificationNonce", as: .uuid),
            .of(.renewalInfo, "deviceVerificationNonce", as: .uuid),
            .of(.appTransaction, "deviceVerificationNonce", as: .uuid),
            receipt: .bytes("deviceVerificationNonce") { $0.deviceVerificationNonce }),
    ]
}
