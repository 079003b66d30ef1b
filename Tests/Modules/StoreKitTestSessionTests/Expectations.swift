import StoreKitTestSession
import StoreKitVerify
import Testing

// Expectations of many tests. The compiler expands and checks their macros once, here, instead of in every line of a test.

/// The value of a member in JSON that a test expects.
enum MemberValue: Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case text(String)
    case number(Int)
    case other

    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(number) }

    fileprivate init(of value: Any) {
        if let text = value as? String {
            self = .text(text)
        } else if let number = value as? Int {
            self = .number(number)
        } else {
            self = .other
        }
    }
}

extension [String: Any] {
    /// Expects members with these values; `nil` for one that must not be there.
    func expect(
        _ members: KeyValuePairs<String, MemberValue?>, at location: SourceLocation = #_sourceLocation
    ) {
        for (name, expected) in members {
            let found = self[name].map { MemberValue(of: $0) }
            #expect(found == expected, "\(name)", sourceLocation: location)
        }
    }

    /// A text that must be there.
    func text(_ name: String, at location: SourceLocation = #_sourceLocation) throws -> String {
        try #require(self[name] as? String, "\(name)", sourceLocation: location)
    }

    /// A whole number that must be there.
    func number(_ name: String, at location: SourceLocation = #_sourceLocation) throws -> Int {
        try #require(self[name] as? Int, "\(name)", sourceLocation: location)
    }

    /// A list of objects that must be there.
    func list(_ name: String, at location: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
        try #require(self[name] as? [[String: Any]], "\(name)", sourceLocation: location)
    }

    /// A member that is an object; an empty one if there is none.
    func object(_ name: String) -> [String: Any] { self[name] as? [String: Any] ?? [:] }
}

extension SKTestSession {
    /// Expects the products of the customer's verified entitlements, in order.
    func expect(entitled products: [String], at location: SourceLocation = #_sourceLocation) async {
        let found = await self.entitled()
        #expect(found == products, sourceLocation: location)
    }

    /// Expects the state of the customer's subscription, and perhaps the products of the entitlements.
    func expect(
        _ state: Product.SubscriptionInfo.RenewalState?, _ comment: String = "",
        entitled products: [String]? = nil, at location: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await self.state()
        #expect(found == state, "\(comment)", sourceLocation: location)
        if let products { await expect(entitled: products, at: location) }
    }

    /// Expects that a purchase in the app is refused with an error of StoreKit's.
    func refuses<Failure: Error & Equatable>(
        _ failure: Failure, _ id: String, _ options: Set<Product.PurchaseOption> = [],
        at location: SourceLocation = #_sourceLocation
    ) async {
        do {
            _ = try await buy(id, options)
            Issue.record("\(id) is sold", sourceLocation: location)
        } catch {
            let found = error as? Failure
            #expect(found == failure, "\(error)", sourceLocation: location)
        }
    }
}

/// Expects that an action is refused with an `SKTestError` of a code, and with a sentence.
func refuses(
    _ code: SKTestError.Code, at location: SourceLocation = #_sourceLocation, _ action: () throws -> Void
) {
    do {
        try action()
        Issue.record("it is not refused", sourceLocation: location)
    } catch {
        guard let refusal = error as? SKTestError else {
            Issue.record("\(error)", sourceLocation: location)
            return
        }
        let isSentence = !refusal.description.isEmpty && !refusal.description.hasSuffix(".")
        #expect(refusal.code == code && isSentence, "\(refusal)", sourceLocation: location)
    }
}
