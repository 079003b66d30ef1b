import Foundation
import Minting
import StoreKitTestSession
import TestServerAPI
import Testing

/// The tokens of requests.
@Suite struct AuthorizationTests {
    private static let now = 1_767_225_600
    private static let header = #"{"alg":"ES256","kid":"TESTKEY123","typ":"JWT"}"#

    private static func payload(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String] = [
            "iss": "\"\(ServerAPIKey.defaultIssuerID)\"", "iat": "\(now)", "exp": "\(now + 300)",
            "aud": "\"appstoreconnect-v1\"", "bid": "\"com.example.garden\"",
        ]
        for (name, value) in changes { members[name] = value }
        return "{"
            + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
            + "}"
    }

    private func status(
        header: String = header, payload: String = payload(), scheme: String = "Bearer "
    ) throws -> Int {
        let scene = try ServerAPIScene()
        let token = try TokenMinter(key: scene.key.key, header: Array(header.utf8)).token(payload: payload)
        return status(scene, scheme + token)
    }

    private func status(_ scene: ServerAPIScene, _ authorization: String?) -> Int {
        // No transaction has this number: behind the check, the answer is 404.
        let request = ServerAPIRequest(
            "GET", "/inApps/v1/transactions/1",
            headers: authorization.map { [.init("authorization", $0)] } ?? [])
        let response = scene.api.respond(to: request, at: ServerAPIScene.start)
        if response.status == 401 { #expect(response.body.isEmpty) }
        return response.status
    }

    @Test func `a token of Apple's form is accepted, without iat and typ as well`() throws {
        #expect(try status() == 404)
        #expect(try status(payload: Self.payload(["iat": nil])) == 404)
        #expect(try status(header: #"{"alg":"ES256","kid":"TESTKEY123"}"#) == 404)
        #expect(try status(scheme: "bearer ") == 404)
        let scene = try ServerAPIScene()
        let token = try scene.key.token(for: "com.example.garden", at: ServerAPIScene.start, lasting: 3600)
        #expect(status(scene, "Bearer \(token)") == 404)
    }

    @Test(
        "a header with another algorithm, key or type is refused",
        arguments: [
            #"{"alg":"ES384","kid":"TESTKEY123","typ":"JWT"}"#, #"{"alg":"none","kid":"TESTKEY123"}"#,
            #"{"alg":"ES256","kid":"OTHERKEY99","typ":"JWT"}"#, #"{"alg":"ES256","typ":"JWT"}"#,
            #"{"alg":"ES256","kid":"TESTKEY123","typ":"JWS"}"#,
            #"{"alg":"ES256","kid":"TESTKEY123","crit":["b64"],"b64":false}"#, "[]", "nonsense",
        ])
    func refusesHeader(_ header: String) throws {
        #expect(try status(header: header) == 401)
    }

    private static let claims: [[String: String?]] = [
        ["iss": "\"other\""], ["iss": nil], ["aud": "\"appstoreconnect-v2\""], ["aud": nil],
        ["bid": "\"com.example.other\""], ["bid": nil], ["exp": nil], ["exp": "\"soon\""],
        ["exp": "\(now)"], ["exp": "\(now - 1)"], ["exp": "\(now + 3601)"],
        ["exp": "\(now + 3601)", "iat": nil], ["iat": "\(now + 61)"], ["iat": "\"now\""],
        ["iat": "-9223372036854775808"], ["iat": "\(now - 3400)"],
    ]

    @Test("a payload with another issuer, audience, app or time is refused", arguments: claims)
    func refusesPayload(_ changes: [String: String?]) throws {
        #expect(try status(payload: Self.payload(changes)) == 401)
    }

    @Test func `a signature of another key, or a changed one, is refused`() throws {
        let scene = try ServerAPIScene()
        let other = try TokenMinter(key: TestKey("another"), header: Array(Self.header.utf8))
        #expect(status(scene, "Bearer \(try other.token(payload: Self.payload()))") == 401)
        let good = try scene.key.token(for: "com.example.garden", at: ServerAPIScene.start)
        #expect(status(scene, "Bearer \(good)") == 404)
        #expect(status(scene, "Bearer \(good.dropLast(2))AA") == 401)
        #expect(status(scene, "Bearer \(good)x") == 401)
    }

    @Test(
        "what is no bearer token is refused",
        arguments: [nil, "", "Bearer", "Bearer a.b", "Basic abc", "Bearer a.b.c"])
    func refusesOtherSchemes(_ authorization: String?) throws {
        #expect(status(try ServerAPIScene(), authorization) == 401)
    }

    @Test func `the key as PEM is a PKCS 8 key on P-256, the same for the same root`() throws {
        let (one, other) = (try ServerAPIScene(), try ServerAPIScene())
        #expect(one.key.pem == other.key.pem)
        #expect(one.key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\nMIG"))
    }

    @Test func `an unknown path is 404 and another method 405, both without a body`() throws {
        let scene = try ServerAPIScene()
        for (method, path, status) in [
            ("GET", "/inApps/v3/history/1", 404), ("GET", "/", 404), ("POST", "/inApps/v2/history/1", 405),
            ("GET", "/inApps/v1/transactions/%zz", 404), ("GET", "/test/nothing", 404),
        ] {
            let response = try scene.send(method, path)
            #expect(response.status == status, "\(method) \(path)")
            #expect(response.body.isEmpty)
        }
    }
}
