import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// A subscription that an app's server can manage, and a client of the endpoints.
struct AdvancedCommerceScene {
    let scene: ServerAPIScene
    let id: String

    /// - Parameter items: the SKUs of the subscription; none if it is not managed yet.
    init(items: [String] = ["plant"], environment: AppStore.Environment = .sandbox) throws {
        scene = try ServerAPIScene(environment: environment)
        id = try scene.buy(Garden.premium)
        guard !items.isEmpty else { return }
        try succeed("migrate", try Self.migration(items))
        _ = scene.store.takeNotifications()
    }

    // MARK: - Bodies

    /// A body with a new `requestInfo`. The server takes a member that is `null` as absent.
    static func body(_ members: String = "{}") throws -> [String: Any] {
        var body = try #require(
            try JSONSerialization.jsonObject(with: Data(members.utf8)) as? [String: Any])
        body["requestInfo"] = ["requestReferenceId": UUID().uuidString]
        return body
    }

    static func migration(_ skus: [String]) throws -> [String: Any] {
        var body = try body(
            #"""
            {"targetProductId":"generic","taxCode":"C003-00-2",
             "descriptors":{"displayName":"Garden","description":"All plants"}}
            """#)
        body["items"] = skus.map { ["SKU": $0, "displayName": "The \($0)", "description": "A \($0)"] }
        return body
    }

    /// A good body of each endpoint, for the item `plant`.
    static func good(_ endpoint: String) throws -> [String: Any] {
        switch endpoint {
        case "changeMetadata":
            try body(#"{"items":[{"currentSKU":"plant","effective":"IMMEDIATELY","displayName":"Fern"}]}"#)
        case "changePrice": try body(#"{"items":[{"SKU":"plant","price":99990}]}"#)
        case "migrate": try migration(["plant"])
        case "revoke":
            try body(#"{"refundReason":"LEGAL","refundRiskingPreference":false,"refundType":"FULL"}"#)
        case "requestRefund":
            try body(
                #"""
                {"refundRiskingPreference":false,
                 "items":[{"SKU":"plant","refundReason":"LEGAL","refundType":"FULL","revoke":false}]}
                """#)
        default: try body()
        }
    }

    // MARK: - Requests

    func send(
        _ endpoint: String, _ body: [String: Any], id: String? = nil
    ) throws -> ServerAPIResponse {
        let folder = endpoint == "requestRefund" ? "transaction" : "subscription"
        let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        return try scene.send("POST", "/advancedCommerce/v1/\(folder)/\(endpoint)/\(id ?? self.id)", text)
    }

    /// The transaction and the renewal information of an answer that must succeed.
    @discardableResult
    func succeed(
        _ endpoint: String, _ body: [String: Any], id: String? = nil
    ) throws -> (transaction: Transaction, renewal: Product.SubscriptionInfo.RenewalInfo) {
        let response = try send(endpoint, body, id: id)
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        let object = try scene.object(response)
        let renewal = try object.text("signedRenewalInfo")
        return (
            try scene.transaction(object["signedTransactionInfo"]),
            try StoreKitVerifier(scene.store.verifier).renewalInfo(renewal).payloadValue
        )
    }

    /// Sends a request that must be refused with a code of Apple's.
    func refuses(
        _ code: Int, _ endpoint: String, _ body: [String: Any], id: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try scene.errorCode(of: send(endpoint, body, id: id))
        #expect(found == code, "\(endpoint)", sourceLocation: location)
    }

    /// Expects the types of the notifications since the last call.
    func expect(_ names: [String], at location: SourceLocation = #_sourceLocation) {
        let found = scene.store.takeNotifications().map(\.name)
        #expect(found == names, sourceLocation: location)
    }

    /// Expects the status of the subscription.
    func expect(status: Int, at location: SourceLocation = #_sourceLocation) throws {
        let found = try self.status()
        #expect(found == status, sourceLocation: location)
    }

    /// The present transaction.
    func transaction(_ id: String? = nil) throws -> Transaction {
        try scene.transaction(
            try scene.get("/inApps/v1/transactions/\(id ?? self.id)")["signedTransactionInfo"])
    }

    /// Lets the subscription renew. Returns the new transaction's identifier.
    func renew() throws -> String {
        let end = try #require(try transaction(latest()).expirationDate)
        try scene.store.advance(to: end.addingTimeInterval(1))
        return try latest()
    }

    func latest() throws -> String {
        let answer = try scene.get("/inApps/v1/subscriptions/\(id)")
        let group = try #require((answer["data"] as? [[String: Any]])?.first)
        let last = try #require((group["lastTransactions"] as? [[String: Any]])?.first)
        return String(try scene.transaction(last["signedTransactionInfo"]).id)
    }

    func status() throws -> Int? {
        let answer = try scene.get("/inApps/v1/subscriptions/\(id)")
        let group = (answer["data"] as? [[String: Any]])?.first
        return (group?["lastTransactions"] as? [[String: Any]])?.first?["status"] as? Int
    }
}
