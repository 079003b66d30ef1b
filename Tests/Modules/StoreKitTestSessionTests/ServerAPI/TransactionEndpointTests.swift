import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Transaction info, app transaction, account token, finish, order lookup.
@Suite struct TransactionEndpointTests {
    private static let transactions = "/inApps/v1/transactions"

    @Test func `a purchase is found by its number, its order and its customer, and finished`() throws {
        let scene = try ServerAPIScene()
        let bought = try scene.event("buy $consumable quantity=3")
        let id = try bought.text("transactionId")
        let info = try scene.get("\(Self.transactions)/\(id)")["signedTransactionInfo"]
        let transaction = try scene.transaction(info)
        #expect(String(transaction.id) == id && transaction.purchasedQuantity == 3)
        let token = try scene.get("\(Self.transactions)/appTransactions/\(id)").text(
            "signedAppTransactionInfo")
        let app = try StoreKitVerifier(scene.store.verifier).appTransaction(token).payloadValue
        #expect(try app.appTransactionID == bought.text("appTransactionId"))
        let found = try scene.get("/inApps/v1/lookup/\(try bought.text("orderId"))")
        found.expect(["status": 0])
        #expect(try scene.identifiers(found["signedTransactions"]) == [id])
        for unknown in ["M1", "ABC", "M", "MZZZZZZZZZZZZZZZZZZZZ"] {
            try scene.get("/inApps/v1/lookup/\(unknown)").expect(["status": 1, "signedTransactions": nil])
        }
        for wrong in ["a_b", "a%2fb", String(repeating: "A", count: 65)] {
            try scene.refuses(4_000_000, "GET", "/inApps/v1/lookup/\(wrong)")
        }
        // A finished consumable leaves the first version of the history alone.
        try scene.succeed("POST", "\(Self.transactions)/\(id)/finish")
        #expect(try scene.identifiers(scene.get("/inApps/v1/history/\(id)")["signedTransactions"]) == [])
        #expect(try scene.identifiers(scene.get("/inApps/v2/history/\(id)")["signedTransactions"]) == [id])
    }

    private static let paths: [(String, String, Bool)] = [
        ("GET", "/inApps/v1/transactions/ID", true), ("POST", "/inApps/v1/transactions/ID/finish", true),
        ("PUT", "/inApps/v2/transactions/consumption/ID", true),
        ("PUT", "/inApps/v1/transactions/consumption/ID", true),
        ("GET", "/inApps/v2/history/ID", false), ("GET", "/inApps/v1/history/ID", false),
        ("GET", "/inApps/v1/subscriptions/ID", false), ("GET", "/inApps/v2/refund/lookup/ID", false),
        ("GET", "/inApps/v1/refund/lookup/ID", false),
        ("GET", "/inApps/v1/transactions/appTransactions/ID", false),
    ]

    @Test(
        "a path with an identifier that is unknown, no number, or the download's is refused", arguments: paths
    )
    func refusesIdentifiers(_ method: String, _ path: String, refusesDownloads: Bool) throws {
        let scene = try ServerAPIScene()
        let download = try scene.event("buy $consumable").text("appTransactionId")
        try scene.refuses(4_040_010, method, path.replacing("ID", with: "1"))
        for wrong in ["abc", "-1", "99999999999999999999"] {
            try scene.refuses(4_000_006, method, path.replacing("ID", with: wrong))
        }
        if refusesDownloads {
            try scene.refuses(4_000_048, method, path.replacing("ID", with: download))
        } else {
            try scene.succeed(method, path.replacing("ID", with: download))
        }
    }

    @Test func `an account token is set for the present period and for renewals`() throws {
        let scene = try ServerAPIScene()
        let id = try scene.buy("$subscription")
        try scene.store.advance(to: ServerAPIScene.start.addingTimeInterval(40 * 86_400))
        let token = "5c1b0c63-7a3c-4a3b-8a53-1f9be2f0a111"
        let path = "\(Self.transactions)/\(id)/appAccountToken"
        try scene.succeed("PUT", path, #"{"appAccountToken":"\#(token)"}"#)
        try scene.store.advance(to: ServerAPIScene.start.addingTimeInterval(70 * 86_400))
        let history = try scene.get("/inApps/v2/history/\(id)")["signedTransactions"]
        let transactions = try #require(history as? [String]).map { try scene.transaction($0) }
        let byDate = transactions.sorted { $0.purchaseDate < $1.purchaseDate }
        #expect(byDate.map { $0.appAccountToken != nil } == [false, false, true, true])
        #expect(byDate.last?.appAccountToken?.uuidString.lowercased() == token)
    }

    @Test func `an account token is refused for what is no UUID, no original, or the family's`() throws {
        let scene = try ServerAPIScene()
        let id = try scene.buy("$shareable")
        let shared = try scene.event("anna: share with=ben")
        let (member, download) = (try shared.text("transactionId"), try shared.text("appTransactionId"))
        let body = #"{"appAccountToken":"5c1b0c63-7a3c-4a3b-8a53-1f9be2f0a111"}"#
        func refuses(_ code: Int, _ id: String, _ body: String) throws {
            try scene.refuses(code, "PUT", "\(Self.transactions)/\(id)/appAccountToken", body)
        }
        try refuses(4_000_183, id, #"{"appAccountToken":"anna"}"#)
        try refuses(4_000_183, id, "{}")
        try refuses(4_000_000, id, "nonsense")
        try refuses(4_000_185, member, body)
        try refuses(4_040_005, "1", body)
        try refuses(4_000_006, "x", body)
        try refuses(4_000_048, download, body)
        try scene.store.advance(to: ServerAPIScene.start.addingTimeInterval(40 * 86_400))
        let history = try scene.identifiers(scene.get("/inApps/v2/history/\(id)")["signedTransactions"])
        let renewal = try #require(history.first { $0 != id })
        try refuses(4_000_187, renewal, body)
    }

    @Test func `an error has Apple's message`() throws {
        let scene = try ServerAPIScene()
        let response = try scene.send("GET", "\(Self.transactions)/1")
        let expected = #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#
        #expect(String(decoding: response.body, as: UTF8.self) == expected)
        #expect(response.status == 404)
    }
}
