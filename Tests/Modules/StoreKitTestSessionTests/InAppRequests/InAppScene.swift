import Foundation
import Minting
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// A session whose app sells items by requests that its server signs.
struct InAppScene {
    let session: SKTestSession
    let key: ServerAPIKey

    init() throws {
        session = try Garden.session()
        key = try ServerAPIKey(of: session.appStore.authority)
    }

    // MARK: - Requests

    /// A request with a new `requestInfo`, with other members set, or left out (`null`).
    static func request(_ text: String, _ changes: [String: String] = [:]) throws -> Data {
        func json(_ text: String) throws -> Any {
            try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        }
        var members = try #require(try json(text) as? [String: Any])
        members["requestInfo"] = ["requestReferenceId": UUID().uuidString]
        for (path, text) in changes {
            let parts = path.split(separator: ".").map { String($0) }
            let value = try json(text)
            switch (parts.count, members[parts[0]]) {
            case (2, var object as [String: Any]):
                object[parts[1]] = value
                members[parts[0]] = object
            case (2, var list as [[String: Any]]):
                list[0][parts[1]] = value
                members[parts[0]] = list
            default: members[parts[0]] = value
            }
        }
        return try JSONSerialization.data(withJSONObject: members)
    }

    static let charge = """
        {"operation":"CREATE_ONE_TIME_CHARGE","version":"1","currency":"USD","taxCode":"C003-00-2",
         "item":{"SKU":"fern","displayName":"Fern","description":"A green fern","price":4990}}
        """

    static let subscription = """
        {"operation":"CREATE_SUBSCRIPTION","version":"1","currency":"USD","taxCode":"C003-00-2","period":"P1M",
         "descriptors":{"displayName":"Box","description":"Plants each month"},
         "items":[{"SKU":"plant","displayName":"Plant","description":"A plant","price":6990},
                  {"SKU":"pot","displayName":"Pot","description":"A pot","price":2000}]}
        """

    // MARK: - Signatures

    /// The data of a good signature, as the app has them from its server.
    func data(_ request: Data) throws -> Data {
        try key.advancedCommerceData(request, for: "com.example.garden", at: session.now)
    }

    /// The data of a token with other claims, in JSON; `nil` leaves one out.
    func data(
        _ request: Data, claims: [String: String?], header: String? = nil, by signer: ServerAPIKey? = nil
    ) throws -> Data {
        var members: [String: String] = [
            "iss": #""\#(ServerAPIKey.defaultIssuerID)""#, "aud": #""advanced-commerce-api""#,
            "bid": #""com.example.garden""#, "iat": "\(Int(session.now.timeIntervalSince1970))",
            "nonce": #""\#(UUID())""#, "request": #""\#(request.base64EncodedString())""#,
        ]
        for (name, value) in claims { members[name] = value }
        let payload = members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        let text = header ?? #"{"alg":"ES256","kid":"TESTKEY123","typ":"JWT"}"#
        let token = try TokenMinter(key: (signer ?? key).key, header: Array(text.utf8))
            .token(payload: "{\(payload)}")
        return Data(#"{"signatureInfo":{"token":"\#(token)"}}"#.utf8)
    }

    // MARK: - Purchases

    func buy(_ product: String, _ data: Data) async throws -> Product.PurchaseResult {
        try await session.buy(product, [.custom(key: "advancedCommerceData", value: data)])
    }

    /// Buys what a request sells, which must succeed.
    @discardableResult
    func bought(_ product: String, _ request: Data) async throws -> Transaction {
        guard case .success(let result) = try await buy(product, data(request)) else {
            throw PurchaseFailure(productID: product)
        }
        return try result.payloadValue
    }

    /// Tries a purchase that StoreKit must refuse: with its error, a sentence in it, and Apple's code in the sentence.
    func refuses(_ product: String, _ data: Data, _ code: Int, _ words: String = "") async throws {
        let error = await #expect(throws: StoreKitError.self) { try await buy(product, data) }
        guard case .systemError(let reason as SKTestError)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.code == .invalidAction && !reason.description.hasSuffix("."))
        let hasWords = words.isEmpty || reason.description.contains(words)
        #expect(reason.description.contains("(\(code))") && hasWords, "\(reason)")
    }
}
