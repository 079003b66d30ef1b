import CommandProcesses
import Foundation
import Minting
import TestMinting
import Testing

/// The command `entitlements`, and the output of payloads with StoreKit's names.
@Suite struct EntitlementsCommandTests {
    /// A day of 2026 in milliseconds since 1970, by its number of days after 1 January.
    private static func day(_ day: Int) -> Int { 1_767_225_600_000 + day * 86_400_000 }

    private static let at = ["--at", "2026-01-21"]
    private static let token = "7edea87d-98f0-42d0-9682-49ca81022f73"

    private func sign(_ payload: String) throws -> String {
        try TestPKI.standard().minter().token(payload: payload)
    }

    private func transaction(
        _ id: Int, product: String, type: String, purchased: Int, expires: Int? = nil, others: String = ""
    ) throws -> String {
        let expiry = expires.map { #","expiresDate":\#(Self.day($0))"# } ?? ""
        return try sign(
            #"{"transactionId":"\#(id)","originalTransactionId":"\#(id)","bundleId":"com.example.garden","productId":"\#(product)","type":"\#(type)","purchaseDate":\#(Self.day(purchased)),"originalPurchaseDate":\#(Self.day(purchased)),"quantity":1,"inAppOwnershipType":"PURCHASED","environment":"Production","price":4990,"currency":"USD","signedDate":\#(Self.day(purchased) + 7919)\#(expiry)\#(others)}"#
        )
    }

    private func input() throws -> [UInt8] {
        let renewal = try sign(
            #"{"originalTransactionId":"3","productId":"plus","autoRenewProductId":"plus","autoRenewStatus":1,"isInBillingRetryPeriod":true,"expirationIntent":2,"gracePeriodExpiresDate":\#(Self.day(30)),"environment":"Production","signedDate":\#(Self.day(16))}"#
        )
        let inner = try transaction(
            3, product: "plus", type: "Auto-Renewable Subscription", purchased: 1, expires: 15)
        let notification = try sign(
            #"{"notificationType":"DID_FAIL_TO_RENEW","subtype":"GRACE_PERIOD","notificationUUID":"\#(UUID())","version":"2.0","signedDate":\#(Self.day(16)),"data":{"bundleId":"com.example.garden","environment":"Production","signedTransactionInfo":"\#(inner)","signedRenewalInfo":"\#(renewal)"}}"#
        )
        let lines = [
            notification,
            try transaction(
                1, product: "level", type: "Non-Consumable", purchased: 2,
                others: #","appAccountToken":"\#(Self.token)""#),
            try transaction(2, product: "coins", type: "Consumable", purchased: 3),
            try transaction(
                4, product: "gone", type: "Auto-Renewable Subscription", purchased: 3, expires: 10),
            try transaction(5, product: "later", type: "Non-Consumable", purchased: 90),
            "not a token",
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }

    private struct Line: Decodable {
        var productID: String
        var productType: String
        var state: String?
        var id: String
        var purchaseDate: String
        var expirationDate: String?
        var gracePeriodExpirationDate: String?
        var willAutoRenew: Bool?
        var appAccountToken: String?
        var environment: String?
        var customers: [String]?
    }

    private func lines(_ run: CommandProcess) throws -> [Line] {
        try run.output.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Line.self, from: Data($0))
        }
    }

    @Test func `a past instant is judged by what is known today, or by what was known then`() throws {
        func owned(_ option: String, _ date: String) throws -> Bool {
            let run = try CommandProcess(
                ["entitlements", "--quiet", option, date] + CommandProcess.root, input: input())
            return run.text.contains(#""productID":"plus""#)
        }
        // The grace period began on 16 January, and the App Store said so a day later.
        #expect(try owned("--at", "2026-01-16T12:00:00Z"))
        #expect(try !owned("--as-of", "2026-01-16T12:00:00Z"))
        #expect(try owned("--as-of", "2026-01-17"))
        let both = try CommandProcess(
            ["entitlements", "--as-of", "2026-01-17", "--at", "2026-01-17"] + CommandProcess.root, input: [])
        #expect(both.status == 64 && both.diagnostics.contains("give one of them"))
    }

    @Test func `entitlements at an instant come from payloads of all kinds, as NDJSON in a pipe`() throws {
        let run = try CommandProcess(["entitlements"] + CommandProcess.root + Self.at, input: input())
        #expect(run.status == 1, "one line is no token")
        #expect(run.diagnostics.contains("line 6: invalidEncoding"))
        let lines = try lines(run)
        #expect(lines.map(\.productID) == ["level", "plus"])
        #expect(lines.map(\.state) == [nil, "inGracePeriod"])
        #expect(lines[1].expirationDate == "2026-01-16T00:00:00.000Z")
        #expect(lines[1].gracePeriodExpirationDate == "2026-01-31T00:00:00.000Z")
        #expect(lines[1].willAutoRenew == true)
        #expect(lines[0].appAccountToken == Self.token)
    }

    @Test func `the entitlements depend on the instant and the customer`() throws {
        func products(_ options: [String]) throws -> [String] {
            try lines(CommandProcess(["entitlements"] + CommandProcess.root + options, input: input())).map(
                \.productID)
        }
        #expect(try products(["--at", "2026-01-02"]) == ["plus"])
        #expect(try products(["--at", "2026-02-15"]) == ["level"])
        #expect(try products(["--at", "2026-06-01"]) == ["level", "later"])
        #expect(try products(Self.at + ["--customer", Self.token]) == ["level"])
        #expect(try products(Self.at + ["--customer", "original-transaction:3"]) == ["plus"])
        #expect(try products(Self.at + ["--customer", "app-transaction:704"]) == [])
    }

    @Test func `each customer, app and environment has its own entitlements, and each line says whose it is`()
        throws
    {
        let other = "0f3c2b7e-0d3a-4e58-9b64-8a2f5c7d1e90"
        func level(_ id: Int, _ token: String?, _ others: String = "") throws -> String {
            let owner = token.map { #","appAccountToken":"\#($0)""# } ?? ""
            return try transaction(
                id, product: "level", type: "Non-Consumable", purchased: id, others: owner + others)
        }
        let download = #","appTransactionId":"704""#
        let lines = [
            try level(1, Self.token), try level(2, Self.token, download), try level(3, other),
            try level(4, nil),
            try sign(
                #"{"transactionId":"6","originalTransactionId":"6","bundleId":"com.example.garden","productId":"level","type":"Non-Consumable","purchaseDate":\#(Self.day(6)),"originalPurchaseDate":\#(Self.day(6)),"environment":"Sandbox","appAccountToken":"\#(Self.token)","signedDate":\#(Self.day(6))}"#
            ),
        ]
        func owned(_ options: [String] = []) throws -> [Line] {
            try self.lines(
                CommandProcess(
                    ["entitlements"] + CommandProcess.root + Self.at + options,
                    input: Array(lines.joined(separator: "\n").utf8)))
        }
        let all = try owned()
        #expect(
            all.map(\.id) == ["2", "3", "4", "6"],
            "customers by their lowest original transaction, the first by 1")
        #expect(all.first?.customers == [Self.token, "app-transaction:704", "original-transaction:2"])
        #expect(all[2].customers == ["original-transaction:4"])
        let mine = try owned(["--customer", Self.token, "--customer", "original-transaction:4"])
        #expect(mine.map(\.id) == ["6", "4"])
    }

    @Test func `lines that are not verified can be counted instead of named`() throws {
        let run = try CommandProcess(
            ["entitlements", "--quiet", "--summary"] + CommandProcess.root + Self.at,
            input: input() + [10, 10])
        #expect(run.status == 1)
        #expect(
            run.diagnostics
                == "storekit-verify: 6 lines, 5 verified, 1 not (invalidEncoding 1: segmentCount 1), 1 empty skipped\n"
        )
        #expect(try lines(run).count == 2)
    }

    /// A payload of before 2022 names no environment. A notification of another app stays a failure if only its number tells.
    @Test func `purchases of other apps and environments are left out and counted`() throws {
        func level(_ id: Int, _ members: String, _ original: Int? = nil) throws -> String {
            try sign(
                #"{"transactionId":"\#(id)","originalTransactionId":"\#(original ?? id)","productId":"level","type":"Non-Consumable","purchaseDate":\#(Self.day(id)),"originalPurchaseDate":\#(Self.day(id)),"signedDate":\#(Self.day(id)),\#(members)}"#
            )
        }
        let lines = [
            try level(1, #""bundleId":"com.example.garden""#),
            try level(2, #""bundleId":"com.example.garden","environment":"Production""#, 1),
            try level(3, #""bundleId":"com.example.garden","environment":"Sandbox""#),
            try level(4, #""bundleId":"com.example.other","environment":"Production""#),
        ]
        func run(_ options: [String], _ lines: [String]) throws -> CommandProcess {
            try CommandProcess(
                ["entitlements", "--summary"] + CommandProcess.root + Self.at + options,
                input: Array(lines.joined(separator: "\n").utf8))
        }
        let selected = try run(["--environment", "Production", "--bundle-id", "com.example.garden"], lines)
        #expect(selected.status == 0)
        #expect(try self.lines(selected).map(\.id) == ["2"])
        // The first purchase's own payload names no environment.
        let first = try CommandProcess(
            ["entitlements", "--at", "2026-01-02T12:00:00Z"] + CommandProcess.root,
            input: Array(lines.joined(separator: "\n").utf8))
        #expect(try self.lines(first).map(\.environment) == ["Production"])
        #expect(
            selected.diagnostics
                == "storekit-verify: 4 lines, 4 verified, 0 not, 0 empty skipped, 2 purchases of other apps or environments left out\n"
        )
        #expect(try self.lines(run(["--environment", "Sandbox"], lines)).map(\.id) == ["3"])
        let other = try sign(
            #"{"notificationType":"DID_RENEW","notificationUUID":"\#(UUID())","version":"2.0","signedDate":\#(Self.day(2)),"data":{"appAppleId":2,"bundleId":"com.example.garden","environment":"Production","signedTransactionInfo":"\#(lines[1])"}}"#
        )
        let refused = try run(["--environment", "Production", "--app-apple-id", "1"], [other])
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(refused.diagnostics.contains("wrongAppAppleIdentifier 1"))
    }

    /// A purchase that no payload lists beside one that both have, and an answer of the App Store Server API.
    @Test func `receipts and answers of the App Store Server API are read as lines are`() throws {
        var app = ReceiptContent.App()
        (app.environment, app.identifier) = ("Production", 1)
        var (listed, both) = (ReceiptContent.Purchase(), ReceiptContent.Purchase())
        (listed.productType, listed.productIdentifier) = (.nonConsumable, "old")
        (listed.transactionIdentifier, listed.originalTransactionIdentifier) = ("90", "90")
        (both.productType, both.productIdentifier) = (.nonConsumable, "level")
        (both.transactionIdentifier, both.originalTransactionIdentifier) = ("1", "1")
        let receipt = try ReceiptPKI.standard().minter().receipt(
            ReceiptContent(app, purchases: [ReceiptContent(listed), ReceiptContent(both)]))
        let level = try transaction(1, product: "level", type: "Non-Consumable", purchased: 2)
        let roots =
            CommandProcess.root + [
                "--root", CommandProcess.vectors.appending(path: "pki/receipt-root.pem").path,
            ]
        func run(_ command: String, _ options: [String], _ input: String) throws -> CommandProcess {
            try CommandProcess([command] + options + roots + Self.at, input: Array(input.utf8))
        }
        let lines = try run("entitlements", [], "\(receipt)\n\(level)\n")
        #expect(lines.status == 0, "\(lines.diagnostics)")
        #expect(try self.lines(lines).map(\.productID) == ["level", "old"])
        #expect(
            lines.text.split(separator: "\n").map { $0.contains(#""isFromReceipt":true"#) } == [false, true])
        // Of other apps and environments, as with payloads.
        let filter = ["--environment", "Sandbox", "--summary"]
        let filtered = try run("entitlements", filter, "\(receipt)\n\(level)\n")
        #expect(filtered.status == 0 && filtered.output.isEmpty)
        #expect(filtered.diagnostics.contains("2 purchases of other apps or environments left out"))
        let documents = """
            {"signedTransactions": ["\(level)"],
             "hasMore": false}
            {"receipt-data": "\(receipt)"}
            """
        for command in ["entitlements", "charges", "periods"] {
            let answer = try run(command, ["--any-json"], documents)
            #expect(answer.status == 0, "\(answer.diagnostics)")
            #expect(try answer.text == run(command, [], "\(level)\n\(receipt)\n").text)
            #expect(answer.text.split(separator: "\n").count == 2)
        }
        let damaged = try run("entitlements", ["--any-json"], #"{"data":[{"signedTransactionInfo":"x"}]}"#)
        #expect(damaged.status == 1)
        #expect(damaged.diagnostics.contains("line 1: invalidEncoding at data[0].signedTransactionInfo:"))
        #expect(try run("charges", ["--any-json", "--database", "x.db"], "").status == 64)
    }

    @Test func `text output is laid out for people`() throws {
        let run = try CommandProcess(
            ["entitlements", "--output", "text"] + CommandProcess.root + Self.at, input: input())
        #expect(run.text.hasPrefix("2 entitlements at 2026-01-21T00:00:00.000Z\n\n✓ level\n"))
        #expect(run.text.contains("  state         inGracePeriod until 2026-01-31T00:00:00.000Z\n"))
        let none = try CommandProcess(["entitlements", "--output", "text"] + Self.at)
        #expect(none.status == 0 && none.text == "0 entitlements at 2026-01-21T00:00:00.000Z\n")
    }

    @Test(
        "nonsense is a usage error",
        arguments: [
            ["--customer", "me"], ["--customer", "original-transaction:x"], ["--at", "soon"],
            ["--output", "xml"],
        ])
    func refusesNonsense(arguments: [String]) throws {
        let run = try CommandProcess(["entitlements"] + arguments)
        #expect(run.status == 64 && run.output.isEmpty)
    }

    @Test func `a file that cannot be read does not affect the others`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.file("some.jws", input()).path
        let run = try CommandProcess(
            ["entitlements"] + CommandProcess.root + Self.at + [folder.url.path + "/none", file])
        #expect(run.status == 66)
        #expect(try lines(run).count == 2)
        #expect(run.diagnostics.contains("some.jws:6: invalidEncoding"))
    }

    @Test func `the typed view has StoreKit's names, dates to the millisecond and decimal prices`() throws {
        let run = try CommandProcess(["--output", "typed"] + CommandProcess.root, input: input())
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(
            lines[1].hasPrefix(
                #"{"line":2,"verified":true,"type":"transaction","value":{"id":"1","originalID":"1","appBundleID":"com.example.garden","productID":"level","productType":"Non-Consumable","purchaseDate":"2026-01-03T00:00:00.000Z","#
            ))
        #expect(lines[1].contains(#""price":4.99,"currency":"USD","signedDate":"2026-01-03T00:00:07.919Z""#))
        #expect(lines[0].contains(#""type":"notification","value":{"notificationType":"DID_FAIL_TO_RENEW""#))
        #expect(lines[0].contains(#""renewalInfo":{"originalTransactionID":"3","#))
        #expect(lines[5].hasPrefix(#"{"line":6,"verified":false,"error":"invalidEncoding""#))
        for line in lines { #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil) }
    }

    @Test func `the typed view has nested values, and leaves out absent members`() throws {
        let rich = try transaction(
            7, product: "plus", type: "Auto-Renewable Subscription", purchased: 1, expires: 31,
            others:
                #","commitmentInfo":{"billingPeriodNumber":3,"totalBillingPeriods":12,"commitmentPrice":59880,"commitmentExpiresDate":\#(Self.day(365))},"advancedCommerceInfo":{"requestReferenceId":"r","taxRate":"0.15","items":[{"SKU":"s1","price":990,"refunds":[{"refundAmount":500,"refundType":"FULL"}]}]}"#
        )
        let plain = try sign(
            #"{"originalTransactionId":"7","productId":"plus","autoRenewStatus":0,"environment":"Production","signedDate":\#(Self.day(2))}"#
        )
        let run = try CommandProcess(
            ["--output", "typed"] + CommandProcess.root, input: Array("\(rich)\n\(plain)\n".utf8))
        let lines = run.text.split(separator: "\n")
        #expect(run.status == 0 && lines.count == 2)
        #expect(
            lines[0].contains(
                #""commitmentInfo":{"expirationDate":"2027-01-01T00:00:00.000Z","billingPeriodNumber":3,"totalBillingPeriods":12,"price":59.88}"#
            ))
        #expect(
            lines[0].contains(
                #""advancedCommerceInfo":{"requestReferenceID":"r","taxRate":0.15,"items":[{"details":{"sku":"s1"},"price":0.99,"refunds":[{"amount":0.5,"type":"FULL"}]}]}"#
            ))
        #expect(!lines[1].contains("recentSubscriptionStartDate") && !lines[1].contains("commitmentInfo"))
    }

    @Test func `in the typed view, a receipt has the names of app transactions and transactions`() throws {
        let purchase = ReceiptContent(ReceiptContent.Purchase()).setting(1713, number: 1)
        let content = ReceiptContent(ReceiptContent.App(), purchases: [purchase]).removing(4)
            .setting(5, [1, 2, 3])
        let receipt = try ReceiptPKI.standard().minter().receipt(content)
        let root = CommandProcess.vectors.appending(path: "pki/receipt-root.pem").path
        let run = try CommandProcess(["--output", "typed", "--root", root], input: Array(receipt.utf8))
        #expect(run.status == 0)
        #expect(
            run.text == """
                {"line":1,"verified":true,"type":"receipt","value":{"appVersion":"31",\
                "bundleID":"com.example.garden","environment":"Sandbox","originalAppVersion":"1.0",\
                "originalPurchaseDate":"2013-08-01T07:00:00.000Z","signedDate":"2025-12-06T05:46:40.000Z",\
                "deviceVerification":"AQID","transactions":[{"id":"2000000900000001",\
                "originalID":"2000000900000000","webOrderLineItemID":"2000000080000001",\
                "productID":"com.example.garden.plus.monthly","productType":"Auto-Renewable Subscription",\
                "purchaseDate":"2025-12-06T05:46:30.000Z","originalPurchaseDate":"2025-11-05T05:46:30.000Z",\
                "expirationDate":"2026-01-06T05:46:30.000Z","purchasedQuantity":1,"isTrialPeriod":true,\
                "isInIntroOfferPeriod":false,"offer":{"type":1,"paymentMode":"FREE_TRIAL"}}]}}

                """)
    }

    @Test func `the typed view refuses a payload without a required property, and names it`() throws {
        let incomplete = try sign(#"{"transactionId":"1","signedDate":\#(Self.day(1))}"#)
        let unknown = try sign(#"{"signedDate":\#(Self.day(1)),"x":1}"#)
        let run = try CommandProcess(
            ["--output", "typed", "--summary"] + CommandProcess.root,
            input: Array("\(incomplete)\n\(unknown)\n".utf8))
        #expect(run.status == 1)
        let verdicts = try run.verdicts()
        #expect(verdicts[0].error == "missingRequiredProperties" && verdicts[0].detail == "missingProperty")
        #expect(verdicts[0].message?.contains("originalTransactionId") ?? false)
        #expect(verdicts[1].verified && verdicts[1].type == "unknown")
        #expect(
            run.diagnostics.contains(
                "2 lines, 1 verified, 1 not (missingRequiredProperties 1: missingProperty 1)"))
    }
}
