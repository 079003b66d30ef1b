import CAllocationCounter
import Foundation
import Minting
import PayloadOutput
import RepositoryFiles
import SeededRandom
import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Compares rows with the values of StoreKit's types, and the writers of rows with one another.
@Suite struct RowReaderTests {
    private static let trees: [(kind: SignedPayloadKind, tree: PayloadTree)] = [
        (.transaction, TypedPayloads.transaction), (.renewalInfo, TypedPayloads.renewalInfo),
        (.appTransaction, TypedPayloads.appTransaction), (.realtimeRequest, TypedPayloads.realtimeRequest),
        (.notification, TypedPayloads.notification),
    ]
    private static let names = RowColumn.all.map(\.name)

    /// Rows, one after the other, in both forms.
    private struct Writers {
        var reader = RowReader()
        let json = RowJSONWriter()
        let csv = RowCSVWriter()

        /// The row that was read, from its JSON. It must be the same as the one of its CSV.
        func row() throws -> ParsedRow {
            var (line, record): ([UInt8], [UInt8]) = ([], [])
            json.append(reader, to: &line)
            csv.append(reader, to: &record)
            let row = try ParsedRow(json: line)
            #expect(row.names == names)
            #expect(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1)
            let fields = ParsedRow.records(csv: record)
            #expect(fields == [names.map { row.values[$0]?.field }])
            return row
        }

        mutating func row(
            _ kind: SignedPayloadKind, _ json: [UInt8], inner: [String: [UInt8]] = [:]
        ) throws -> ParsedRow {
            reader.begin(line: nil)
            reader.read(json.span, of: kind) { path, body in
                if let payload = inner[path] { body(payload.span) }
            }
            return try row()
        }
    }

    @Test func `the columns have different names, and the types of their values`() throws {
        #expect(Set(Self.names.map { $0.lowercased() }).count == Self.names.count)
        for column in RowColumn.all {
            #expect(column.name.allSatisfy { $0.isASCII && $0.isLetter }, "\(column.name)")
            #expect(
                column.origins.isEmpty || column.type == .boolean || !column.origins[0].isEmpty,
                "\(column.name)")
        }
        #expect(RowColumn.all.count > 100)
    }

    @Test func `a payload with every member fills every column`() throws {
        var writers = Writers()
        var filled: Set<String> = []
        let transaction = Array(TypedPayloads.transaction.json { "" }.utf8)
        let renewal = Array(TypedPayloads.renewalInfo.json { "" }.utf8)
        for (kind, tree) in Self.trees {
            let json = Array(tree.json { "" }.utf8)
            let inner =
                kind == .notification
                ? ["data.signedTransactionInfo": transaction, "data.signedRenewalInfo": renewal] : [:]
            let row = try writers.row(kind, json, inner: inner)
            #expect(row.values == (try RowOracle.row(kind, json, inner: inner)))
            #expect(row.values.count > 8)
            filled.formUnion(row.values.keys)
        }
        let others: PayloadTree = .object([
            ("notificationType", "\"EXTERNAL_PURCHASE_TOKEN\""),
            ("data", .object([("consumptionRequestReason", "\"LEGAL\"")])),
            (
                "summary",
                .object([
                    ("storefrontCountryCodes", .array(["\"AUT\""])), ("succeededCount", "5"),
                    ("failedCount", "0"),
                ])
            ),
            (
                "externalPurchaseToken",
                .object([
                    ("externalPurchaseId", "\"SANDBOX_1\""), ("tokenType", "\"IN_APP\""),
                    ("tokenCreationDate", "1767225601254"), ("tokenExpirationDate", "1767225601255"),
                ])
            ),
            ("unclaimInfo", .object([("unclaimSeatIds", .array(["\"3f2504e0\""]))])),
        ])
        let json = Array(others.json { "" }.utf8)
        let row = try writers.row(.notification, json)
        #expect(row.values == (try RowOracle.row(.notification, json)))
        filled.formUnion(row.values.keys)
        filled.formUnion(try Self.surroundings())
        #expect(Set(Self.names).subtracting(filled) == [])
    }

    /// The columns of a failure, a file, an envelope and an app receipt.
    private static func surroundings() throws -> Set<String> {
        var writers = Writers()
        writers.reader.setFile("a \"b\"\u{202e}.jws")
        writers.reader.begin(line: 7)
        writers.reader.read(PayloadError(.fixedDateOutOfRange, member: "data.x"))
        writers.reader.read(
            envelope: Array(#"{"signedPayload":"a.b.c", "receivedAt" : 17, "id":"x\u0041"}"#.utf8).span,
            isVerified: false)
        let failure = try writers.row()
        #expect(failure.values["file"] == .string("a \"b\"\u{202e}.jws"))
        #expect(failure.values["line"] == .number("7"))
        #expect(failure.values["verified"] == .bool(false))
        #expect(failure.values["failedMember"] == .string("data.x"))
        #expect(failure.values["retryable"] == .bool(false))
        #expect(failure.values["envelope"] == .string(#"{"receivedAt":17,"id":"x\u0041"}"#))
        #expect(failure.values["kind"] == nil)

        var app = ReceiptContent.App()
        (app.environment, app.identifier) = ("Production", 1_234_567_890)
        let receipt = try SignedReceipt.appReceipt(
            ReceiptContent(app, purchases: [ReceiptContent(ReceiptContent.Purchase())]))
        writers.reader.begin(line: 8)
        writers.reader.read(receipt, transactions: Array(#"[{"id":"1"}]"#.utf8))
        let row = try writers.row()
        #expect(row.values["bundleID"]?.field == receipt.bundleID)
        #expect(row.values["appAppleID"] == .string("1234567890"))
        #expect(row.values["signedDate"]?.field == receipt.signedDate.map(TypedOracle.iso8601))
        #expect(row.values["receiptTransactions"] == .string(#"[{"id":"1"}]"#))
        #expect(row.values["error"] == nil)
        // Only receipts of the Volume Purchase Program expire.
        return Set(failure.values.keys).union(row.values.keys).union(["receiptExpirationDate"])
    }

    @Test func `only a receipt of volume purchases expires`() throws {
        let content = ReceiptContent(ReceiptContent.App()).setting(21, date: "2027-12-06T05:46:40Z")
        var writers = Writers()
        writers.reader.begin(line: nil)
        writers.reader.read(try SignedReceipt.appReceipt(content), transactions: Array("[]".utf8))
        #expect(try writers.row().values["receiptExpirationDate"] == .string("2027-12-06T05:46:40.000Z"))
    }

    private static let changed = TestScale.size(small: 500, usual: 500, large: 5_000)

    @Test(arguments: 0..<4) func `changed payloads give what StoreKit's types read`(seed: UInt64) throws {
        var random = SplitMix64(seed: 0x52 + seed)
        var writers = Writers()
        var differing = 0
        let inner = Self.trees.prefix(3).map { Array($0.tree.json { "" }.utf8) }
        for number in 0..<Self.changed {
            var (kind, tree) = Self.trees[number % Self.trees.count]
            for _ in 0..<Int.random(in: 1...6, using: &random) { tree.change(&random) }
            guard case .object = tree else { continue }
            let isSpaced = Int.random(in: 0..<4, using: &random) == 0
            let json = Array(
                tree.json { isSpaced ? ["", " ", "\n", "\t\r "].randomElement(using: &random) ?? "" : "" }
                    .utf8)
            var inside: [String: [UInt8]] = [:]
            if kind == .notification, Bool.random(using: &random) {
                inside["data.signedTransactionInfo"] = inner[0]
                if Bool.random(using: &random) { inside["data.signedRenewalInfo"] = inner[1] }
                if Bool.random(using: &random) { inside["appData.signedAppTransactionInfo"] = inner[2] }
            }
            let row = try writers.row(kind, json, inner: inside).values
            let expected = try RowOracle.row(kind, json, inner: inside)
            guard row != expected else { continue }
            differing += 1
            if differing < 4 {
                let columns = Set(row.keys).union(expected.keys).filter { row[$0] != expected[$0] }
                for column in columns {
                    Issue.record(
                        "\(column): \(row[column] as Any), not \(expected[column] as Any)\n\(String(decoding: json, as: UTF8.self))"
                    )
                }
            }
        }
        #expect(differing == 0)
    }

    @Test func `each single value in each member gives what StoreKit's types read`() throws {
        var random = SplitMix64(seed: 53)
        var writers = Writers()
        for (kind, tree) in Self.trees {
            guard case .object(let members) = tree else { continue }
            for index in members.indices {
                for _ in 0..<60 {
                    var changed = members
                    changed[index].value = .scalar(PayloadTree.value(&random))
                    let json = Array(PayloadTree.object(changed).json { "" }.utf8)
                    let row = try writers.row(kind, json).values
                    #expect(
                        row == (try RowOracle.row(kind, json)), "\(String(decoding: json, as: UTF8.self))")
                }
            }
        }
    }

    // MARK: - Typed output

    /// The properties of typed output, and the columns that have the same value.
    private static let columns: [SignedPayloadKind: [String: String]] = [
        .transaction: [
            "id": "transactionID", "originalID": "originalTransactionID",
            "appBundleID": "bundleID", "purchasedQuantity": "quantity", "reason": "transactionReason",
            "revocationReason": "revocationReasonNumber", "signedDate": "transactionSignedDate",
        ],
        .renewalInfo: [
            "originalTransactionID": "renewalOriginalTransactionID",
            "autoRenewPreference": "autoRenewProductID", "expirationReason": "expirationReasonNumber",
            "currency": "renewalCurrency", "environment": "renewalEnvironment",
            "signedDate": "renewalSignedDate", "appAccountToken": "renewalAppAccountToken",
            "appTransactionID": "renewalAppTransactionID",
        ],
        .appTransaction: [
            "appID": "appAppleID", "originalPurchaseDate": "appOriginalPurchaseDate",
            "revocationDate": "appRevocationDate",
        ],
        .notification: ["status": "statusNumber", "version": "notificationVersion"],
    ]
    private static let offer = [
        "id": "offerID", "type": "offerTypeNumber", "paymentMode": "offerPaymentMode",
        "period": "offerPeriod",
    ]

    /// A value of typed output.
    private enum Typed: Decodable {
        case object([String: Typed])
        case array
        case field(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .field("\(flag)")
            } else if let number = try? container.decode(Decimal.self) {
                self = .field(number.description)
            } else if let text = try? container.decode(String.self) {
                self = .field(text)
            } else if let object = try? container.decode([String: Typed].self) {
                self = .object(object)
            } else {
                self = .array
            }
        }
    }

    /// Compares a payload's typed output with its row. Returns how many values were compared.
    private static func compare(
        _ typed: [String: Typed], _ kind: SignedPayloadKind, _ row: [String: ParsedRow.Value],
        isInside: Bool = false
    ) -> Int {
        var count = 0
        for (name, value) in typed {
            switch (name, value) {
            case ("transaction", .object(let inner)):
                count += compare(inner, .transaction, row, isInside: true)
            case ("renewalInfo", .object(let inner)):
                count += compare(inner, .renewalInfo, row, isInside: true)
            case ("appTransaction", .object(let inner)):
                count += compare(inner, .appTransaction, row, isInside: true)
            case ("offer", .object(let members)):
                for case (let member, .field(let text)) in members {
                    let column = offer[member] ?? member
                    let isRenewal = kind == .renewalInfo
                    let name = isRenewal ? "renewalO" + column.dropFirst() : column
                    #expect(row[name]?.field == text, "\(kind) \(name)")
                }
            case ("willAutoRenew", .field(let flag)):
                #expect((row["autoRenewStatusNumber"] == .number("1")) == (flag == "true"))
            // The columns' `signedDate` is the notification's.
            case ("signedDate", _) where kind == .appTransaction && isInside: break
            // The value of typed output for an absent member.
            case (_, .field("")), (_, .field("00000000-0000-0000-0000-000000000000")): break
            case (let name, .field(let text)):
                let column = columns[kind]?[name] ?? name
                #expect(row[column]?.field == text, "\(kind) \(column)")
                count += 1
            // Commitments and raw texts are compared by the other tests.
            case (_, .object), (_, .array): break
            }
        }
        return count
    }

    private static func compare(_ files: [URL], _ verifier: SignedPayloadVerifier) throws -> Int {
        var (typed, writers, count) = (TypedWriter(), Writers(), 0)
        for file in files {
            for line in try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline) {
                guard let payload = try? verifier.verify(line: String(line)) else { continue }
                let inner = Dictionary(
                    uniqueKeysWithValues: payload.nested.map { ($0.member, $0.payload.json) })
                let row = try writers.row(payload.kind, payload.json, inner: inner)
                #expect(row.values == (try RowOracle.row(payload.kind, payload.json, inner: inner)))
                var text: [UInt8] = []
                let isWritten = try? typed.append(payload.json.span, of: payload.kind, to: &text) {
                    path, body in
                    if let json = inner[path] { body(json.span) }
                }
                guard isWritten == true else { continue }
                let object = try JSONDecoder().decode([String: Typed].self, from: Data(text))
                count += compare(object, payload.kind, row.values)
            }
        }
        return count
    }

    @Test func `the committed vectors have the values of typed output`() throws {
        let folder = Repository.vectors
        let anchors = try ["root", "p256-root"].map { name in
            TrustAnchor(der: [UInt8](try Data(contentsOf: folder.appending(path: "pki/\(name).der"))))
        }
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: "valid"), includingPropertiesForKeys: nil)
        let count = try Self.compare(
            files.filter { $0.pathExtension == "jws" }, try SignedPayloadVerifier(anchors: anchors))
        #expect(count > 500)
    }

    @Test(
        .enabled(
            if: PrivateTestData.genuine.folder != nil,
            "PRIVATE_TEST_DATA names no folder with Apple's payloads"))
    func `genuine payloads have the values of typed output`() throws {
        let files = try PrivateTestData.genuine.files(in: "jws")
        #expect(try Self.compare(files, try SignedPayloadVerifier()) > 500)
    }

    // MARK: - Around the payload

    @Test(arguments: [
        (#"{"signedPayload":"a.b.c"}"#, nil), (#"{"signedPayload":"a.b.c","a":1}"#, #"{"a":1}"#),
        (" {\"a\":1}", nil), ("a.b.c", nil), ("", nil), (#"{"a":1"#, nil), (#"{"a":1} x"#, nil),
        (
            #"{ "a" : [1 , {"signedPayload":2}] , "signedTransactionInfo" : null }"#,
            #"{"a":[1 , {"signedPayload":2}]}"#
        ),
        (
            #"{"signedPayl\u006fad":"a","b":null,"c":true,"d":false,"b":-1.50e3}"#,
            #"{"b":null,"c":true,"d":false,"b":-1.50e3}"#
        ),
        (
            "{\"a\u{7f}\u{202e}\":\t\"\u{9b}é\",\"signedPayload\":\"x\",\"l\":[\r1,\t\"\u{200b}\"]}",
            #"{"a\u007f\u202e":"\u009bé","l":[1,"# + "\t" + #""\u200b"]}"#
        ),
        (#"{"receipt-data":"MIIT","password":"p"}"#, #"{"password":"p"}"#),
        (#"{"signedPayload":"a\"b","x":1}"#, #"{"x":1}"#),
    ])
    func `the envelope has the other members, on one line and visible`(line: String, envelope: String?) throws
    {
        var writers = Writers()
        for isVerified in [false, true] {
            // A line that was verified is JSON, or a token.
            if isVerified, (try? JSONSerialization.jsonObject(with: Data(line.utf8))) == nil { continue }
            writers.reader.begin(line: 1)
            writers.reader.read(envelope: Array(line.utf8).span, isVerified: isVerified)
            #expect(try writers.row().values["envelope"]?.field == envelope, "\(line)")
        }
    }

    @Test func `failures keep their texts, however many there are`() throws {
        var writers = Writers()
        for round in 0..<3 {
            for number in 0..<20 {
                let error = PayloadError(
                    .tooLarge(bytes: number, limit: 1), member: number.isMultiple(of: 2) ? nil : "data.\u{1b}"
                )
                writers.reader.begin(line: round * 20 + number + 1)
                writers.reader.read(error)
                let values = try writers.row().values
                #expect(values["error"] == .string("tooLarge"))
                #expect(values["message"] == .string(error.message))
                #expect(values["detail"] == .string(error.detail))
                #expect(values["failedMember"]?.field == error.member)
                #expect(values["line"] == .number("\(round * 20 + number + 1)"))
                #expect(values["verified"] == .bool(false) && values["retryable"] == .bool(false))
                #expect(values.count == (error.member == nil ? 6 : 7))
            }
        }
    }

    @Test(.enabled(if: allocation_count_of_thread() >= 0, "allocations cannot be counted here"))
    func `ordinary payloads and failures allocate nothing`() throws {
        var reader = RowReader()
        let (json, csv) = (RowJSONWriter(), RowCSVWriter())
        var output: [UInt8] = []
        let payloads = Self.trees.prefix(4).map { (kind: $0.kind, json: Array($0.tree.json { "" }.utf8)) }
        let notification = Array(
            #"{"notificationType":"DID_RENEW","signedDate":1767225601254,"data":{"bundleId":"b","status":1}}"#
                .utf8)
        let error = PayloadError(.tooLarge(bytes: 2, limit: 1))
        let transaction = payloads[0].json
        func run() -> Int64 {
            let before = allocation_count_of_thread()
            for line in 0..<10 {
                output.removeAll(keepingCapacity: true)
                for index in payloads.indices {
                    let (kind, payload) = payloads[index]
                    reader.begin(line: line)
                    reader.read(payload.span, of: kind) { _, _ in }
                    json.append(reader, to: &output)
                    csv.append(reader, to: &output)
                }
                reader.begin(line: line)
                reader.read(notification.span, of: .notification) { path, body in
                    if path == "data.signedTransactionInfo" { body(transaction.span) }
                }
                json.append(reader, to: &output)
                reader.begin(line: line)
                reader.read(error)
                json.append(reader, to: &output)
            }
            return allocation_count_of_thread() - before
        }
        #expect(run() > 0, "the counter counts")
        let allocations = run()
        #expect(allocations == 0)
    }
}
