import CAllocationCounter
import Foundation
import Minting
import PayloadOutput
import RepositoryFiles
import SeededRandom
import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import TestMinting
import Testing

/// Compares the output of `TypedWriter`, straight from a payload's JSON, with the values of the StoreKit types.
@Suite struct TypedWriterTests {
    static let trees: [(kind: SignedPayloadKind, tree: PayloadTree)] = [
        (.transaction, TypedPayloads.transaction), (.renewalInfo, TypedPayloads.renewalInfo),
        (.appTransaction, TypedPayloads.appTransaction), (.realtimeRequest, TypedPayloads.realtimeRequest),
        (.notification, TypedPayloads.notification),
    ]

    @Test func `values are encoded as typed output writes them`() throws {
        func members(_ text: some Collection<UInt8>) throws -> NSDictionary? {
            try JSONSerialization.jsonObject(with: Data(text)) as? NSDictionary
        }
        let verifier = try Signed.verifier()
        for (kind, tree) in Self.trees.prefix(3) {
            let json = Array(tree.json { "" }.utf8)
            let error = PayloadError(.fixedDateOutOfRange)
            let content = try #require(SignedContent(refused: Self.unsigned(json), for: error))
            let value: any Encodable =
                switch kind {
                case .transaction: try Transaction(content, verifier: verifier)
                case .renewalInfo: try SubscriptionRenewalInfo(content, verifier: verifier)
                default: try AppTransaction(content, verifier: verifier)
                }
            guard case .written(let typed) = Self.expected(kind, json, verifier) else {
                Issue.record("\(kind) has no typed form")
                continue
            }
            let encoded = try members(JSONEncoder().encode(value))
            #expect(encoded == (try members(typed.utf8)), "\(kind)")
            #expect(encoded?.count ?? 0 > 10)
        }
    }

    /// A payload's typed form, or why it has none.
    private enum Outcome: Equatable {
        case written(String)
        case failed(PayloadError)
        case noType
    }

    private static func expected(_ payload: VerifiedPayload, _ verifier: StoreKitVerifier) -> Outcome {
        expected(payload.kind, SignedContent(payload), verifier)
    }

    private static func expected(
        _ kind: SignedPayloadKind, _ content: SignedContent, _ verifier: StoreKitVerifier
    ) -> Outcome {
        do throws(PayloadError) {
            switch kind {
            case .transaction: return .written(TypedOracle(try Transaction(content, verifier: verifier)).json)
            case .renewalInfo:
                return .written(TypedOracle(try SubscriptionRenewalInfo(content, verifier: verifier)).json)
            case .appTransaction:
                return .written(TypedOracle(try AppTransaction(content, verifier: verifier)).json)
            case .realtimeRequest:
                return .written(TypedOracle(try RealtimeRequest(content, verifier: verifier)).json)
            case .notification:
                return .written(TypedOracle(try ServerNotification(content, verifier: verifier)).json)
            default: return .noType
            }
        } catch {
            return .failed(error)
        }
    }

    private static func expected(
        _ kind: SignedPayloadKind, _ json: [UInt8], _ verifier: StoreKitVerifier
    ) -> Outcome {
        let error = PayloadError(.fixedDateOutOfRange)
        guard let content = SignedContent(refused: unsigned(json), for: error) else { return .noType }
        return expected(kind, content, verifier)
    }

    /// A token of a payload in the right form, without a valid signature.
    private static func unsigned(_ json: [UInt8]) -> String {
        "e30.\(Base64.urlEncoded(json)).\(String(repeating: "A", count: 86))"
    }

    private static func actual(
        _ kind: SignedPayloadKind, _ json: [UInt8], _ writer: inout TypedWriter,
        inner: [String: [UInt8]] = [:]
    ) -> Outcome {
        var output = Array("before".utf8)
        do throws(PayloadError) {
            let isWritten = try writer.append(json.span, of: kind, to: &output) { path, body in
                if let payload = inner[path] { body(payload.span) }
            }
            let text = String(decoding: output, as: UTF8.self)
            return isWritten && text.hasPrefix("before") ? .written(String(text.dropFirst(6))) : .noType
        } catch {
            return output == Array("before".utf8) ? .failed(error) : .noType
        }
    }

    @Test func `a payload with every member gives every property`() throws {
        let verifier = try Signed.verifier()
        var writer = TypedWriter()
        for (kind, tree) in Self.trees {
            let json = Array(tree.json { "" }.utf8)
            let outcome = Self.actual(kind, json, &writer)
            #expect(outcome == Self.expected(kind, json, verifier))
            guard case .written(let text) = outcome else {
                Issue.record("\(kind) is not written")
                continue
            }
            #expect(text.count > 200, "\(text)")
        }
        #expect(Self.actual(.unknown, Array("{}".utf8), &writer) == .noType)
    }

    private static let changed = TestScale.size(small: 1_000, usual: 1_000, large: 25_000)

    @Test(arguments: 0..<8) func `changed payloads give the same as the StoreKit types`(seed: UInt64) throws {
        let verifier = try Signed.verifier()
        var random = SplitMix64(seed: 0x15 + seed)
        var writer = TypedWriter()
        var (written, failed, differing) = (0, 0, 0)
        for number in 0..<Self.changed {
            var (kind, tree) = Self.trees[number % Self.trees.count]
            for _ in 0..<Int.random(in: 1...6, using: &random) { tree.change(&random) }
            let isSpaced = Int.random(in: 0..<4, using: &random) == 0
            let json = Array(
                tree.json { isSpaced ? ["", " ", "\n", "\t\r "].randomElement(using: &random) ?? "" : "" }
                    .utf8)
            guard case .object = tree else { continue }
            let outcome = Self.actual(kind, json, &writer)
            let expected = Self.expected(kind, json, verifier)
            switch outcome {
            case .written: written += 1
            default: failed += 1
            }
            guard outcome != expected else { continue }
            differing += 1
            if differing < 5 {
                Issue.record("\(String(decoding: json, as: UTF8.self))\n\(outcome)\n\(expected)")
            }
        }
        #expect(differing == 0)
        #expect(written > Self.changed / 5 * 2)
        #expect(failed > Self.changed / 25)
    }

    @Test func `each single value in each member gives the same as the StoreKit types`() throws {
        let verifier = try Signed.verifier()
        var random = SplitMix64(seed: 15)
        var writer = TypedWriter()
        for (kind, tree) in Self.trees {
            guard case .object(let members) = tree else { continue }
            for index in members.indices {
                for _ in 0..<150 {
                    var changed = members
                    changed[index].value = .scalar(PayloadTree.value(&random))
                    let json = Array(PayloadTree.object(changed).json { "" }.utf8)
                    let (outcome, expected) = (
                        Self.actual(kind, json, &writer), Self.expected(kind, json, verifier)
                    )
                    #expect(outcome == expected, "\(String(decoding: json, as: UTF8.self))")
                }
            }
        }
    }

    @Test func `the payloads inside a notification are written if they can be read`() throws {
        let verifier = try Signed.verifier()
        var random = SplitMix64(seed: 16)
        var writer = TypedWriter()
        // Payloads of any kind, in any member.
        var signed: [(token: String, payload: [UInt8])] = []
        let minter = try TestPKI.p256().minter()
        for number in 0..<200 {
            var (_, tree) = Self.trees[number % 4]
            for _ in 0..<number % 3 { tree.change(&random) }
            let payload = tree.json { "" }
            let token = try minter.token(payload: payload)
            // One without an environment takes that of a verified notification alone, and these are not verified.
            let members = try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]
            if (members?["environment"] as? String)?.isEmpty == false,
                (try? verifier.payloads.verify(token)) != nil
            {
                signed.append((token, Array(payload.utf8)))
            }
        }
        #expect(signed.count > 100)
        let places = [
            ("data", "signedTransactionInfo"), ("data", "signedRenewalInfo"),
            ("appData", "signedAppTransactionInfo"),
        ]
        for _ in 0..<2000 {
            var tree = TypedPayloads.notification
            var inner: [String: [UInt8]] = [:]
            for (part, member) in places {
                guard let (token, payload) = signed.randomElement(using: &random) else { continue }
                tree = tree.replacing(member, in: part, .scalar("\"\(token)\""))
                inner["\(part).\(member)"] = payload
            }
            let json = Array(tree.json { "" }.utf8)
            let outcome = Self.actual(.notification, json, &writer, inner: inner)
            #expect(outcome == Self.expected(.notification, json, verifier))
        }
    }

    @Test func `a payload without an environment is written with that of its notification`() throws {
        let verifier = try Signed.verifier()
        var writer = TypedWriter()
        for environment in ["Production", "Sandbox"] {
            let (transaction, info) = (
                Signed.transactionPayload(id: 1, expires: 30, ["environment": #""""#]),
                Signed.renewalPayload(original: 1, signed: 1, ["environment": #""""#])
            )
            let data = Signed.object([
                "bundleId": #""com.example.garden""#, "environment": "\"\(environment)\"",
                "signedTransactionInfo": "\"\(try Signed.token(transaction))\"",
                "signedRenewalInfo": "\"\(try Signed.token(info))\"",
            ])
            let notification = Signed.object([
                "notificationType": #""DID_RENEW""#, "notificationUUID": "\"\(UUID())\"",
                "signedDate": "\(Signed.day(1))", "data": data,
            ])
            let payload = try verifier.payloads.verify(Signed.token(notification))
            let inner = Dictionary(uniqueKeysWithValues: payload.nested.map { ($0.member, $0.payload.json) })
            let outcome = Self.actual(payload.kind, payload.json, &writer, inner: inner)
            #expect(outcome == Self.expected(payload, verifier))
            guard case .written(let text) = outcome else { continue }
            #expect(text.components(separatedBy: #""environment":"\#(environment)""#).count == 4)
        }
    }

    @Test func `the committed vectors, verified, give the same as the StoreKit types`() throws {
        let folder = Repository.vectors
        let anchors = try ["root", "p256-root"].map { name in
            TrustAnchor(der: [UInt8](try Data(contentsOf: folder.appending(path: "pki/\(name).der"))))
        }
        let verifier = StoreKitVerifier(try SignedPayloadVerifier(anchors: anchors))
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: "valid"), includingPropertiesForKeys: nil)
        let count = try compare(files.filter { $0.pathExtension == "jws" }, verifier)
        #expect(count > 30)
    }

    @Test(
        .enabled(
            if: PrivateTestData.genuine.folder != nil,
            "PRIVATE_TEST_DATA names no folder with Apple's payloads"))
    func `genuine payloads give the same as the StoreKit types`() throws {
        let files = try PrivateTestData.genuine.files(in: "jws")
        #expect(try compare(files, StoreKitVerifier(try SignedPayloadVerifier())) > 30)
    }

    /// Compares the tokens of files that are verified. Returns their number.
    private func compare(_ files: [URL], _ verifier: StoreKitVerifier) throws -> Int {
        var writer = TypedWriter()
        var count = 0
        for file in files {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard let payload = try? verifier.payloads.verify(String(line)),
                    payload.kind != .unknown
                else {
                    continue
                }
                let inner = Dictionary(
                    uniqueKeysWithValues: payload.nested.map { ($0.member, $0.payload.json) })
                let outcome = Self.actual(payload.kind, payload.json, &writer, inner: inner)
                let expected = Self.expected(payload, verifier)
                #expect(outcome == expected, "\(file.lastPathComponent)")
                count += 1
            }
        }
        return count
    }

    @Test func `every notification type and subtype has its change of access`() throws {
        let verifier = try Signed.verifier()
        var writer = TypedWriter()
        let types = [
            "SUBSCRIBED", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "OFFER_REDEEMED",
            "DID_RENEW",
            "EXPIRED", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE", "REFUND",
            "REVO\u{212a}E",
            "R\\u0045VOKE", "RENEWAL_EXTENSION", "EXTERNAL_PURCHASE_TOKEN", "RAIN", "",
        ]
        let subtypes = [
            "null", "1", "\"\"", "\"INITIAL_BUY\"", "\"UPGRADE\"", "\"AUTO_RENEW_ENABLED\"",
            "\"BILLING_RECOVERY\"",
            "\"GRACE_PERIOD\"", "\"PENDING\"", "\"SUMMARY\"", "\"CREATED\"", "\"VOLUNTARY\"",
            "\"VOLUNTAR\\u0059\"",
        ]
        // A meaning that was looked up once is remembered.
        for _ in 0..<2 {
            for type in types {
                for subtype in subtypes {
                    let json = Array(
                        """
                        {"notificationType":"\(type)","subtype":\(subtype),"signedDate":1,
                        "notificationUUID":"5d12dde6-ac41-4a06-9e45-731fb5d35ac3"}
                        """.utf8)
                    let outcome = Self.actual(.notification, json, &writer)
                    #expect(outcome == Self.expected(.notification, json, verifier))
                }
            }
        }
    }

    @Test(.enabled(if: allocation_count_of_thread() >= 0, "allocations cannot be counted here"))
    func `writing ordinary payloads allocates nothing`() throws {
        var writer = TypedWriter()
        var output: [UInt8] = []
        let transaction = Array(TypedPayloads.transaction.json { "" }.utf8)
        let payloads = Self.trees.map { (kind: $0.kind, json: Array($0.tree.json { "" }.utf8)) }
        func run() throws -> Int64 {
            let before = allocation_count_of_thread()
            for _ in 0..<10 {
                output.removeAll(keepingCapacity: true)
                for index in payloads.indices {
                    let (kind, json) = payloads[index]
                    let isWritten = try writer.append(json.span, of: kind, to: &output) { path, body in
                        if path == "data.signedTransactionInfo" { body(transaction.span) }
                    }
                    precondition(isWritten)
                }
            }
            return allocation_count_of_thread() - before
        }
        #expect(try run() > 0, "the counter counts")
        let allocations = try run()
        #expect(allocations == 0)
    }
}
