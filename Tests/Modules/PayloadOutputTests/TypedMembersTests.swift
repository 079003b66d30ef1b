import Foundation
import PayloadOutput
import RepositoryFiles
import SignedPayloads
import StoreKitVerify
import Testing
import WireFormats

/// Compares the members of payloads with typed output. A member that typed output has is one whose change changes it.
@Suite struct TypedMembersTests {
    /// The members that typed output leaves out.
    private static let leftOut = [
        "renewalInfo autoRenewProductId": "a subscription that does not renew has no preference",
        "appTransaction signedDate": "the date of an app transaction is receiptCreationDate",
        "notification data": "it is not an object",
        "transaction bundleTransactionId": "the App Store documents no such member",
        "transaction data.signedTransactionInfo": "a transaction has no such member",
        "transaction x.y": "the App Store documents no such member",
        "renewalInfo y": "the App Store documents no such member",
    ]

    @Test func `typed output has every member of a payload, or there is a reason why not`() throws {
        var missing = Set<String>()
        for (kind, members) in try Self.samples() {
            missing.formUnion(try Self.missingMembers(kind, members))
        }
        let folder = Repository.vectors
        let anchors = try ["root", "p256-root"].map { name in
            TrustAnchor(der: [UInt8](try Data(contentsOf: folder.appending(path: "pki/\(name).der"))))
        }
        let verifier = try SignedPayloadVerifier(anchors: anchors)
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: "valid"), includingPropertiesForKeys: nil)
        for file in files where file.pathExtension == "jws" {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                // Foundation reads no number with more digits than a double may have.
                guard let payload = try? verifier.verify(String(line)),
                    let members = try? JSONSerialization.jsonObject(with: Data(payload.json))
                else { continue }
                missing.formUnion(try Self.missingMembers(payload.kind, members))
            }
        }
        #expect(missing == Set(Self.leftOut.keys))
    }

    @Test func `the sample payloads have every member that the types read`() throws {
        for (kind, tree) in TypedWriterTests.trees {
            let form = try #require(kind.form)
            #expect(form.names.names.filter { tree[$0] == nil } == [], "\(kind)")
        }
        for (part, form) in ServerNotification.parts {
            let tree = try #require(TypedPayloads.notification[part])
            #expect(form.names.names.filter { tree[$0] == nil } == [], "\(part)")
        }
    }

    /// Payloads with every member. A notification has one part, because others may repeat the first one's members.
    private static func samples() throws -> [(SignedPayloadKind, Any)] {
        var samples: [(SignedPayloadKind, Any)] = []
        for (kind, tree) in TypedWriterTests.trees {
            let payload = try JSONSerialization.jsonObject(with: Data(tree.json { "" }.utf8))
            guard kind == .notification, let members = payload as? [String: Any] else {
                samples.append((kind, payload))
                continue
            }
            let parts = ServerNotification.parts.map(\.member)
            for part in parts {
                samples.append((kind, members.filter { $0.key == part || !parts.contains($0.key) }))
            }
        }
        return samples
    }

    /// The members of a payload that typed output does not have.
    private static func missingMembers(_ kind: SignedPayloadKind, _ payload: Any) throws -> [String] {
        var writer = TypedWriter()
        var inner: [String: [UInt8]] = [:]
        for (_, path, kind) in ServerNotification.signed {
            let tree = TypedWriterTests.trees.first { $0.kind == kind }?.tree
            inner[path] = tree.map { Array($0.json { "" }.utf8) }
        }
        func typed(_ payload: Any?, without path: String?) throws -> [UInt8]? {
            guard let payload else { return nil }
            let json = Array(try JSONSerialization.data(withJSONObject: payload))
            var output: [UInt8] = []
            let isWritten = try? writer.append(json.span, of: kind, to: &output) { innerPath, body in
                // A payload inside is written whole if it has the members that its type requires.
                let payload = inner[innerPath] ?? []
                if innerPath != path { body(payload.span) }
            }
            return isWritten == true ? output : nil
        }
        guard let expected = try typed(payload, without: nil) else { return [] }
        let otherValues: [Any?] = [nil, 0, 1, 2, true, false, "x", ["x"]]
        return try leaves(of: payload, []).compactMap { path in
            let name = path.filter { Int($0) == nil }.joined(separator: ".")
            let isWritten = try otherValues.contains { value in
                try typed(replacing(payload, path[...], value), without: name) != expected
            }
            return isWritten ? nil : "\(kind) \(name)"
        }
    }

    /// The paths of the members that hold no objects. The elements of an array are numbered.
    private static func leaves(of value: Any, _ path: [String]) -> [[String]] {
        if let members = value as? [String: Any] {
            return members.flatMap { leaves(of: $0.value, path + [$0.key]) }
        }
        if let elements = value as? [Any], elements.contains(where: { $0 is [String: Any] }) {
            return elements.indices.flatMap { leaves(of: elements[$0], path + ["\($0)"]) }
        }
        return [path]
    }

    /// The value with another value at a path; with `nil`, without that member.
    private static func replacing(_ value: Any, _ path: ArraySlice<String>, _ new: Any?) -> Any? {
        guard let step = path.first else { return new }
        if var members = value as? [String: Any] {
            members[step] = members[step].flatMap { replacing($0, path.dropFirst(), new) }
            return members
        }
        guard var elements = value as? [Any], let index = Int(step) else { return value }
        elements[index] = replacing(elements[index], path.dropFirst(), new) ?? NSNull()
        return elements
    }
}
