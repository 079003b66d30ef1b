package import Foundation
package import SignedPayloads
package import StoreKitVerify

/// Makes the samples available to the tests. The samples themselves are internal, as in a reader's own code.
package enum DocumentationSamples {
    /// Runs the sample of `StoreKitVerify.md`.
    package static func description(
        of jws: String, bundleID: String, anchors: [TrustAnchor]
    ) throws -> String {
        try describe(transaction: jws, bundleID: bundleID, anchors: anchors)
    }

    /// The sample of `FromADeviceToAServer.md`.
    package struct Service {
        private let sample: PurchaseService

        package init(bundleID: String, anchors: [TrustAnchor]) throws {
            sample = try PurchaseService(bundleID: bundleID, anchors: anchors)
        }

        package func receive(transaction jws: String) async throws {
            try await sample.receive(transaction: jws)
        }

        package func receive(notification body: Data) async throws {
            try await sample.receive(notification: body)
        }

        package func productIDs(of customer: UUID, at instant: Date) async -> Set<String> {
            await sample.productIDs(of: customer, at: instant)
        }
    }

    /// The sample of `ComingFromApplesServerLibrary.md`.
    package struct Handler {
        private let sample: NotificationHandler

        package init(bundleID: String, appAppleID: Int64, anchors: [TrustAnchor]) throws {
            sample = try NotificationHandler(bundleID: bundleID, appAppleID: appAppleID, anchors: anchors)
        }

        package func line(for signedPayload: String) -> String { sample.line(for: signedPayload) }

        package func history(of signedTransactions: [String]) throws -> PurchaseHistory {
            try sample.history(of: signedTransactions)
        }
    }

    /// The sample of `InAWebService.md`.
    package struct Endpoint {
        private let sample: NotificationEndpoint

        package init(
            store: any TransactionStore, bundleID: String, appAppleID: Int64, anchors: [TrustAnchor]
        ) throws {
            sample = try NotificationEndpoint(
                store: store, bundleID: bundleID, appAppleID: appAppleID, anchors: anchors)
        }

        package func answer(to body: Data) async -> Int { await sample.answer(to: body) }
    }

    /// Runs the sample of `WhenTheBusinessModelChanges.md`.
    package static func hasPaidForApp(
        _ customer: Customer, _ store: any TransactionStore
    ) async throws -> Bool { try await BusinessModel(store: store).hasPaidForApp(customer) }

    /// The sample of `AppReceipts.md`.
    package struct Receipts {
        private let sample: ReceiptService

        package init(bundleID: String, anchors: [TrustAnchor]) throws {
            sample = try ReceiptService(bundleID: bundleID, anchors: anchors)
        }

        package func productIDs(in receiptData: String, at instant: Date) throws -> Set<String> {
            try sample.productIDs(in: receiptData, at: instant)
        }

        package func originalIDs(in file: Data) throws -> Set<UInt64> { try sample.originalIDs(in: file) }
    }

    /// The sample of `YourOwnStore.md`.
    package static func journalStore(
        path: String, verifier: StoreKitVerifier
    ) throws -> any TransactionStore { try JournalStore(path: path, verifier: verifier) }
}
