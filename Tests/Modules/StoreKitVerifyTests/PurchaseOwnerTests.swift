import Foundation
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Whose a purchase is: the payloads about the present period decide, in whatever order they come.
@Suite struct PurchaseOwnerTests {
    private static let (a, b) = (
        "aaaaaaaa-0000-4000-8000-00000000000a", "bbbbbbbb-0000-4000-8000-00000000000b"
    )

    /// A life: payloads, and the token and the download that own the purchase afterwards.
    struct Life: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let payloads: [Payload]
        let token: String?
        var download = "704"

        /// Renewal information alone makes no purchase.
        var hasOnlyPeriods: Bool {
            payloads.allSatisfy { if case .period = $0 { true } else { false } }
        }
    }

    enum Payload: Sendable {
        /// A period of a subscription: its number, the days of its beginning and of the signature, and its names.
        case period(Int, signed: Int, token: String?, download: String = "704", seats: Bool = false)
        case renewalInfo(signed: Int, token: String?, download: String = "")

        private static func names(_ token: String?, _ download: String) -> [String: String] {
            var names = download.isEmpty ? [:] : ["appTransactionId": "\"\(download)\""]
            if let token { names["appAccountToken"] = "\"\(token)\"" }
            return names
        }

        func apply(to store: InMemoryTransactionStore) async throws {
            switch self {
            case .period(let number, let signed, let token, let download, let seats):
                let start = number * 30 + (seats ? 10 : 0)
                var members = Self.names(token, download)
                if seats { members["additionalTransactionReason"] = #""SEATS_ADDED""# }
                let payload = Signed.transactionPayload(
                    id: number * 10 + (seats ? 2 : 1), original: 1, purchased: start,
                    expires: number * 30 + 30,
                    signed: signed, members)
                try await store.apply(Signed.transaction(payload))
            case .renewalInfo(let signed, let token, let download):
                let payload = Signed.renewalPayload(
                    original: 1, signed: signed, Self.names(token, download))
                try await store.apply(Signed.renewalInfo(payload))
            }
        }
    }

    static let lives = [
        Life(
            testDescription: "an old transaction that is looked up later",
            payloads: [
                .period(0, signed: 0, token: b), .period(2, signed: 60, token: a),
                .period(0, signed: 61, token: b),
            ], token: a),
        Life(
            testDescription: "an old renewal info that is signed before the new owner buys",
            payloads: [
                .period(0, signed: 0, token: b), .renewalInfo(signed: 31, token: b),
                .period(2, signed: 60, token: a),
            ], token: a),
        Life(
            testDescription: "Set App Account Token for the present transaction",
            payloads: [.period(0, signed: 0, token: a), .period(0, signed: 10, token: b)], token: b),
        Life(
            testDescription: "a transaction whose token is missing in its last payload",
            payloads: [.period(0, signed: 0, token: a), .period(0, signed: 10, token: nil)], token: a),
        Life(
            testDescription: "a renewal without a token",
            payloads: [.period(0, signed: 0, token: a), .period(1, signed: 30, token: nil)], token: a),
        Life(
            testDescription: "a renewal without a token, after a change of the token in the period before",
            payloads: [
                .period(0, signed: 0, token: a), .period(0, signed: 5, token: b),
                .period(1, signed: 30, token: nil), .period(0, signed: 3, token: a),
            ], token: b),
        Life(
            testDescription: "a renewal whose renewal information alone has the token",
            payloads: [
                .period(0, signed: 0, token: b), .period(1, signed: 30, token: nil),
                .renewalInfo(signed: 31, token: a),
            ], token: a),
        Life(
            testDescription: "renewal information against its transaction",
            payloads: [.period(0, signed: 0, token: a), .renewalInfo(signed: 5, token: b)], token: a),
        Life(
            testDescription: "seats that were added stand for the same period",
            payloads: [
                .period(0, signed: 0, token: a), .period(0, signed: 10, token: a, seats: true),
                .period(0, signed: 12, token: b),
            ], token: b),
        Life(
            testDescription: "a download of another Apple Account",
            payloads: [
                .period(0, signed: 0, token: b, download: "705"), .period(2, signed: 60, token: a),
                .period(0, signed: 61, token: b, download: "705"),
            ], token: a),
        Life(
            testDescription: "no token at all",
            payloads: [.period(0, signed: 0, token: nil), .renewalInfo(signed: 2, token: nil)], token: nil),
    ]

    @Test(arguments: lives) func `the payloads about the present period decide`(_ life: Life) async throws {
        for order in Self.orders(of: life.payloads) {
            let store = InMemoryTransactionStore()
            for payload in order + order.prefix(1) { try await payload.apply(to: store) }
            let purchase = try #require(try await store.history(of: .everyone).purchases.first)
            #expect(purchase.appAccountToken?.uuidString.lowercased() == life.token)
            #expect(purchase.appTransactionID == life.download)
            for name in [Self.a, Self.b] {
                let customer = Customer.appAccountToken(try #require(UUID(uuidString: name)))
                #expect(try await store.history(of: customer).purchases.count == (name == life.token ? 1 : 0))
            }
        }
    }

    /// The owner is the same in a history that is made of other histories' purchases.
    @Test(arguments: lives.filter(\.hasOnlyPeriods)) func `purchases that are merged have the same owner`(
        _ life: Life
    ) async throws {
        var chains: [PurchaseChain] = []
        for payload in life.payloads {
            let store = InMemoryTransactionStore()
            try await payload.apply(to: store)
            chains += try await store.history(of: .everyone).purchases
        }
        #expect(chains.count == life.payloads.count)
        for order in Self.orders(of: chains) {
            let purchase = PurchaseHistory(order).purchases.first
            #expect(purchase?.appAccountToken?.uuidString.lowercased() == life.token)
        }
    }

    private static func orders<Element>(of list: [Element]) -> [[Element]] {
        guard list.count > 1 else { return [list] }
        return list.indices.flatMap { place in
            var rest = list
            let first = rest.remove(at: place)
            return orders(of: rest).map { [first] + $0 }
        }
    }
}
