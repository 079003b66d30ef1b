#if SQLite
    import DatabaseFolders
    import Foundation
    import PurchaseDatabase
    import SignedPayloads
    import StoreKitFixtures
    import StoreKitVerify
    import Testing
    import WireFormats

    /// Checks what becomes of payloads that a program sends.
    @Suite struct SubmittedPurchasesTests {
        private let folder: DatabaseFolder

        init() throws { folder = try DatabaseFolder() }

        private func submit(
            _ tokens: [String], to store: SQLiteTransactionStore
        ) async throws -> (verdicts: [Result<ReadyPayload, PayloadError>], outcomes: [ImportOutcome]) {
            var (lines, buffer): ([BatchLine], [UInt8]) = ([], [])
            for token in tokens {
                let start = buffer.count
                buffer += token.utf8
                lines.append(.content(start..<buffer.count))
            }
            let verdicts = try store.verified(lines, of: buffer)
            return (verdicts, try await store.keep(verdicts.compactMap { try? $0.get() }))
        }

        @Test func `what is verified is kept, and nothing else`() async throws {
            let store = try folder.open()
            let payload = Signed.transactionPayload(id: 1, expires: 30)
            let request = Signed.object([
                "originalTransactionId": #""1""#, "appAppleId": "1", "productId": #""level""#,
                "userLocale": #""de""#, "requestIdentifier": "\"\(UUID())\"", "environment": #""Production""#,
                "signedDate": "\(Signed.day(1))",
            ])
            let tokens = try [
                Signed.token(payload), Signed.tampered(Signed.transactionPayload(id: 2)),
                Signed.token(request),
                Signed.token(Signed.renewalPayload(original: 1, signed: 1)), Signed.token(payload),
            ]
            let (verdicts, outcomes) = try await submit(tokens, to: store)
            #expect(verdicts.map { (try? $0.get()) != nil } == [true, false, true, true, true])
            #expect(outcomes.prefix(3) == [.new, .noPurchase(.realtimeRequest), .new])
            #expect(try folder.count("payload") == 2)
            #expect(try folder.count("finished") == 0)
            let again = try await submit(tokens, to: folder.open())
            #expect(again.outcomes == [.known, .noPurchase(.realtimeRequest), .known, .known])
        }

        @Test func `a notification is remembered, and its payloads are kept`() async throws {
            let id = UUID()
            let data = try [
                "bundleId": #""com.example.garden""#, "environment": #""Production""#,
                "signedTransactionInfo": "\"\(Signed.token(Signed.transactionPayload(id: 7, expires: 30)))\"",
                "signedRenewalInfo": "\"\(Signed.token(Signed.renewalPayload(original: 7, signed: 1)))\"",
            ]
            let notification = Signed.object([
                "notificationType": #""DID_RENEW""#, "notificationUUID": "\"\(id.uuidString)\"",
                "version": #""2.0""#, "signedDate": "\(Signed.day(1))", "data": Signed.object(data),
            ])
            let store = try folder.open()
            let (verdicts, outcomes) = try await submit([Signed.token(notification)], to: store)
            #expect(try verdicts[0].get().values.count == 2)
            #expect(outcomes == [.new])
            #expect(try await store.hasApplied(id))
            #expect(try folder.count("payload") == 2)
        }

        @Test func `a payload without a member that its type requires is not verified`() async throws {
            let store = try folder.open()
            let token = try Signed.token(Signed.transactionPayload(id: 1, ["productId": "null"]))
            let (verdicts, outcomes) = try await submit([token], to: store)
            #expect(throws: PayloadError.self) { _ = try verdicts[0].get() }
            #expect(outcomes.isEmpty)
            #expect(try folder.count("payload") == 0)
        }
    }
#endif
