import Foundation
import Minting
import RepositoryFiles
import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import TestMinting
import Testing

/// Reads verified receipts with StoreKit's names.
@Suite struct ReceiptTests {
    private typealias InApp = Minting.ReceiptAttribute.InApp

    @Test func `a production receipt reads with the names and types of an app transaction`() throws {
        var app = ReceiptContent.App()
        (app.environment, app.identifier, app.originalVersion) = ("Production", 1_234_567_890, "7")
        app.requestDate = "2025-12-06T05:46:39Z"
        let content = ReceiptContent(app).setting(21, date: "2026-12-06T00:00:00Z")
        let receipt = try SignedReceipt.appReceipt(content)
        #expect(receipt.appID == 1_234_567_890)
        #expect(receipt.appVersion == "31")
        #expect(receipt.appVersionID == 860_000_001)
        #expect(receipt.bundleID == "com.example.garden")
        #expect(receipt.environment == .production)
        #expect(receipt.originalAppVersion == "7")
        #expect(receipt.originalPurchaseDate == SignedReceipt.date("2013-08-01T07:00:00Z"))
        #expect(receipt.signedDate == SignedReceipt.date("2025-12-06T05:46:40Z"))
        #expect(receipt.requestDate == SignedReceipt.date("2025-12-06T05:46:39Z"))
        #expect(receipt.expirationDate == SignedReceipt.date("2026-12-06T00:00:00Z"))
        #expect(receipt.deviceVerification == Data(content.value(of: 5)))
        #expect(receipt.deviceVerificationNonce == Data(content.value(of: 4)))
        #expect(receipt.transactions == [])
        #expect(receipt.receipt.content == content.der)
        #expect(receipt.debugDescription.hasPrefix(#"{"receiptType":"Production""#))
    }

    @Test func `a subscription in a receipt reads with the names and types of a transaction`() throws {
        let transaction = try #require(
            try SignedReceipt.transaction(ReceiptContent(ReceiptContent.Purchase())))
        #expect(transaction.id == 2_000_000_900_000_001)
        #expect(transaction.originalID == 2_000_000_900_000_000)
        #expect(transaction.webOrderLineItemID == "2000000080000001")
        #expect(transaction.productID == "com.example.garden.plus.monthly")
        #expect(transaction.productType == .autoRenewable)
        #expect(transaction.purchaseDate == SignedReceipt.date("2025-12-06T05:46:30Z"))
        #expect(transaction.originalPurchaseDate == SignedReceipt.date("2025-11-05T05:46:30Z"))
        #expect(transaction.expirationDate == SignedReceipt.date("2026-01-06T05:46:30Z"))
        #expect(transaction.purchasedQuantity == 1)
        #expect(transaction.revocationDate == nil)
        #expect(transaction.isTrialPeriod == false && transaction.isInIntroOfferPeriod == false)
        #expect(transaction.offer == nil)
    }

    @Test func `a cancellation is a revocation`() throws {
        let purchase = ReceiptContent(ReceiptContent.Purchase())
            .setting(InApp.cancellationDate, date: "2025-12-06T05:46:35Z")
        let transaction = try SignedReceipt.transaction(purchase)
        #expect(transaction?.revocationDate == SignedReceipt.date("2025-12-06T05:46:35Z"))
    }

    @Test(arguments: [
        ("Production", AppStore.Environment.production), ("ProductionVPP", .production),
        ("ProductionSandbox", .sandbox), ("ProductionVPPSandbox", .sandbox), ("Sandbox", .sandbox),
        ("Another", AppStore.Environment(rawValue: "Another")),
    ])
    func `a receipt's type becomes one of StoreKit's environments, or is kept`(
        type: String, environment: AppStore.Environment
    ) throws {
        var app = ReceiptContent.App()
        app.environment = type
        let receipt = try SignedReceipt.appReceipt(ReceiptContent(app))
        #expect(receipt.environment == environment)
        #expect(receipt.receipt.receiptType == type)
    }

    @Test func `a property whose attribute is missing is nil`() throws {
        let created = try #require(SignedReceipt.attribute(12, "date"))
        let bare = ReceiptContent([created]).appending(purchases: [ReceiptContent([])])
        let receipt = try SignedReceipt.appReceipt(bare)
        #expect(receipt.appID == nil && receipt.appVersion == nil && receipt.appVersionID == nil)
        #expect(receipt.bundleID == nil && receipt.environment == nil && receipt.originalAppVersion == nil)
        #expect(receipt.originalPurchaseDate == nil && receipt.expirationDate == nil)
        #expect(receipt.requestDate == nil && receipt.signedDate != nil)
        #expect(receipt.deviceVerification == nil && receipt.deviceVerificationNonce == nil)
        let transaction = try #require(receipt.transactions.first)
        #expect(transaction.id == nil && transaction.originalID == nil && transaction.productID == nil)
        #expect(transaction.webOrderLineItemID == nil && transaction.productType == nil)
        #expect(transaction.purchaseDate == nil && transaction.originalPurchaseDate == nil)
        #expect(transaction.expirationDate == nil && transaction.revocationDate == nil)
        #expect(transaction.purchasedQuantity == nil && transaction.isTrialPeriod == nil)
        #expect(transaction.isInIntroOfferPeriod == nil && transaction.offer == nil)
    }

    @Test func `a number of 0 reads as nil`() throws {
        var coins = ReceiptContent.Purchase()
        coins.productType = .consumable
        let receipt = try SignedReceipt.appReceipt(
            ReceiptContent(ReceiptContent.App(), purchases: [ReceiptContent(coins)]))
        #expect(receipt.receipt.appID == 0 && receipt.appID == nil)
        #expect(receipt.receipt.appVersionID == 0 && receipt.appVersionID == nil)
        #expect(receipt.transactions.first?.purchase.webOrderLineItemID == 0)
        #expect(receipt.transactions.first?.webOrderLineItemID == nil)
    }

    @Test(arguments: [
        ("0", 0), ("18446744073709551615", UInt64.max), ("18446744073709551616", nil), ("+1", nil),
        ("-1", nil), ("1 ", nil), ("١", nil), ("2000000900000001-1", nil), ("", nil),
    ])
    func `an identifier is a number or nil`(text: String, number: UInt64?) throws {
        let purchase = ReceiptContent(ReceiptContent.Purchase())
            .setting(InApp.transactionIdentifier, text: text)
            .setting(InApp.originalTransactionIdentifier, text: text)
        let transaction = try #require(try SignedReceipt.transaction(purchase))
        #expect(transaction.id == number && transaction.originalID == number)
        #expect(transaction.purchase.transactionID == (text.isEmpty ? nil : text))
    }

    @Test(arguments: [
        (0, Product.ProductType.nonConsumable), (1, .consumable), (2, .nonRenewable), (3, .autoRenewable),
        (4, Product.ProductType(rawValue: "4")),
    ])
    func `a product's type has StoreKit's name, or keeps its number`(
        number: Int, type: Product.ProductType
    ) throws {
        let purchase = ReceiptContent(ReceiptContent.Purchase()).setting(InApp.productType, number: number)
        #expect(try SignedReceipt.transaction(purchase)?.productType == type)
    }

    @Test(arguments: [
        (0, 0, nil, nil, nil, nil), (1, 0, nil, Transaction.OfferType.introductory, true, nil),
        (0, 1, nil, .introductory, nil, nil), (0, 0, "spring", .promotional, nil, "spring"),
        (1, 0, "spring", .promotional, true, "spring"), (1, 1, nil, .introductory, true, nil),
    ])
    func `an offer is read from the attributes that tell of one`(
        trial: Int, introductory: Int, identifier: String?, type: Transaction.OfferType?, isFree: Bool?,
        id: String?
    ) throws {
        var purchase = ReceiptContent(ReceiptContent.Purchase())
            .setting(InApp.isTrialPeriod, number: trial)
            .setting(InApp.isIntroductoryOfferPeriod, number: introductory)
        if let identifier {
            purchase = purchase.setting(InApp.promotionalOfferIdentifier, text: identifier)
        }
        let offer = try #require(try SignedReceipt.transaction(purchase)).offer
        #expect(offer?.type == type && offer?.id == id && offer?.period == nil)
        #expect(offer?.paymentMode == (isFree == nil ? nil : .freeTrial))
    }

    @Test func `purchases stand in the receipt's order, even if one is there twice`() throws {
        let identifiers = ["3", "1", "2", "1"]
        let purchases = identifiers.map {
            ReceiptContent(ReceiptContent.Purchase()).setting(InApp.transactionIdentifier, text: $0)
        }
        var content = ReceiptContent(ReceiptContent.App(), purchases: purchases)
        content.isSorted = false
        let transactions = try SignedReceipt.appReceipt(content).transactions
        #expect(transactions.map(\.id) == [3, 1, 2, 1])
        #expect(transactions[1] == transactions[3] && transactions[1] != transactions[2])
        #expect(Set(transactions).count == 3)
    }

    // MARK: - Doors

    @Test func `a receipt's file is its bytes, or their base64 in lines`() throws {
        let base64 = try SignedReceipt.base64(ReceiptContent(ReceiptContent.App()))
        let data = try #require(Data(base64Encoded: base64))
        let lines = data.base64EncodedData(options: [.lineLength64Characters, .endLineWithCarriageReturn])
        let verifier = try SignedReceipt.verifier()
        let receipts = try Set([
            verifier.appReceipt(base64), verifier.appReceipt(file: data), verifier.appReceipt(file: lines),
        ])
        #expect(receipts.count == 1)
        #expect(try verifier.appReceipt(base64) == AppReceipt(verifier.verify(base64)))
    }

    @Test func `a receipt in a batch gives the same value, and other payloads give none`() throws {
        let base64 = try SignedReceipt.base64(ReceiptContent(ReceiptContent.App()))
        let token = try Signed.token(Signed.transactionPayload(id: 1))
        let receipts = try SignedReceipt.verifier()
        let batch = BatchVerifier(try Signed.verifier().payloads, receipts: receipts)
        let payloads = try batch.verify([base64, token]).map { try $0.get() }
        #expect(try payloads.map(AppReceipt.init) == [receipts.appReceipt(base64), nil])
    }

    @Test func `a receipt that does not verify gives the reason and no value`() throws {
        let verifier = try SignedReceipt.verifier()
        let content = ReceiptContent(ReceiptContent.App())
        var template = try ReceiptPKI.standard().minter().signedData(content.der)
        template.signers[0].signature[17] ^= 1
        let failures = [
            (template.base64, PayloadError.Code.invalidSignature),
            (try ReceiptPKI.forged().minter().receipt(content), .invalidCertificateChain),
            (String(try SignedReceipt.base64(content).dropLast(64)), .invalidEncoding),
            (try Signed.token("{}"), .invalidEncoding),
            (try SignedReceipt.base64(content.removing(12)), .missingRequiredProperties),
        ]
        for (text, code) in failures {
            let error = #expect(throws: PayloadError.self) {
                try verifier.appReceipt(text)
            }
            #expect(error?.code == code)
        }
    }

    @Test func `Xcode's receipt says so, under its own certificate alone`() throws {
        let identity = try XcodeReceiptIdentity()
        let purchase = ReceiptContent.xcode(purchase: ReceiptContent.Purchase())
        let base64 = try identity.minter().receipt(.xcode(purchases: [purchase]))
        let pinned = try ReceiptVerifier(anchors: [TrustAnchor(der: identity.template.der())])
        let receipt = try pinned.appReceipt(base64)
        #expect(receipt.environment == .xcode)
        #expect(receipt.signedDate == SignedReceipt.date("2025-12-06T05:46:40Z"))
        #expect(receipt.originalPurchaseDate == nil && receipt.expirationDate != nil)
        #expect(receipt.transactions.map(\.id) == [0])
        #expect(receipt.transactions.first?.originalID == nil)
        #expect(throws: PayloadError.self) {
            try SignedReceipt.verifier().appReceipt(base64)
        }
    }

    // MARK: - Devices

    @Test func `a receipt is for the device whose hash it has`() throws {
        let device = [UInt8](1...16)
        let content = try ReceiptContent(ReceiptContent.App()).settingDeviceHash(device)
        let receipt = try SignedReceipt.appReceipt(content)
        #expect(receipt.isMade(forDevice: Data(device)))
        #expect(!receipt.isMade(forDevice: Data(device.reversed())))
        #expect(!receipt.isMade(forDevice: Data()))
        #expect(try SignedReceipt.verifier(deviceIdentifier: device).appReceipt(content.base64) == receipt)
        for type in [2, 4, 5] {
            let incomplete = try SignedReceipt.appReceipt(content.removing(type))
            #expect(!incomplete.isMade(forDevice: Data(device)))
        }
    }
}

extension ReceiptContent {
    fileprivate var base64: String { get throws { try SignedReceipt.base64(self) } }
}

/// Receipts that Apple or Xcode really signed, which are not committed: see `PrivateTestData`.
@Suite(
    .enabled(
        if: PrivateTestData.genuine.folder != nil,
        "PRIVATE_TEST_DATA names no folder with Apple's receipts"))
struct GenuineReceiptTests {
    @Test func `every receipt that Apple signed reads by StoreKit's names`() throws {
        let verifier = try ReceiptVerifier()
        var purchaseCount = 0
        for file in try PrivateTestData.genuine.files(in: "receipts") {
            let receipt = try verifier.appReceipt(file: Data(contentsOf: file))
            let name = Comment(rawValue: file.lastPathComponent)
            #expect(receipt.environment == .sandbox && receipt.appID == nil, name)
            #expect(receipt.bundleID != nil && receipt.appVersion != nil && receipt.signedDate != nil, name)
            #expect(receipt.originalAppVersion == "1.0", name)
            #expect(receipt.originalPurchaseDate == SignedReceipt.date("2013-08-01T07:00:00Z"), name)
            #expect(receipt.deviceVerification?.count == 20, name)
            #expect(!receipt.isMade(forDevice: Data(count: 16)), name)
            let transactions = receipt.transactions
            #expect(transactions.compactMap(\.id).map { "\($0)" } == receipt.receipt.transactionIDs, name)
            for transaction in transactions {
                #expect(transaction.id != nil && transaction.originalID != nil, name)
                #expect(transaction.productID != nil && transaction.purchasedQuantity == 1, name)
                #expect(transaction.purchaseDate != nil && transaction.originalPurchaseDate != nil, name)
                let isSubscription = transaction.productType == .autoRenewable
                #expect((transaction.expirationDate != nil) == isSubscription, name)
                #expect((transaction.webOrderLineItemID != nil) == isSubscription, name)
                #expect(transaction.isTrialPeriod != nil, name)
            }
            purchaseCount += transactions.count
        }
        #expect(purchaseCount > 10)
    }

    @Test func `every receipt that Xcode signed reads by StoreKit's names`() throws {
        let anchors = try PrivateTestData.genuine.files(in: "certs").filter {
            $0.lastPathComponent.hasPrefix("xcode-")
        }.map {
            TrustAnchor(der: [UInt8](try Data(contentsOf: $0)))
        }
        let verifier = try ReceiptVerifier(anchors: anchors)
        let receipts = try PrivateTestData.genuine.files(in: "xcode").filter { $0.pathExtension == "b64" }.map
        {
            try verifier.appReceipt(file: Data(contentsOf: $0))
        }
        #expect(receipts.count > 1)
        for receipt in receipts {
            #expect(receipt.environment == .xcode && receipt.bundleID != nil && receipt.signedDate != nil)
            #expect(receipt.transactions.allSatisfy { $0.id != nil && $0.productID != nil })
        }
    }
}
