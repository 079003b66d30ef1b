import Foundation
import RepositoryFiles
import SignedPayloads
import Testing

/// `TestVectors/manifest.json`.
enum Manifest {
    static let folder = Repository.vectors

    /// A file of vectors, with its anchors and options.
    struct File: Decodable, Sendable, CustomTestStringConvertible {
        let file: String
        let roots: [String]
        let options: [String]
        let lines: [Line]

        var testDescription: String { file }
    }

    /// The expected result of a line, and the reason for it.
    struct Line: Decodable, Sendable {
        let line: Int
        let id: String
        let verified: Bool
        let type: String?
        let error: String?
        let at: String?
        let why: String
    }

    static func load() throws -> [File] {
        try JSONDecoder().decode([File].self, from: Data(contentsOf: folder.appending(path: "manifest.json")))
    }

    /// The manifest uses an option that these tests do not know.
    struct UnknownOption: Error { let name: String }
}

extension Manifest.File {
    func contents() throws -> [[UInt8]] {
        let bytes = [UInt8](try Data(contentsOf: Manifest.folder.appending(path: file)))
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
    }

    /// Whether the lines are app receipts.
    var holdsReceipts: Bool { file.hasSuffix(".b64") }

    func makeVerifier() throws -> SignedPayloadVerifier {
        try SignedPayloadVerifier(anchors: anchors(else: .appleRootCAG3), policy: policy())
    }

    func makeReceiptVerifier(remembersSigners: Bool = true) throws -> ReceiptVerifier {
        try ReceiptVerifier(
            anchors: anchors(else: .appleRootCA), policy: policy(), deviceIdentifier: nil,
            remembersSigners: remembersSigners)
    }

    private func anchors(else anchor: TrustAnchor) throws -> [TrustAnchor] {
        let anchors = try roots.flatMap { root in
            try TrustAnchor.certificates(in: [UInt8](Data(contentsOf: Manifest.folder.appending(path: root))))
        }
        return anchors.isEmpty ? [anchor] : anchors
    }

    private func policy() throws -> VerificationPolicy {
        var policy = VerificationPolicy()
        var rest = options[...]
        while let name = rest.popFirst() {
            let value = rest.popFirst() ?? ""
            switch name {
            case "--environment": policy.environments.insert(AppStoreEnvironment(rawValue: value))
            case "--bundle-id": policy.bundleIdentifiers.insert(value)
            case "--app-apple-id": policy.appAppleIdentifier = Int64(value)
            case "--device-id": policy.deviceIdentifier = UUID(uuidString: value)
            case "--effective-date": policy.effectiveDate = try Date(value, strategy: .iso8601)
            case "--max-token-bytes": policy.maximumTokenBytes = Int(value) ?? 0
            default: throw Manifest.UnknownOption(name: name)
            }
        }
        return policy
    }
}
