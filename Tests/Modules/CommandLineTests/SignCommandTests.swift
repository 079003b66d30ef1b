import CommandProcesses
import Foundation
import Minting
import RepositoryFiles
import Testing

/// `storekit-verify sign`: its output and its refusals. The module's own tests check the signatures.
@Suite struct SignCommandTests {
    private let folder: TemporaryFolder
    private let key: String

    init() throws {
        folder = try TemporaryFolder()
        let pem = try TestKey("sign").privateKeyPEM
        key = try folder.file("key.p8", Array(pem.utf8)).path
        try restrict(0o600)
    }

    private func restrict(_ permissions: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: key)
    }

    private func run(_ kind: String, _ options: [String], issuer: Bool = true, input: String = "") throws
        -> CommandProcess
    {
        let names = ["--key", key, "--key-id", "K1", "--bundle-id", "com.example.garden"]
        return try CommandProcess(
            ["sign", kind] + names + (issuer ? ["--issuer", "I1"] : []) + options, input: Array(input.utf8))
    }

    /// The members of the one object that is printed, on one line.
    private func answer(_ run: CommandProcess) throws -> [String: Any] {
        #expect(run.status == 0, "\(run.diagnostics)")
        #expect(run.diagnostics.isEmpty)
        #expect(run.text.filter { $0 == "\n" }.count == 1)
        return try #require(JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    }

    private func claims(_ jws: Any?) throws -> [String: Any] {
        let segment = try #require((jws as? String)?.split(separator: ".").dropFirst().first)
        let text = String(segment).replacing("-", with: "+").replacing("_", with: "/")
        let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
        let data = try #require(Data(base64Encoded: padded))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `each kind prints what the app or the client needs`() throws {
        defer { folder.remove() }
        let offer = ["--product-id", "plus", "--offer-identifier", "spring"]
        let second = try answer(run("promotional-offer", offer + ["--transaction-id", "20"]))
        #expect(Set(second.keys) == ["compactJWS"])
        let claims = try claims(second["compactJWS"])
        #expect(claims["transactionId"] as? String == "20")
        #expect(claims["iss"] as? String == "I1")
        let issued = try #require(claims["iat"] as? Double)
        #expect(abs(issued - Date().timeIntervalSince1970) < 60)

        let first = try answer(run("promotional-offer-v1", offer, issuer: false))
        #expect(Set(first.keys) == ["offerIdentifier", "keyIdentifier", "nonce", "signature", "timestamp"])

        let eligibility = [
            "--product-id", "plus", "--transaction-id", "20", "--allow-introductory-offer", "false",
        ]
        let introductory = try answer(run("introductory-offer", eligibility))
        #expect(try self.claims(introductory["compactJWS"])["allowIntroductoryOffer"] as? Bool == false)

        let request = #"{"operation":"CREATE_SUBSCRIPTION","version":"1"}"#
        let commerce = try answer(run("advanced-commerce", ["--request", "-"], input: request))
        #expect(Set(commerce.keys) == ["compactJWS", "advancedCommerceData"])
        #expect(
            try self.claims(commerce["compactJWS"])["request"] as? String
                == Data(request.utf8).base64EncodedString())

        let token = try self.claims(answer(run("token", ["--seconds", "3600"]))["token"])
        #expect(token["aud"] as? String == "appstoreconnect-v1")
        #expect(try #require(token["exp"] as? Double) - #require(token["iat"] as? Double) == 3600)
    }

    @Test func `each signature of the shared table is made, or refused with its sentence`() throws {
        defer { folder.remove() }
        let cases = try DoorCases()
        #expect(cases.groups["signatures"]?.concerns(.command) == true)
        for each in cases.signatures {
            let options = each.values.filter { $0.key != "request" }.flatMap {
                [Self.option($0.key), $0.value]
            }
            let request = each.values["request"]
            let run = try run(
                each.kind, options + (request == nil ? [] : ["--request", "-"]), input: request ?? "")
            #expect(run.status == (each.refused == nil ? 0 : 64), "\(each)")
            #expect(run.output.isEmpty == (each.refused != nil), "\(each)")
            let said = each.refused.map { "storekit-verify: " + $0 } ?? ""
            #expect(run.diagnostics.hasPrefix(said), "\(each): \(run.diagnostics)")
            #expect(run.diagnostics.count { $0 == "\n" } == (each.refused == nil ? 0 : 1))
        }
    }

    /// `--product-id` for `productId`.
    private static func option(_ name: String) -> String {
        "--" + name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    }

    @Test func `a name, a kind or an option that is missing or unknown is a usage error`() throws {
        defer { folder.remove() }
        let nameless = try run("token", [], issuer: false)
        #expect(nameless.status == 64)
        #expect(nameless.diagnostics == "storekit-verify: issuerId is missing or empty\n")
        for (kind, options, message) in [
            (
                "receipt", [],
                "The value 'receipt' is invalid for '<kind>'. Please provide one of 'promotional"
            ),
            ("token", ["--seconds"], "Missing value for '--seconds <number>'"),
            ("token", ["5"], "Unexpected argument '5'"),
            ("token", ["--second", "5"], "Unknown option '--second'"),
            ("advanced-commerce", [], "request is missing or empty"),
        ] {
            let run = try run(kind, options)
            #expect(run.status == 64)
            #expect(run.output.isEmpty)
            #expect(run.diagnostics.contains(message), "\(run.diagnostics)")
        }
    }

    @Test func `a key file that others can read, or that is no key, signs nothing`() throws {
        defer { folder.remove() }
        try restrict(0o644)
        let open = try run("token", [])
        #expect(open.status == 64)
        #expect(open.output.isEmpty)
        #expect(open.diagnostics.contains("(permissions 644): chmod 600 '\(key)'"))
        try restrict(0o600)
        try Data("hello".utf8).write(to: URL(filePath: key))
        let other = try run("token", [])
        #expect(other.status == 64)
        #expect(
            other.diagnostics.hasPrefix(
                "storekit-verify: \(key): this is not PEM: a signing key is a .p8 file"))
        try FileManager.default.removeItem(atPath: key)
        let missing = try run("token", [])
        #expect(missing.status == 66)
        #expect(missing.diagnostics == "storekit-verify: \(key): No such file or directory\n")
    }
}
