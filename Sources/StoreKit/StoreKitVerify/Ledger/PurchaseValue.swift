package import SignedPayloads
internal import WireFormats

/// A signed value about a customer's purchases, of whatever kind.
package indirect enum PurchaseValue: Sendable {
    case transaction(Transaction)
    case renewalInfo(Product.SubscriptionInfo.RenewalInfo)
    case appTransaction(AppTransaction)
    /// The word of a notification, which is kept as it was signed.
    case announcedGrace(AnnouncedGrace)

    /// The values of a verified payload: its own, those of the payloads inside a notification, or the purchases that a receipt
    /// lists. Other kinds have none.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - verifier: makes the values.
    ///   - keepsTokens: whether the values keep their tokens. Without them they take a fifth of the memory.
    /// - Throws: `PayloadError` if a member is missing that a type requires.
    package static func all(
        in payload: VerifiedPayload, by verifier: StoreKitVerifier, keepsTokens: Bool
    ) throws(PayloadError) -> [PurchaseValue] {
        try sources(in: payload, by: verifier, keepsTokens: keepsTokens).map(\.value)
    }

    private static let envelope = (names: MemberNames(["data"]), inData: MemberNames(["environment"]))

    /// The environment of a notification about a purchase.
    private static func environment(of notification: VerifiedPayload) -> AppStore.Environment? {
        let fields = try? PayloadFields(notification.json, names: envelope.names)
        return fields?.object("data", names: envelope.inData)?.string("environment")
            .map(AppStore.Environment.init(rawValue:))
    }

    /// As `all(in:by:keepsTokens:)`, each with the payload that it was read from.
    package static func sources(
        in payload: VerifiedPayload, by verifier: StoreKitVerifier, keepsTokens: Bool
    ) throws(PayloadError) -> [(value: PurchaseValue, source: VerifiedPayload)] {
        try sources(in: payload, of: nil, by: verifier, keepsTokens)
    }

    /// - Parameter envelope: the notification that holds the payload.
    private static func sources(
        in payload: VerifiedPayload, of envelope: VerifiedPayload?, by verifier: StoreKitVerifier,
        _ keepsTokens: Bool
    ) throws(PayloadError) -> [(value: PurchaseValue, source: VerifiedPayload)] {
        if let receipt = AppReceipt(payload) {
            return receipt.transactions.compactMap { Transaction($0, in: receipt) }
                .map { (value: .transaction($0), source: payload) }
        }
        let content = SignedContent(payload, keepsToken: keepsTokens)
        guard payload.kind == .notification else {
            var value = try PurchaseValue(content, payload.kind, by: verifier)
            if let envelope, let found = value, found.environment.rawValue.isEmpty {
                let content = SignedContent(payload, keepsToken: keepsTokens, in: environment(of: envelope))
                value = try PurchaseValue(content, payload.kind, by: verifier)
            }
            return value.map { [(value: $0, source: payload)] } ?? []
        }
        var found: [(value: PurchaseValue, source: VerifiedPayload)] = []
        for nested in payload.nested {
            do throws(PayloadError) {
                try check(nested)
                found += try sources(in: nested.payload, of: payload, by: verifier, keepsTokens)
            } catch {
                throw PayloadError(error.cause, member: nested.member)
            }
        }
        let announced = announcement(content, found.map(\.value), by: verifier)
        return found + announced.map { (value: $0, source: payload) }
    }

    /// The value of a payload that is one by itself; `nil` for other kinds.
    private init?(
        _ content: SignedContent, _ kind: SignedPayloadKind, by verifier: StoreKitVerifier
    ) throws(PayloadError) {
        switch kind {
        case .transaction: self = .transaction(try Transaction(content, verifier: verifier))
        case .renewalInfo: self = .renewalInfo(try .init(content, verifier: verifier))
        case .appTransaction: self = .appTransaction(try AppTransaction(content, verifier: verifier))
        case .notification, .realtimeRequest, .receipt, .unknown: return nil
        }
    }

    /// The value of a payload that was verified at another time; `nil` if it is no such payload.
    ///
    /// - Parameter verifier: makes the value. Nothing is verified here.
    package init?(json: [UInt8], kind: SignedPayloadKind, by verifier: StoreKitVerifier) {
        guard let value = try? PurchaseValue(SignedContent(json: json), kind, by: verifier) else {
            return nil
        }
        self = value
    }
}

extension PurchaseValue {
    /// The announcement of a notification by itself.
    ///
    /// It is read only if the renewal information in it says that a renewal failed and gives no date, which is rare.
    private static func announcement(
        _ content: SignedContent, _ values: [PurchaseValue], by verifier: StoreKitVerifier
    ) -> [PurchaseValue] {
        let isSettled = values.contains { value in
            guard case .renewalInfo(let info) = value else { return false }
            return info.gracePeriodExpirationDate != nil
                || !info.isInBillingRetry && info.renewalDate.map { info.signedDate < $0 } ?? false
        }
        guard !isSettled, let notification = try? ServerNotification(content, verifier: verifier) else {
            return []
        }
        return AnnouncedGrace(notification).map { [.announcedGrace($0)] } ?? []
    }

    /// A transaction in the place of renewal information would displace the real one.
    private static func check(_ nested: VerifiedPayload.Nested) throws(PayloadError) {
        let expected = ServerNotification.signed.first { $0.path == nested.member }?.kind
        let kind = nested.payload.kind
        guard kind == expected || kind == .unknown else {
            throw PayloadError(
                .memberType(
                    nested.member, found: "a payload of the type \(kind.rawValue)",
                    expected: "one of the type \(expected?.rawValue ?? "unknown")"))
        }
    }
}

extension PurchaseValue {
    /// The customers' names that the payload itself gives.
    package var customers: [Customer.Name] {
        switch self {
        case .transaction(let value): value.customers
        case .renewalInfo(let value): value.customers
        case .appTransaction(let value):
            value.appTransactionID.isEmpty ? [] : [.appTransactionID(value.appTransactionID)]
        case .announcedGrace(let value): value.customers
        }
    }

    /// The app's bundle identifier; `nil` for renewal information, which names no app.
    package var bundleID: String? {
        switch self {
        case .transaction(let value): value.appBundleID
        case .renewalInfo: nil
        case .appTransaction(let value): value.bundleID
        case .announcedGrace(let value): value.purchase.appBundleID
        }
    }

    /// Whether the payload names no environment, and has that of the notification that carried it.
    package var hasEnvironmentOfEnvelope: Bool {
        switch self {
        case .transaction(let value): value.hasEnvironmentOfEnvelope
        case .renewalInfo(let value): value.hasEnvironmentOfEnvelope
        case .appTransaction, .announcedGrace: false
        }
    }

    /// The environment that signed the payload.
    package var environment: AppStore.Environment {
        switch self {
        case .transaction(let value): value.environment
        case .renewalInfo(let value): value.environment
        case .appTransaction(let value): value.environment
        case .announcedGrace(let value): value.purchase.environment
        }
    }
}

extension PurchaseHistory {
    /// Whether a value counts among these purchases.
    package func has(_ value: PurchaseValue) -> Bool {
        switch value {
        case .transaction(let value): purchase(of: value) != nil
        case .renewalInfo(let value): hasPurchase(value.originalTransactionID)
        case .appTransaction(let value):
            appTransactions.contains {
                $0.appTransactionID == value.appTransactionID && $0.bundleID == value.bundleID
                    && $0.environment == value.environment
            }
        case .announcedGrace(let value): hasPurchase(value.purchase.originalTransactionID)
        }
    }

    /// Adds a value, in constant time.
    ///
    /// - Returns: whether it brought anything new.
    @discardableResult
    package mutating func add(_ value: PurchaseValue) -> Bool {
        switch value {
        case .transaction(let value): (try? add(.verified(value))) ?? false
        case .renewalInfo(let value): (try? add(.verified(value))) ?? false
        case .appTransaction(let value): (try? add(.verified(value))) ?? false
        case .announcedGrace(let value): add(value)
        }
    }
}
