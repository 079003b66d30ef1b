package import SignedPayloads
internal import WireFormats

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
    ///   - token: returns the payload's token. `nil` makes values without tokens, which take a fifth of the memory.
    /// - Throws: `PayloadError` if a member is missing that a type requires.
    package static func all(
        in payload: VerifiedPayload, by verifier: StoreKitVerifier, token: (() -> String)?
    ) throws(PayloadError) -> [PurchaseValue] {
        switch payload.kind {
        case .transaction: return [.transaction(try verifier.value(of: payload, token?() ?? ""))]
        case .renewalInfo: return [.renewalInfo(try verifier.value(of: payload, token?() ?? ""))]
        case .appTransaction: return [.appTransaction(try verifier.value(of: payload, token?() ?? ""))]
        case .notification:
            var values: [PurchaseValue] = []
            for nested in payload.nested {
                do throws(PayloadError) {
                    values += try all(
                        in: nested.payload, by: verifier,
                        token: token.map { _ in { Self.token(at: nested.member, in: payload) } })
                } catch {
                    throw PayloadError(error.cause, member: nested.member)
                }
            }
            return values
        case .realtimeRequest, .receipt, .unknown: return []
        }
    }

    /// The token at a path of two names, for instance `data.signedTransactionInfo`.
    private static func token(at path: String, in payload: VerifiedPayload) -> String {
        let names = path.split(separator: ".").map { String($0) }
        guard names.count == 2,
            let fields = try? PayloadFields(payload.json, names: MemberNames([names[0]])),
            let part = fields.object(names[0], names: MemberNames([names[1]]))
        else { return "" }
        return part.string(names[1]) ?? ""
    }
}

extension PurchaseHistory {
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
