/// The sales outside a simulated App Store: the tokens that an app's server reports them by.
///
/// Between two changes, this holds:
/// - Each token is found by its own identifier.
/// - A customer's latest token is among all tokens. No other customer has it.
/// - A token expires after its creation.
package struct ExternalPurchaseLedger: Sendable {
    /// A token, as a notification names it.
    package struct Token: Hashable, Sendable {
        /// In the Sandbox it begins with `SANDBOX`.
        let id: String
        /// In milliseconds since 1970.
        package let creationDate: Int
        /// In milliseconds since 1970.
        package let expirationDate: Int
    }

    private var tokens: [String: Token] = [:]
    /// The identifier of each customer's latest token.
    private var latest: [CustomerPlace: String] = [:]

    package subscript(id: String) -> Token? { tokens[id] }

    func latestToken(of customer: CustomerPlace) -> Token? { latest[customer].flatMap { tokens[$0] } }

    mutating func add(_ token: Token, of customer: CustomerPlace) {
        tokens[token.id] = token
        latest[customer] = token.id
    }

    /// The first invariant that does not hold; `nil` if all hold.
    package func violation() -> String? {
        guard tokens.allSatisfy({ $0 == $1.id }) else { return "a token is found by another identifier" }
        guard latest.values.allSatisfy({ tokens[$0] != nil }), Set(latest.values).count == latest.count else {
            return "a customer's latest token is missing, or another customer's"
        }
        guard tokens.values.allSatisfy({ $0.creationDate < $0.expirationDate }) else {
            return "a token expires before it was made"
        }
        return nil
    }
}
