import Foundation
import RepositoryFiles
import SignedPayloads
import StoreKitVerify
import Testing

/// Notifications that Apple really signed. They are not in the repository: see
/// `PrivateTestData`.
@Suite(
    .enabled(
        if: PrivateTestData.genuine.folder != nil,
        "PRIVATE_TEST_DATA names no folder with Apple's payloads"))
struct NotificationGenuineTests {
    @Test func `every notification from Apple is read, and no member is lost`() throws {
        let verifier = StoreKitVerifier(try SignedPayloadVerifier())
        var count = 0
        for file in try PrivateTestData.genuine.files(in: "jws", extension: "jws") {
            let token = String(decoding: try Data(contentsOf: file), as: UTF8.self)
                .trimmingCharacters(in: .newlines)
            guard case .notification? = try? verifier.payloads.verify(token).kind else { continue }
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

    /// The notifications that have a transaction, in the order in which they were signed.
    private func notifications() throws -> [(name: String, notification: ServerNotification)] {
        let verifier = StoreKitVerifier(try SignedPayloadVerifier())
        return try PrivateTestData.genuine.files(in: "jws", extension: "jws").compactMap { file in
            let token = String(decoding: try Data(contentsOf: file), as: UTF8.self)
                .trimmingCharacters(in: .newlines)
            guard case .notification? = try? verifier.payloads.verify(token).kind else { return nil }
            let notification = try verifier.notification(token).payloadValue
            guard notification.data?.transaction != nil else { return nil }
            return (String(file.lastPathComponent.prefix(3)), notification)
        }.sorted { $0.notification.signedDate < $1.notification.signedDate }
    }

    private func add(
        _ notification: ServerNotification, to history: inout PurchaseHistory, withRenewalInfo: Bool = true
    ) throws {
        if let transaction = notification.data?.transaction { try history.add(transaction) }
        if withRenewalInfo, let renewalInfo = notification.data?.renewalInfo { try history.add(renewalInfo) }
    }

    @Test func `the state is Apple's own, after each notification, with what came before or without`() throws
    {
        var (history, count) = (PurchaseHistory(), 0)
        for (name, notification) in try notifications() {
            try add(notification, to: &history)
            var alone = PurchaseHistory()
            try add(notification, to: &alone)
            guard let status = notification.data?.status else { continue }
            let group = try notification.data?.transaction?.payloadValue.subscriptionGroupID
            for known in [history, alone] {
                let states = known.statuses(for: group, at: notification.signedDate).map(\.state)
                #expect(states == [status], Comment(rawValue: name))
            }
            count += 1
        }
        #expect(count >= 10)
    }

    @Test func `renewal information of before an upgrade does not extend it`() throws {
        var history = PurchaseHistory()
        for (name, notification) in try notifications() where ["022", "023"].contains(name) {
            try add(notification, to: &history, withRenewalInfo: name == "022")
        }
        let instant = try Date("2025-10-06T05:22:00Z", strategy: .iso8601)
        #expect(history.currentEntitlements(at: instant) == [])
        #expect(history.statuses(at: instant).map(\.state) == [.expired])
    }

    @Test func `a refund of a past period does not end the present one`() throws {
        var history = PurchaseHistory()
        for (name, notification) in try notifications() where ["029", "031"].contains(name) {
            try add(notification, to: &history)
            guard name == "031" else { continue }
            #expect(notification.accessChange == .ends)
            let entitled = history.currentEntitlements(at: notification.signedDate).map(\.productID)
            #expect(entitled == ["com.getsession.org.pro_sub_3_months"])
        }
    }

    /// The payload, decoded independently of the library.
    private func payloadBytes(of token: String) -> Data? {
        let segment = token.split(separator: ".")[1].replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: segment + String(repeating: "=", count: (4 - segment.count % 4) % 4))
    }
}
