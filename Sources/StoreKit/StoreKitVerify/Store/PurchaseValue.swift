package import SignedPayloads

/// A signed value about a customer's purchases, of whatever kind.
package enum PurchaseValue: Sendable {
    case transaction(Transaction)
    case renewalInfo(Product.SubscriptionInfo.RenewalInfo)
    case appTransaction(AppTransaction)

    /// The values of a verified payload: its own, or those of the payloads inside a notification. Other kinds have
    /// none.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - verifier: makes the values.
    ///   - keepsTokens: whether the values keep their tokens. Without them they take a fifth of the memory.
    /// - Throws: `PayloadError` if a member is missing that a type requires.
    package static func all(
        in payload: VerifiedPayload, by verifier: StoreKitVerifier, keepsTokens: Bool
    ) throws(PayloadError) -> [PurchaseValue] {
        let content = SignedContent(payload, keepsToken: keepsTokens)
        switch payload.kind {
        case .transaction: return [.transaction(try Transaction(content, verifier: verifier))]
        case .renewalInfo: return [.renewalInfo(try .init(content, verifier: verifier))]
        case .appTransaction: return [.appTransaction(try AppTransaction(content, verifier: verifier))]
        case .notification:
            var values: [PurchaseValue] = []
            for nested in payload.nested {
                do throws(PayloadError) {
                    try check(nested)
                    values += try all(in: nested.payload, by: verifier, keepsTokens: keepsTokens)
                } catch {
                    throw PayloadError(error.cause, member: nested.member)
                }
            }
            return values
        case .realtimeRequest, .receipt, .unknown: return []
        }
    }
}

extension PurchaseValue {
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
        }
    }

    /// The app's bundle identifier; `nil` for renewal information, which names no app.
    package var bundleID: String? {
        switch self {
        case .transaction(let value): value.appBundleID
        case .renewalInfo: nil
        case .appTransaction(let value): value.bundleID
        }
    }

    /// The environment that signed the payload.
    package var environment: AppStore.Environment {
        switch self {
        case .transaction(let value): value.environment
        case .renewalInfo(let value): value.environment
        case .appTransaction(let value): value.environment
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
        }
    }
}
