import DocumentationSamples
import Foundation
import Minting
import RepositoryFiles
import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Runs the documentation's samples, and compares them with the pages.
@Suite struct DocumentationTests {
    private let token = UUID()

    private var own: [String: String] { ["appAccountToken": "\"\(token.uuidString.lowercased())\""] }

    private func anchors() throws -> [TrustAnchor] {
        [TrustAnchor(der: try TestPKI.p256().root.der())]
    }

    private func notification(
        _ type: String, transaction: String, renewalInfo: String? = nil, bundle: String = "com.example.garden"
    ) throws -> String {
        var data = [
            "appAppleId": "1234567890", "bundleId": "\"\(bundle)\"", "environment": #""Production""#,
            "signedTransactionInfo": "\"\(try Signed.token(transaction))\"",
        ]
        if let renewalInfo { data["signedRenewalInfo"] = "\"\(try Signed.token(renewalInfo))\"" }
        return Signed.object([
            "notificationType": "\"\(type)\"", "notificationUUID": "\"\(UUID())\"", "version": #""2.0""#,
            "signedDate": "\(Signed.day(3))", "data": Signed.object(data),
        ])
    }

    @Test(arguments: [
        ("StoreKitVerify", "TransactionDescription"),
        ("FromADeviceToAServer", "PurchaseService"),
        ("InAWebService", "NotificationEndpoint"), ("WhenTheBusinessModelChanges", "BusinessModel"),
        ("ComingFromApplesServerLibrary", "NotificationHandler"),
        ("AppReceipts", "ReceiptService"), ("YourOwnStore", "JournalStore"),
    ])
    func `a page shows the tested sample, line for line`(page: String, sample: String) throws {
        let code = try Repository.text("Tests/Support/DocumentationSamples/\(sample).swift")
        let shown = try Repository.text("Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/\(page).md")
            .components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(shown == [code])
    }

    @Test func `the first sample describes a transaction, and refuses one of another app`() throws {
        func description(of jws: String, bundleID: String = "com.example.garden") throws -> String {
            try DocumentationSamples.description(of: jws, bundleID: bundleID, anchors: anchors())
        }
        let level = Signed.transactionPayload(id: 1, product: "level")
        #expect(try description(of: Signed.token(level)) == "level in Production")
        #expect(try description(of: Signed.tampered(level)) == "not verified: invalidSignature")
        #expect(throws: PayloadError.self) {
            try description(of: Signed.token(level), bundleID: "com.example")
        }
    }

    @Test
    func
        `the sample of a store keeps what it acknowledged, and leaves out a purchase whose line was changed`()
        async throws
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bought = try Signed.transaction(
            Signed.transactionPayload(id: 1, product: "level", type: "Non-Consumable", own))
        let info = try Signed.renewalInfo(Signed.renewalPayload(original: 1, signed: 2, own))
        let store = try DocumentationSamples.journalStore(path: path, verifier: Signed.verifier())
        var news = store.transactions(of: .appAccountToken(token)).makeAsyncIterator()
        try await store.apply(bought)
        try await store.apply(info)
        try await store.finish(bought.payloadValue)
        #expect(await news.next()?.id == 1)
        // A crash may cut off a line.
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("eyJ".utf8))
        let again = try DocumentationSamples.journalStore(path: path, verifier: Signed.verifier())
        let history = try await again.history(of: .appAccountToken(token))
        #expect(history.currentEntitlements(at: Signed.instant(9)).map(\.id) == [1])
        #expect(history.unfinished.isEmpty)
        #expect(history.purchases.first?.renewalInfo == (try info.payloadValue))
        // Another purchase, in an object as an older version of the sample wrote it.
        let other = try Signed.transaction(
            Signed.transactionPayload(id: 2, product: "door", type: "Non-Consumable", own))
        try file.seekToEnd()
        try file.write(
            contentsOf: Data("{\"signedTransactionInfo\":\"\(other.jwsRepresentation)\"}\n".utf8))
        // The signature of the first purchase's renewal information.
        let end = UInt64((bought.jwsRepresentation + info.jwsRepresentation).utf8.count)
        try file.seek(toOffset: end - 40)
        try file.write(contentsOf: Data("AAAA".utf8))
        let rest = try await DocumentationSamples.journalStore(path: path, verifier: Signed.verifier())
            .history(of: .appAccountToken(token))
        #expect(rest.currentEntitlements(at: Signed.instant(9)).map(\.id) == [2])
        try file.seekToEnd()
        try file.write(contentsOf: Data("nonsense\n".utf8))
        #expect(throws: PayloadError.self) {
            _ = try DocumentationSamples.journalStore(path: path, verifier: Signed.verifier())
        }
    }

    @Test func `the sample of a business model finds who paid for the app`() async throws {
        let store = InMemoryTransactionStore()
        func app(_ version: String, _ download: String, signed: Int = 0, _ others: [String: String] = [:])
            -> String
        {
            Signed.object(
                [
                    "bundleId": #""com.example.garden""#, "receiptType": #""Production""#,
                    "applicationVersion": #""2.1""#, "originalApplicationVersion": "\"\(version)\"",
                    "originalPurchaseDate": "\(Signed.day(0))", "appTransactionId": "\"\(download)\"",
                    "receiptCreationDate": "\(Signed.day(signed))",
                ].merging(others) { $1 })
        }
        func apply(_ payload: String) async throws {
            try await store.apply(Signed.verifier().appTransaction(Signed.token(payload)))
        }
        try await apply(app("1.4", "704"))
        try await apply(app("1.4", "705", signed: 2, ["revocationDate": "\(Signed.day(1))"]))
        try await apply(app("1.4", "705"))
        try await apply(app("2.0", "706"))
        try await apply(app("1.0", "707", ["receiptType": #""Sandbox""#]))
        let level = own.merging(["appTransactionId": #""704""#]) { $1 }
        try await store.apply(
            Signed.transaction(Signed.transactionPayload(id: 1, type: "Non-Consumable", level)))
        func hasPaid(_ customer: Customer) async throws -> Bool {
            try await DocumentationSamples.hasPaidForApp(customer, store)
        }
        #expect(try await hasPaid(.appTransactionID("704")))
        #expect(try await hasPaid(.appAccountToken(token)), "by the download that the purchase names")
        for download in ["705", "706", "707", "708"] {
            #expect(try await !hasPaid(.appTransactionID(download)), "\(download)")
        }
        #expect(try await store.history(of: .everyone).appTransactions.count == 4)
    }

    @Test func `the sample of a web service answers with the statuses of its page`() async throws {
        let store = InMemoryTransactionStore()
        let endpoint = try DocumentationSamples.Endpoint(
            store: store, bundleID: "com.example.garden", appAppleID: 1_234_567_890, anchors: anchors())
        let level = Signed.transactionPayload(id: 1, product: "level", type: "Non-Consumable", own)
        func body(_ transaction: String, bundle: String = "com.example.garden") throws -> String {
            #"{"signedPayload":"\#(try Signed.token(notification("ONE_TIME_CHARGE", transaction: transaction, bundle: bundle)))"}"#
        }
        func answer(_ body: String) async -> Int { await endpoint.answer(to: Data(body.utf8)) }
        let good = try body(level)
        #expect(await answer(good) == 200)
        #expect(await answer(good + "\n") == 200)
        let owned = try await store.currentEntitlements(of: .appAccountToken(token), at: Signed.instant(9))
        #expect(owned.map(\.productID) == ["level"])
        #expect(try await answer(body(level, bundle: "com.example.pond")) == 421)
        #expect(await answer("{}") == 400)
        #expect(await answer(String(repeating: "a", count: 2_000_000)) == 413)
        #expect(try await answer(Signed.tampered(notification("TEST", transaction: level))) == 403)
        let full = try DocumentationSamples.Endpoint(
            store: BrokenStore(), bundleID: "com.example.garden", appAppleID: 1_234_567_890,
            anchors: anchors())
        #expect(await full.answer(to: Data(good.utf8)) == 503)
    }

    @Test func `the sample from a device to a server says what a customer owns`() async throws {
        let service = try DocumentationSamples.Service(bundleID: "com.example.garden", anchors: anchors())
        let level = Signed.transactionPayload(
            id: 1, product: "level", type: "Non-Consumable", purchased: 1, own)
        try await service.receive(transaction: Signed.token(level))
        let subscription = Signed.transactionPayload(id: 2, product: "plus", purchased: 2, expires: 32, own)
        let renewalInfo = Signed.renewalPayload(
            original: 2, product: "plus", signed: 33,
            [
                "isInBillingRetryPeriod": "true", "expirationIntent": "2",
                "gracePeriodExpiresDate": "\(Signed.day(40))",
            ])
        let signed = try Signed.token(
            notification("DID_FAIL_TO_RENEW", transaction: subscription, renewalInfo: renewalInfo))
        try await service.receive(notification: Data(#"{"signedPayload":"\#(signed)"}"#.utf8))
        #expect(await service.productIDs(of: token, at: Signed.instant(20)) == ["level", "plus"])
        #expect(await service.productIDs(of: token, at: Signed.instant(39)) == ["level", "plus"])
        #expect(await service.productIDs(of: token, at: Signed.instant(41)) == ["level"])
        #expect(await service.productIDs(of: UUID(), at: Signed.instant(20)) == [])
        await #expect(throws: VerificationResult<Transaction>.VerificationError.invalidSignature) {
            try await service.receive(transaction: Signed.tampered(level))
        }
    }

    @Test func `the sample for users of Apple's server library handles notifications, and a history`()
        throws
    {
        let handler = try DocumentationSamples.Handler(
            bundleID: "com.example.garden", appAppleID: 1_234_567_890, anchors: anchors())
        let transaction = Signed.transactionPayload(id: 1, product: "plus", purchased: 1, expires: 31)
        let renewal = try notification("DID_RENEW", transaction: transaction)
        #expect(handler.line(for: try Signed.token(renewal)) == "DID_RENEW, plus: renewed")
        #expect(
            handler.line(for: try Signed.tampered(renewal)) == "not from the App Store: invalidSignature")
        let other = try notification("DID_RENEW", transaction: transaction, bundle: "com.example")
        #expect(
            handler.line(for: try Signed.token(other)).hasPrefix("not for this app, or not to be read: "))
        let history = try handler.history(of: [
            Signed.token(transaction),
            Signed.token(Signed.transactionPayload(id: 2, original: 1, product: "plus", purchased: 31)),
        ])
        #expect(history.all().map(\.id) == [2, 1])
        #expect(throws: PayloadError.self) {
            try handler.history(of: [Signed.tampered(transaction)])
        }
    }

    @Test func `the sample for app receipts reads a receipt, and refuses one of another app`()
        throws
    {
        let service = try DocumentationSamples.Receipts(
            bundleID: "com.example.garden", anchors: SignedReceipt.anchors())
        var (level, coins) = (ReceiptContent.Purchase(), ReceiptContent.Purchase())
        (level.productType, level.productIdentifier) = (.nonConsumable, "level")
        (level.transactionIdentifier, level.originalTransactionIdentifier) = ("1", "1")
        (coins.productType, coins.productIdentifier) = (.consumable, "coins")
        (coins.transactionIdentifier, coins.originalTransactionIdentifier) = ("2", "2")
        let subscription = ReceiptContent(ReceiptContent.Purchase())
        let purchases = [ReceiptContent(level), ReceiptContent(coins), subscription]
        var app = ReceiptContent.App()
        (app.environment, app.identifier) = ("Production", 1_234_567_890)
        let receipt = try SignedReceipt.base64(ReceiptContent(app, purchases: purchases))
        let plus = ReceiptContent.Purchase().productIdentifier
        let end = try #require(SignedReceipt.date("2026-01-06T05:46:30Z"))
        #expect(try service.productIDs(in: receipt, at: end - 1) == ["level", plus])
        #expect(try service.productIDs(in: receipt, at: end) == ["level"])
        let file = try #require(Data(base64Encoded: receipt))
        #expect(try service.originalIDs(in: file) == [1, 2, 2_000_000_900_000_000])
        app.bundleIdentifier = "com.example"
        let other = try SignedReceipt.base64(ReceiptContent(app))
        #expect(throws: PayloadError.self) {
            try service.productIDs(in: other, at: end)
        }
    }
}
