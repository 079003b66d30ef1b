import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Transaction info, app transaction, account token, finish, order lookup.
@Suite struct TransactionEndpointTests {
    private static let transactions = "/inApps/v1/transactions"

    @Test func `transaction info is the signed transaction`() throws {
        let scene = try ServerAPIScene()
        let id = try scene.buy("$consumable", options: "quantity=3")
        let answer = try scene.get("\(Self.transactions)/\(id)")
        let transaction = try scene.transaction(answer["signedTransactionInfo"])
        #expect(String(transaction.id) == id)
        #expect(transaction.purchasedQuantity == 3)
    }

    @Test(
        "a path with an identifier that is unknown, no number, or the download's is refused",
        arguments: [
            ("GET", "/inApps/v1/transactions/ID", true), ("POST", "/inApps/v1/transactions/ID/finish", true),
            ("PUT", "/inApps/v2/transactions/consumption/ID", true),
            ("PUT", "/inApps/v1/transactions/consumption/ID", true),
            ("GET", "/inApps/v2/history/ID", false), ("GET", "/inApps/v1/history/ID", false),
            ("GET", "/inApps/v1/subscriptions/ID", false), ("GET", "/inApps/v2/refund/lookup/ID", false),
            ("GET", "/inApps/v1/refund/lookup/ID", false),
            ("GET", "/inApps/v1/transactions/appTransactions/ID", false),
        ])
    func refusesIdentifiers(_ method: String, _ path: String, refusesDownloads: Bool) throws {
        let scene = try ServerAPIScene()
        let bought = try scene.events("buy $consumable")
        let download = try #require(bought[0]["appTransactionId"] as? String)
        let code = { (id: String) in try scene.errorCode(method, path.replacing("ID", with: id)) }
        #expect(try code("1") == 4_040_010)
        #expect(try code("abc") == 4_000_006)
        #expect(try code("-1") == 4_000_006)
        #expect(try code("99999999999999999999") == 4_000_006)
        if refusesDownloads {
            #expect(try code(download) == 4_000_048)
        } else {
            try scene.succeed(method, path.replacing("ID", with: download))
        }
    }

    @Test func `the app transaction is that of the customer`() throws {
        let scene = try ServerAPIScene()
        let bought = try scene.events("buy $consumable")
        let id = try #require(bought[0]["transactionId"] as? String)
        let answer = try scene.get("\(Self.transactions)/appTransactions/\(id)")
        let token = try #require(answer["signedAppTransactionInfo"] as? String)
        let app = try StoreKitVerifier(scene.store.verifier).appTransaction(token).payloadValue
        #expect(app.appTransactionID == bought[0]["appTransactionId"] as? String)
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
        let shared = try scene.events("anna: share with=ben")
        let member = try #require(shared[0]["transactionId"] as? String)
        let download = try #require(shared[0]["appTransactionId"] as? String)
        let body = #"{"appAccountToken":"5c1b0c63-7a3c-4a3b-8a53-1f9be2f0a111"}"#
        let code = { (id: String, body: String) in
            try scene.errorCode("PUT", "\(Self.transactions)/\(id)/appAccountToken", body)
        }
        #expect(try code(id, #"{"appAccountToken":"anna"}"#) == 4_000_183)
        #expect(try code(id, "{}") == 4_000_183)
        #expect(try code(id, "nonsense") == 4_000_000)
        #expect(try code(member, body) == 4_000_185)
        #expect(try code("1", body) == 4_040_005)
        #expect(try code("x", body) == 4_000_006)
        #expect(try code(download, body) == 4_000_048)
        try scene.store.advance(to: ServerAPIScene.start.addingTimeInterval(40 * 86_400))
        let history = try scene.identifiers(scene.get("/inApps/v2/history/\(id)")["signedTransactions"])
        let renewal = try #require(history.first { $0 != id })
        #expect(try code(renewal, body) == 4_000_187)
    }

    @Test func `a finished consumable leaves the first version of the history alone`() throws {
        let scene = try ServerAPIScene()
        let id = try scene.buy("$consumable")
        try scene.succeed("POST", "\(Self.transactions)/\(id)/finish")
        #expect(try scene.identifiers(scene.get("/inApps/v1/history/\(id)")["signedTransactions"]) == [])
        #expect(try scene.identifiers(scene.get("/inApps/v2/history/\(id)")["signedTransactions"]) == [id])
    }

    @Test func `an order is found by its number, and an unknown number finds no order`() throws {
        let scene = try ServerAPIScene()
        let bought = try scene.events("buy $consumable")
        let order = try #require(bought[0]["orderId"] as? String)
        let found = try scene.get("/inApps/v1/lookup/\(order)")
        #expect(found["status"] as? Int == 0)
        #expect(try scene.identifiers(found["signedTransactions"]) == [bought[0]["transactionId"] as? String])
        for unknown in ["M1", "ABC", "M", "MZZZZZZZZZZZZZZZZZZZZ"] {
            let other = try scene.get("/inApps/v1/lookup/\(unknown)")
            #expect(other["status"] as? Int == 1)
            #expect(other["signedTransactions"] == nil)
        }
        #expect(try scene.errorCode("GET", "/inApps/v1/lookup/a_b") == 4_000_000)
        #expect(try scene.errorCode("GET", "/inApps/v1/lookup/a%2fb") == 4_000_000)
        #expect(
            try scene.errorCode("GET", "/inApps/v1/lookup/\(String(repeating: "A", count: 65))") == 4_000_000)
    }

    @Test func `an error has Apple's message`() throws {
        let scene = try ServerAPIScene()
        let response = try scene.send("GET", "\(Self.transactions)/1")
        let expected = #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#
        #expect(String(decoding: response.body, as: UTF8.self) == expected)
        #expect(response.status == 404)
    }
}
