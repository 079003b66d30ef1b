import CommandProcesses
import Foundation
import Minting
import RepositoryFiles
import TestMinting
import Testing

/// `storekit-verify receipt`: one app receipt a file.
@Suite struct ReceiptCommandTests {
    static let root = ["--root", CommandProcess.vectors.appending(path: "pki/receipt-root.pem").path]

    /// A line of a file of vectors, numbered from 1.
    static func vector(_ name: String, line: Int) throws -> [UInt8] {
        let text = try String(contentsOf: CommandProcess.vectors.appending(path: name), encoding: .utf8)
        return Array(try #require(text.split(separator: "\n").dropFirst(line - 1).first).utf8)
    }

    private let sandbox: [UInt8]
    private let production: [UInt8]

    init() throws {
        sandbox = try Self.vector("valid/receipts.b64", line: 1)
        production = try Self.vector("valid/receipts.b64", line: 2)
    }

    private func run(_ arguments: [String], input: [UInt8] = []) throws -> CommandProcess {
        try CommandProcess(["receipt"] + arguments, input: input)
    }

    // MARK: - Verdicts

    @Test func `the verdict equals that of verify, except for the line number`() throws {
        let verify = try CommandProcess(Self.root, input: sandbox)
        #expect(verify.text.hasPrefix(#"{"line":1,"verified":true,"type":"receipt","payload":{"#))
        let receipt = try run(Self.root, input: sandbox)
        #expect(receipt.text == "{" + verify.text.dropFirst(#"{"line":1,"#.count))
        #expect(receipt.status == 0)
        #expect(receipt.diagnostics.isEmpty)
        let failed = try run([], input: sandbox)
        let other = try CommandProcess([], input: sandbox)
        #expect(failed.text == "{" + other.text.dropFirst(#"{"line":1,"#.count))
        #expect(failed.status == 1)
    }

    @Test func `a file may be DER, base64, base64 in lines, and standard input`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let expected = try run(Self.root, input: sandbox).text
        let der = [UInt8](try #require(Data(base64Encoded: Data(sandbox))))
        let wrapped = Data(der).base64EncodedString(options: [
            .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ])
        for content in [der, sandbox + [0x0a], Array("\n \(wrapped)\r\n".utf8)] {
            let path = try folder.file("receipt", content).path
            #expect(try run(Self.root + [path]).text == expected)
            #expect(try run(Self.root + ["-"], input: content).text == expected)
        }
    }

    @Test func `several files are named, and one that cannot be read does not affect the others`()
        throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let first = try folder.file("a \"b\"", sandbox).path
        let run = try self.run(Self.root + [first, "/nonexistent/file", "-", folder.url.path], input: [0x78])
        #expect(run.status == 66)
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 2)
        let name = first.replacing("\"", with: "\\\"")
        #expect(lines.first?.hasPrefix("{\"file\":\"\(name)\",\"verified\":true,") ?? false)
        #expect(lines.last?.hasPrefix(#"{"file":"-","verified":false,"error":"invalidEncoding","#) ?? false)
        #expect(run.diagnostics.contains("/nonexistent/file: No such file"))
        #expect(run.diagnostics.contains("Is a directory"))
    }

    @Test func `--output payload is the receipts' JSON alone, and none is silence`() throws {
        let payload = try run(Self.root + ["--output", "payload"], input: sandbox)
        #expect(payload.text.hasPrefix(#"{"receiptType":"ProductionSandbox","#))
        #expect(payload.text.hasSuffix("}\n"))
        let failed = try run(["--output", "payload"], input: sandbox)
        #expect(failed.status == 1 && failed.output.isEmpty)
        #expect(failed.diagnostics.hasPrefix("storekit-verify: standard input: invalidCertificateChain: "))
        let silent = try run(["--output", "none"], input: sandbox)
        #expect(silent.status == 1 && silent.output.isEmpty && silent.diagnostics.isEmpty)
    }

    @Test func `input over the limit is not kept in memory, and endless input is cut off`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let long = try folder.file("long", [UInt8](repeating: 0x4d, count: 2001)).path
        let regular = try run(["--max-token-bytes", "2000", long])
        #expect(regular.text.contains(#""error":"tooLarge""#))
        #expect(regular.text.contains("2001 bytes long, and the limit is 2000"))
        let endless = try run(["/dev/zero"])
        #expect(endless.status == 1 && endless.text.contains(#""error":"tooLarge""#))
        let exact = try run(Self.root + ["--max-token-bytes", "\(sandbox.count)"], input: sandbox)
        #expect(exact.status == 0)
    }

    @Test func `the device is a UUID, or the address of a Mac`() throws {
        let device = "6F1C2B7E-0D3A-4E58-9B64-8A2F5C7D1E90"
        let bound = try Self.vector("valid/receipts-device-id.b64", line: 1)
        #expect(try run(Self.root + ["--device-id", device], input: bound).status == 0)
        #expect(
            try run(Self.root + ["--device-id", device], input: sandbox).text
                .contains(#""error":"invalidDeviceVerification""#))
        let address: [UInt8] = [0x3c, 0x07, 0x54, 0x0a, 0xfb, 0x2c]
        let content = try ReceiptContent(ReceiptContent.App()).settingDeviceHash(address)
        let mac = Array(try ReceiptPKI.standard().minter().receipt(content).utf8)
        for text in ["3c:07:54:0a:fb:2c", "3C-07-54-0A-FB-2C"] {
            #expect(try run(Self.root + ["--mac-address", text], input: mac).status == 0)
        }
        #expect(try run(Self.root + ["--mac-address", "3c:07:54:0a:fb:2d"], input: mac).status == 1)
    }

    @Test(
        "nonsense is a usage error",
        arguments: [
            ["--mac-address", "3c:07:54:0a:1b"], ["--mac-address", "3c:07:54:0a:1b:2c:00"],
            ["--mac-address", "3c:07:54:0a:1b:+c"], ["--mac-address", "3c-07:54:0a:1b:2c"],
            [
                "--mac-address", "3c:07:54:0a:1b:2c", "--device-id",
                "6F1C2B7E-0D3A-4E58-9B64-8A2F5C7D1E90",
            ],
            ["--receipt-json", "--transaction-ids"], ["--receipt-json", "--output", "none"],
            ["--transaction-ids", "--output", "ndjson"], ["--at", "2026-01-01"], ["--output", "typed"],
        ])
    func refusesNonsense(arguments: [String]) throws {
        let run = try run(arguments, input: sandbox)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
    }

    @Test func `a full disk gives status 74, and a reader that closes the pipe is no failure`() throws {
        let full = try CommandProcess(
            shell: "\"$0\" \"$@\" >/dev/full", ["receipt"] + Self.root, input: sandbox)
        #expect(full.status == 74)
        #expect(full.diagnostics.contains("standard output: No space left"))
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = try folder.file("receipt", sandbox).path
        let files = [String](repeating: path, count: 200)
        let closed = try CommandProcess(
            shell: "(\"$0\" \"$@\"; echo $? >&2) | head -c 1", ["receipt"] + Self.root + files)
        #expect(closed.diagnostics == "0\n")
    }

    @Test func `a file with one receipt a line is reported as several receipts`() throws {
        for count in 2...3 {
            let lines = (1...count).map { _ in sandbox + [0x0a] }.joined()
            let run = try run(Self.root, input: Array(lines))
            #expect(run.text.contains(#""detail":"severalReceipts""#))
        }
    }

    // MARK: - Transaction identifiers

    @Test func `--transaction-ids is one object a purchase, in the receipt's order`() throws {
        let ten = try Self.vector("valid/receipts.b64", line: 11)
        let all = try run(Self.root + ["--transaction-ids"], input: ten)
        #expect(all.text.split(separator: "\n").count == 10 && all.status == 0)
        #expect(
            try run(Self.root + ["--transaction-ids"], input: sandbox).text
                == #"{"transactionId":"2000000900000001","originalTransactionId":"2000000900000000","#
                + #""productId":"com.example.garden.plus.monthly","verified":true}"# + "\n")
        let failed = try run(["--transaction-ids"], input: sandbox)
        #expect(failed.status == 1 && failed.output.isEmpty)
        #expect(failed.diagnostics.contains("invalidCertificateChain"))
    }

    @Test func `a transaction's receipt from before iOS 7 gives identifiers that are not verified`() throws {
        let purchase =
            "{\n\"original-transaction-id\" = \"70001\";\n\"transaction-id\" = \"70002\";\n\"product-id\" = \"seeds\";\n}"
        let list =
            "{\n\"signature\" = \"AA==\";\n\"purchase-info\" = \"\(Base64.encoded(Array(purchase.utf8)))\";\n}"
        for input in [Array(list.utf8), Array(Base64.encoded(Array(list.utf8)).utf8)] {
            let run = try run(["--transaction-ids"], input: input)
            #expect(run.status == 1)
            #expect(
                run.text
                    == #"{"transactionId":"70002","originalTransactionId":"70001","productId":"seeds","#
                    + #""verified":false}"# + "\n")
            #expect(run.diagnostics.contains("is not verified"))
            let inspection = try CommandProcess(["inspect"], input: input)
            #expect(inspection.status == 1)
            #expect(inspection.text.contains("Transaction — UNVERIFIED"))
            #expect(inspection.text.contains("70002"))
        }
    }
}

/// `storekit-verify receipt --receipt-json`: the answers of `verifyReceipt`.
@Suite struct VerifyReceiptResponseTests {
    struct Response: Decodable {
        struct Purchase: Decodable {
            let quantity, product_id, transaction_id, original_transaction_id: String?
            let purchase_date, purchase_date_ms, purchase_date_pst: String?
            let expires_date, expires_date_ms, cancellation_date: String?
            let web_order_line_item_id, is_trial_period, is_in_intro_offer_period: String?
            let promotional_offer_id: String?
        }
        struct Receipt: Decodable {
            let receipt_type, bundle_id, application_version, original_application_version: String?
            let adam_id, app_item_id, download_id, version_external_identifier: UInt64?
            let receipt_creation_date, receipt_creation_date_ms, receipt_creation_date_pst: String?
            let request_date, request_date_ms, request_date_pst: String?
            let original_purchase_date_ms: String?
            let in_app: [Purchase]
        }
        let file: String?
        let status: Int
        let environment: String?
        let receipt: Receipt?
        let latest_receipt_info: [Purchase]?
        let latest_receipt: String?
    }

    private func run(_ arguments: [String], input: [UInt8]) throws -> (CommandProcess, Response) {
        let run = try CommandProcess(["receipt", "--receipt-json"] + arguments, input: input)
        return (run, try JSONDecoder().decode(Response.self, from: Data(run.output)))
    }

    private func vector(_ line: Int) throws -> [UInt8] {
        try ReceiptCommandTests.vector("valid/receipts.b64", line: line)
    }

    @Test func `a receipt with a subscription has latest_receipt_info and latest_receipt`() throws {
        let receipt = try vector(1)
        let (run, response) = try run(
            ReceiptCommandTests.root + ["--at", "2026-01-01T00:00:00.250Z"], input: receipt)
        #expect(run.status == 0 && run.diagnostics.isEmpty)
        #expect(run.text.hasPrefix(#"{"status":0,"environment":"Sandbox","receipt":{"receipt_type":"#))
        let content = try #require(response.receipt)
        #expect(content.receipt_type == "ProductionSandbox" && content.bundle_id == "com.example.garden")
        #expect(content.adam_id == 0 && content.app_item_id == 0 && content.download_id == 0)
        #expect(content.receipt_creation_date == "2025-12-06 05:46:40 Etc/GMT")
        #expect(content.receipt_creation_date_ms == "1765000000000")
        #expect(content.receipt_creation_date_pst == "2025-12-05 21:46:40 America/Los_Angeles")
        #expect(content.request_date == "2026-01-01 00:00:00 Etc/GMT")
        #expect(content.request_date_ms == "1767225600250")
        #expect(content.original_purchase_date_ms == "1375340400000")
        let purchase = try #require(content.in_app.first)
        #expect(purchase.quantity == "1" && purchase.is_trial_period == "false")
        #expect(purchase.is_in_intro_offer_period == "false")
        #expect(purchase.web_order_line_item_id == "2000000080000001")
        #expect(purchase.expires_date == "2026-01-06 05:46:30 Etc/GMT")
        #expect(purchase.cancellation_date == nil && purchase.promotional_offer_id == nil)
        #expect(response.latest_receipt_info?.map(\.transaction_id) == ["2000000900000001"])
        #expect(response.latest_receipt == String(decoding: receipt, as: UTF8.self))
    }

    @Test
    func `what no subscription is stays out of the latest, and an app without purchases has an empty list`()
        throws
    {
        for line in 16...18 {
            let (_, response) = try run(ReceiptCommandTests.root, input: try vector(line))
            #expect(response.status == 0 && response.receipt?.in_app.count == 1)
            #expect(response.latest_receipt_info == nil && response.latest_receipt == nil)
            #expect(response.receipt?.in_app.first?.web_order_line_item_id == nil)
        }
        let (_, empty) = try run(ReceiptCommandTests.root, input: try vector(10))
        #expect(empty.receipt?.in_app.isEmpty == true)
        let (_, production) = try run(ReceiptCommandTests.root, input: try vector(2))
        #expect(production.environment == "Production" && production.receipt?.adam_id == 1_234_567_890)
        let (_, cancelled) = try run(ReceiptCommandTests.root, input: try vector(13))
        #expect(cancelled.receipt?.in_app.first?.cancellation_date == "2025-12-06 05:46:40 Etc/GMT")
        let (_, offer) = try run(ReceiptCommandTests.root, input: try vector(14))
        #expect(offer.receipt?.in_app.first?.promotional_offer_id != nil)
    }

    @Test func `the latest are sorted by purchase date, newest first, and an expiration date tells one`()
        throws
    {
        func purchase(_ id: String, _ date: String) -> ReceiptContent {
            var purchase = ReceiptContent.Purchase()
            purchase.transactionIdentifier = id
            purchase.purchaseDate = date
            return ReceiptContent(purchase)
        }
        let content = ReceiptContent(
            ReceiptContent.App(),
            purchases: [
                purchase("1", "2025-01-01T00:00:00Z"), purchase("3", "2025-03-01T00:00:00Z"),
                purchase("2", "2025-02-01T00:00:00Z").removing(ReceiptAttribute.InApp.productType),
                purchase("0", "").removing(
                    ReceiptAttribute.InApp.productType, ReceiptAttribute.InApp.expiresDate),
            ])
        let receipt = try ReceiptPKI.standard().minter().receipt(content)
        let (_, response) = try run(ReceiptCommandTests.root, input: Array(receipt.utf8))
        #expect(response.latest_receipt_info?.map(\.transaction_id) == ["3", "2", "1", "0"])
        #expect(response.receipt?.in_app.count == 4)
    }

    @Test func `failures are the endpoint's status, and a sentence on standard error`() throws {
        let (sandbox, production) = (try vector(1), try vector(2))
        let root = ReceiptCommandTests.root
        var changed = [UInt8](try #require(Data(base64Encoded: Data(sandbox))))
        changed[changed.count - 1] ^= 1
        let cases: [(status: Int, options: [String], input: [UInt8])] = [
            (21002, root, Array("hello".utf8)), (21002, root, []),
            (21002, root + ["--max-token-bytes", "100"], sandbox),
            (21002, root, try ReceiptCommandTests.vector("invalid/06-receipt-date.b64", line: 1)),
            (21003, [], sandbox), (21003, root, changed),
            (21003, root + ["--bundle-id", "com.example.orchard"], sandbox),
            (21003, root + ["--app-apple-id", "1"], production),
            (21003, root + ["--mac-address", "3c:07:54:0a:1b:2c"], sandbox),
            (21003, root + ["--environment", "Xcode"], sandbox),
            (21007, root + ["--environment", "Production"], sandbox),
            (21007, root + ["--environment", "Production"], try vector(6)),
            (21008, root + ["--environment", "Sandbox"], production),
            (21008, root + ["--environment", "Sandbox"], try vector(5)),
        ]
        for (status, options, input) in cases {
            let run = try CommandProcess(["receipt", "--receipt-json"] + options, input: input)
            #expect(run.text == "{\"status\":\(status)}\n", "\(options)")
            #expect(run.status == 1)
            #expect(run.diagnostics.hasPrefix("storekit-verify: standard input: "))
        }
    }

    @Test func `several files are named first`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = try folder.file("receipt", try vector(1)).path
        let run = try CommandProcess(
            ["receipt", "--receipt-json"] + ReceiptCommandTests.root + [path, "-"], input: [])
        let lines = run.text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("{\"file\":\"\(path)\",\"status\":0,") ?? false)
        #expect(lines.last == "{\"file\":\"-\",\"status\":21002}")
    }

    @Test(
        "the time in Los Angeles is that of the IANA time zone database, to the second of every change",
        arguments: [
            ("2025-03-09T09:59:59Z", "2025-03-09 01:59:59"), ("2025-03-09T10:00:00Z", "2025-03-09 03:00:00"),
            ("2025-11-02T08:59:59Z", "2025-11-02 01:59:59"), ("2025-11-02T09:00:00Z", "2025-11-02 01:00:00"),
            ("2026-03-08T10:00:00Z", "2026-03-08 03:00:00"), ("2026-11-01T09:00:00Z", "2026-11-01 01:00:00"),
            ("2020-03-08T09:59:59Z", "2020-03-08 01:59:59"), ("2015-11-01T09:00:00Z", "2015-11-01 01:00:00"),
            ("2015-03-08T10:00:00Z", "2015-03-08 03:00:00"), ("2007-03-11T09:59:59Z", "2007-03-11 01:59:59"),
            ("2007-03-11T10:00:00Z", "2007-03-11 03:00:00"), ("2007-11-04T08:59:59Z", "2007-11-04 01:59:59"),
            ("2007-11-04T09:00:00Z", "2007-11-04 01:00:00"), ("2006-04-02T09:59:59Z", "2006-04-02 01:59:59"),
            ("2006-04-02T10:00:00Z", "2006-04-02 03:00:00"), ("2006-10-29T08:59:59Z", "2006-10-29 01:59:59"),
            ("2006-10-29T09:00:00Z", "2006-10-29 01:00:00"), ("2000-10-29T09:00:00Z", "2000-10-29 01:00:00"),
            ("1987-04-05T10:00:00Z", "1987-04-05 03:00:00"), ("1987-10-25T09:00:00Z", "1987-10-25 01:00:00"),
            ("2026-01-01T07:59:59Z", "2025-12-31 23:59:59"), ("2026-07-01T00:00:00Z", "2026-06-30 17:00:00"),
            ("2099-12-31T23:59:59Z", "2099-12-31 15:59:59"),
        ])
    func pacificTime(instant: String, expected: String) throws {
        let (_, response) = try run(ReceiptCommandTests.root + ["--at", instant], input: try vector(10))
        #expect(response.receipt?.request_date_pst == expected + " America/Los_Angeles")
    }
}

/// Receipts signed by Apple, which are not committed: see `PrivateTestData`.
@Suite(
    .enabled(
        if: PrivateTestData.genuine.folder != nil,
        "PRIVATE_TEST_DATA names no folder with Apple's payloads"))
struct GenuineReceiptCommandTests {
    @Test func `every receipt that Apple signed is verified with the defaults`() throws {
        let files = try PrivateTestData.genuine.files(in: "receipts", extension: "b64").map(\.path)
        #expect(files.count >= 5)
        let verdicts = try CommandProcess(["receipt"] + files)
        #expect(verdicts.status == 0)
        #expect(verdicts.text.split(separator: "\n").count == files.count)
        let responses = try CommandProcess(["receipt", "--receipt-json"] + files)
        #expect(responses.status == 0)
        var identifiers: [String?] = []
        for line in responses.text.split(separator: "\n") {
            let response = try JSONDecoder().decode(
                VerifyReceiptResponseTests.Response.self, from: Data(line.utf8))
            #expect(response.status == 0 && response.receipt != nil)
            identifiers += response.receipt?.in_app.map(\.transaction_id) ?? []
        }
        struct Line: Decodable { let transactionId: String? }
        let lines = try CommandProcess(["receipt", "--transaction-ids"] + files).text.split(separator: "\n")
        #expect(
            try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)).transactionId }
                == identifiers)
        for file in files {
            let inspection = try CommandProcess(["inspect", file])
            #expect(inspection.status == 0 && inspection.text.contains("✓ verified"))
        }
    }
}
