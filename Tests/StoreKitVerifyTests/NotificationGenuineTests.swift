import Foundation
import SignedPayloads
import StoreKitVerify
import Testing

/// Notifications that Apple really signed. They are not in the repository: the tests read them from the
/// folder that `GENUINE_PAYLOADS` names.
@Suite(
    .enabled(
        if: GenuineNotifications.folder != nil,
        "GENUINE NOTIFICATIONS SKIPPED: GENUINE_PAYLOADS names no folder of payloads truly signed by Apple"))
struct NotificationGenuineTests {
    @Test func `every notification from Apple is read, and no member is lost`() throws {
        let verifier = StoreKitVerifier(try SignedPayloadVerifier())
        var count = 0
        for file in try GenuineNotifications.files() {
            let token = String(decoding: try Data(contentsOf: file), as: UTF8.self)
                .trimmingCharacters(in: .newlines)
            guard case .notification? = try? verifier.payloadVerifier.verify(token).kind else { continue }
            let name = Comment(rawValue: file.lastPathComponent)
            let notification = try verifier.notification(token).payloadValue
            #expect(notification.jsonRepresentation == payloadBytes(of: token), name)
            let members = try JSONTree.members(of: notification.jsonRepresentation)
            #expect(members == notification.asMembers.filter { $0.value != .null }, name)
            if case .unknown = notification.meaning { Issue.record("\(name): \(notification.meaning)") }
            if let transaction = notification.data?.transaction {
                #expect(try transaction.payloadValue.appBundleID == notification.bundleID, name)
            }
            if let renewalInfo = notification.data?.renewalInfo {
                #expect(try renewalInfo.payloadValue.environment == notification.environment, name)
            }
            #expect(notification.data?.unreadablePayloads ?? [] == [], name)
            count += 1
        }
        #expect(count > 10)
    }

    /// The payload, decoded independently of the library.
    private func payloadBytes(of token: String) -> Data? {
        let segment = token.split(separator: ".")[1].replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: segment + String(repeating: "=", count: (4 - segment.count % 4) % 4))
    }
}

/// The folder of genuine payloads.
private enum GenuineNotifications {
    static let folder = ProcessInfo.processInfo.environment["GENUINE_PAYLOADS"].map { URL(filePath: $0) }

    static func files() throws -> [URL] {
        let folder = try #require(folder).appending(path: "jws")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "jws" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
