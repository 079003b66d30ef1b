import Foundation
import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// An App Store with its server API, and a client of it.
struct ServerAPIScene {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)
    static let bundleID = "com.example.garden"

    let store: TestAppStore
    let api: TestAppStoreAPI
    let key: ServerAPIKey
    /// The token of a request at the start. It is good for many.
    private let token: String

    init(
        environment: AppStore.Environment = .sandbox, options: TestAppStoreAPI.Options = .init()
    ) throws {
        store = try TestAppStore(
            Garden.configuration(), environment: environment, authority: Self.authority,
            startingAt: Self.start, seed: 1)
        key = try ServerAPIKey(of: store.authority)
        token = try key.token(for: Self.bundleID, at: Self.start)
        api = TestAppStoreAPI(store, keys: [key], options: options)
    }

    /// One for all tests: making keys takes time.
    private static let authority = try? TestAuthority.appStore("server API tests")

    /// Has customers act: lines of a scenario, without times or with them.
    @discardableResult
    func events(_ lines: String...) throws -> [[String: Any]] { try events(lines) }

    private func events(_ lines: [String]) throws -> [[String: Any]] {
        let response = local("/test/events", lines.joined(separator: "\n"))
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try object(response).list("transactions")
    }

    /// Has customers act. Returns the last transaction that is new.
    func event(_ lines: String...) throws -> [String: Any] { try #require(try events(lines).last) }

    /// Sends a request to a local path, which needs no token.
    func local(_ path: String, _ body: String) -> ServerAPIResponse {
        api.respond(to: ServerAPIRequest("POST", path, body: Array(body.utf8)), at: Self.start)
    }

    /// Has a customer buy something. Returns the transaction's identifier.
    func buy(_ product: String, _ customer: String = "anna", options: String = "") throws -> String {
        try event("+0 \(customer): buy \(product) \(options)").text("transactionId")
    }

    // MARK: - Requests

    /// Sends a request with a good token.
    func send(
        _ method: String, _ target: String, _ body: String = "", at time: Date = Self.start
    ) throws -> ServerAPIResponse { try send(method, target, bytes: Array(body.utf8), at: time) }

    func send(
        _ method: String, _ target: String, bytes: [UInt8], at time: Date = Self.start
    ) throws -> ServerAPIResponse {
        let token = try time == Self.start ? self.token : key.token(for: Self.bundleID, at: time)
        return api.respond(
            to: ServerAPIRequest(
                method, target: target, headers: [.init("Authorization", "Bearer \(token)")], body: bytes),
            at: time)
    }

    /// Sends a request that must be refused with a code of Apple's.
    func refuses(
        _ code: Int, _ method: String, _ target: String, _ body: String = "",
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try errorCode(method, target, body)
        #expect(found == code, "\(method) \(target) \(body)", sourceLocation: location)
    }

    /// The body of an answer that must succeed.
    func get(_ target: String) throws -> [String: Any] { try succeed("GET", target) }

    @discardableResult
    func succeed(
        _ method: String, _ target: String, _ body: String = "", status: Int = 200
    ) throws -> [String: Any] {
        let response = try send(method, target, body)
        #expect(response.status == status, "\(String(decoding: response.body, as: UTF8.self))")
        return response.body.isEmpty ? [:] : try object(response)
    }

    /// The code of an answer that must be an error: its status must be that of the code.
    func errorCode(_ method: String, _ target: String, _ body: String = "") throws -> Int {
        try errorCode(of: send(method, target, body))
    }

    func errorCode(of response: ServerAPIResponse) throws -> Int {
        let object = try object(response)
        let code = try #require(object["errorCode"] as? Int)
        #expect(response.status == code / 10_000)
        #expect(response.headers.contains(.init("Content-Type", "application/json")))
        #expect((object["errorMessage"] as? String)?.isEmpty == false)
        return code
    }

    func object(_ response: ServerAPIResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    }

    // MARK: - Payloads

    /// The transaction of a token, verified under the App Store's root.
    func transaction(_ token: Any?) throws -> Transaction {
        try StoreKitVerifier(store.verifier).transaction(#require(token as? String)).payloadValue
    }

    /// The identifiers of a list of signed transactions.
    func identifiers(_ list: Any?) throws -> [String] {
        try #require(list as? [String]).map { String(try transaction($0).id) }
    }
}
