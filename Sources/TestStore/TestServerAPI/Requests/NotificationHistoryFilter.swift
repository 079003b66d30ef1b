internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// Which notifications a request for the history asks for.
///
/// The rules are those of Apple's page "Get Notification History": a customer or a type, not both, within 180 days.
struct NotificationHistoryFilter {
    /// When notifications were signed, in milliseconds, without the end.
    private let dates: Range<Int>
    private let type: String?
    private let subtype: String?
    private let onlyFailures: Bool
    private let appTransactionID: UInt64?

    /// Apple keeps notifications for 180 days, and those of the Sandbox for 30.
    private static func longestTime(in environment: AppStore.Environment) -> Int {
        (environment == .sandbox ? 30 : 180) * 86_400_000
    }

    /// Reads the request's body. A value that Apple refuses is refused with Apple's error.
    init(_ body: JSONTree, in simulation: Simulation) throws(ServerAPIError) {
        guard let start = body["startDate"]?.wholeNumber, start >= 0 else { throw .invalidStartDate }
        guard let end = body["endDate"]?.wholeNumber, end >= 0 else { throw .invalidEndDate }
        guard start < end else { throw .startDateAfterEndDate }
        guard start >= simulation.now - Self.longestTime(in: simulation.signer.environment) else {
            throw .startDateTooFarInPast
        }
        dates = start..<end
        let transaction = body.present("transactionId")
        type = try Self.name(body.present("notificationType"))
        subtype = try Self.name(body.present("notificationSubtype"))
        guard transaction == nil || type == nil && subtype == nil else { throw .multipleFiltersSupplied }
        try Self.check(type, subtype)
        switch body.present("onlyFailures") {
        case nil: onlyFailures = false
        case .bool(let value): onlyFailures = value
        default: throw .generalBadRequest
        }
        if let transaction {
            let identifier = try ServerAPICall.identifier(
                transaction.stringValue ?? "", else: .invalidTransactionID)
            let customer = try ServerAPICall.customer(of: identifier, in: simulation)
            appTransactionID = simulation.customers[customer].appTransactionID
        } else {
            appTransactionID = nil
        }
    }

    /// The type and the subtype are texts; any other value gets the error of an unknown name.
    private static func name(_ value: JSONTree?) throws(ServerAPIError) -> String? {
        guard let value else { return nil }
        guard let name = value.stringValue else { throw .invalidNotificationType }
        return name
    }

    /// A subtype is asked for with its type alone.
    private static func check(_ type: String?, _ subtype: String?) throws(ServerAPIError) {
        guard let type else {
            guard subtype == nil else { throw .invalidNotificationType }
            return
        }
        guard let subtypes = pairs[type], subtype.map(subtypes.contains) ?? true else {
            throw .invalidNotificationType
        }
    }

    /// The subtypes of each type.
    private static let pairs: [String: Set<String>] = [
        "SUBSCRIBED": ["INITIAL_BUY", "RESUBSCRIBE"], "DID_CHANGE_RENEWAL_PREF": ["UPGRADE", "DOWNGRADE"],
        "DID_CHANGE_RENEWAL_STATUS": ["AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED"],
        "OFFER_REDEEMED": ["INITIAL_BUY", "RESUBSCRIBE", "UPGRADE", "DOWNGRADE"],
        "DID_RENEW": ["BILLING_RECOVERY"],
        "EXPIRED": ["VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE"],
        "DID_FAIL_TO_RENEW": ["GRACE_PERIOD"], "GRACE_PERIOD_EXPIRED": [],
        "PRICE_INCREASE": ["PENDING", "ACCEPTED"], "REFUND": [], "REFUND_DECLINED": [],
        "REFUND_REVERSED": [], "REVOKE": [], "CONSUMPTION_REQUEST": [], "RENEWAL_EXTENDED": [],
        "RENEWAL_EXTENSION": ["SUMMARY", "FAILURE"], "ONE_TIME_CHARGE": [], "TEST": [],
        "EXTERNAL_PURCHASE_TOKEN": ["CREATED", "UNREPORTED", "ACTIVE_TOKEN_REMINDER"],
        "RESCIND_CONSENT": [], "METADATA_UPDATE": [], "MIGRATION": [], "PRICE_CHANGE": [],
    ]

    /// Whether a notification passes every filter.
    func contains(_ entry: NotificationHistory.Entry) -> Bool {
        let notification = entry.notification
        return dates.contains(notification.date.milliseconds)
            && (type == nil || type == notification.type.rawValue)
            && (subtype == nil || subtype == notification.subtype?.rawValue)
            && (appTransactionID == nil || appTransactionID == notification.appTransactionID)
            && !(onlyFailures && entry.hasArrived)
    }

    /// A number that tells filters apart, for the tokens of pages.
    var digest: UInt64 {
        let text =
            "\(dates) \(type ?? "") \(subtype ?? "") \(onlyFailures) \(appTransactionID.map { String($0) } ?? "")"
        // FNV-1a. It is no protection: a client that forges a token only gets another page.
        return text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
