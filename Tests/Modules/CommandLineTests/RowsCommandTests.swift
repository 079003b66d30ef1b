import CommandProcesses
import Foundation
import Minting
import Testing

/// `storekit-verify --output rows`: one row for every line, in two forms.
@Suite struct RowsCommandTests {
    /// A row of JSON: the names in their order, and the values as CSV has them; `nil` is null.
    private struct Row: Equatable {
        var names: [String] = []
        var fields: [String?] = []

        init(_ line: Substring) throws {
            #expect(line.hasPrefix("{") && line.hasSuffix("}"))
            for match in line.matches(of: /"(\w+)":(null|true|false|-?\d+|"(?:[^"\\]|\\.)*")[,}]/) {
                names.append(String(match.1))
                let value = try JSONDecoder().decode(Value.self, from: Data(match.2.utf8))
                fields.append(value.field)
            }
            // Nothing is left between the members.
            let members = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(members?.count == names.count)
        }

        subscript(name: String) -> String? { names.firstIndex(of: name).flatMap { fields[$0] } }
    }

    private struct Value: Decodable {
        let field: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                field = nil
            } else if let flag = try? container.decode(Bool.self) {
                field = "\(flag)"
            } else if let number = try? container.decode(Int.self) {
                field = "\(number)"
            } else {
                field = try container.decode(String.self)
            }
        }
    }

    private static func rows(_ text: String) throws -> [Row] {
        try text.split(separator: "\n").map(Row.init)
    }

    /// Reads CSV (RFC 4180). A field is `nil` if it is empty and not quoted.
    private static func records(_ text: String) -> [[String?]] {
        var (records, record, field): ([[String?]], [String?], String.UnicodeScalarView) = ([], [], .init())
        var (isQuoted, wasQuoted, previous): (Bool, Bool, UnicodeScalar) = (false, false, "\n")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"":
                // Two in a row stand for one.
                if !isQuoted, wasQuoted, previous == "\"" { field.append("\"") }
                (isQuoted, wasQuoted) = (!isQuoted, true)
            case "," where !isQuoted, "\n" where !isQuoted && previous == "\r":
                if scalar == "\n" { field.removeLast() }
                record.append(field.isEmpty && !wasQuoted ? nil : String(field))
                (field, wasQuoted) = (.init(), false)
                if scalar == "\n" {
                    records.append(record)
                    record = []
                }
            default: field.append(scalar)
            }
            previous = scalar
        }
        return records
    }

    private static func vectors(_ folder: String, _ type: String = "jws") throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            at: CommandProcess.vectors.appending(path: folder), includingPropertiesForKeys: nil
        ).map(\.path).filter { $0.hasSuffix(type) }.sorted()
    }

    private static let rows = ["--output", "rows"]
    private static let csv = ["--output", "rows", "--format", "csv"]

    @Test func `every vector has a row of all columns, in both forms, with the verdict of other formats`()
        throws
    {
        let roots = ["root", "receipt-root"].flatMap {
            ["--root", CommandProcess.vectors.appending(path: "pki/\($0).pem").path]
        }
        let files = try ["valid", "invalid"].flatMap { folder in
            try ["jws", "b64"].flatMap { try Self.vectors(folder, $0) }
        }
        let verdicts = try CommandProcess(roots + files).verdicts()
        let one = try CommandProcess(roots + Self.rows + ["--jobs", "1", "--audit"] + files)
        let several = try CommandProcess(roots + Self.rows + ["--jobs", "3", "--summary"] + files)
        #expect(one.output == several.output)
        #expect(one.status == 1 && one.diagnostics.isEmpty)
        #expect(several.diagnostics.contains("lines, "))
        let rows = try Self.rows(one.text)
        let records = Self.records(try CommandProcess(roots + Self.csv + files).text)
        #expect(rows.count == verdicts.count && rows.count > 1500)
        #expect(records.count == rows.count + 1)
        let names = try #require(records.first).map { $0 ?? "" }
        #expect(names.count > 100)
        for ((row, record), verdict) in zip(zip(rows, records.dropFirst()), verdicts) {
            #expect(row.names == names)
            #expect(row.fields == record, "\(verdict)")
            #expect(row["file"] == verdict.file && row["line"] == "\(verdict.line)")
            #expect(row["verified"] == "\(verdict.verified)" && row["kind"] == verdict.type)
            #expect(row["error"] == verdict.error && row["detail"] == verdict.detail)
            #expect(row["message"] == verdict.message && row["failedMember"] == verdict.at)
            #expect(row["retryable"] == (verdict.verified ? nil : "\(verdict.retryable ?? false)"))
        }
        #expect(
            rows.contains { $0["kind"] == "receipt" && $0["receiptTransactions"]?.hasPrefix("[{") == true })
    }

    @Test func `a payload gives the same columns alone and inside a notification, bare and wrapped`() throws {
        let minter = try TestPKI.standard().minter()
        let transaction = #"""
            {"transactionId":"7","originalTransactionId":"6","bundleId":"com.example.garden","productId":"plus",
            "type":"Auto-Renewable Subscription","purchaseDate":1760000000000,"price":4990,"currency":"EUR",
            "revocationReason":1,"revocationDate":1760000000001,"revocationPercentage":33333,
            "offerType":9,"signedDate":1760000000123,"environment":"Production"}
            """#
        let token = try minter.token(payload: transaction)
        let notification = try minter.token(
            payload: #"""
                {"notificationType":"REFUND","notificationUUID":"5D12DDE6-AC41-4A06-9E45-731FB5D35AC3","version":"2.0",
                "signedDate":1760000000456,"data":{"bundleId":"com.example.garden","environment":"Production",
                "status":5,"signedTransactionInfo":"\#(token)"}}
                """#)
        let input = "\(token)\n{\"signedPayload\":\"\(notification)\",\"receivedAt\":17}\n"
        let run = try CommandProcess(CommandProcess.root + Self.rows, input: Array(input.utf8))
        #expect(run.status == 0)
        let rows = try Self.rows(run.text)
        #expect(rows.count == 2)
        let (alone, inside) = (try #require(rows.first), try #require(rows.last))
        let differing = alone.names.indices.filter { alone.fields[$0] != inside.fields[$0] }
        #expect(
            differing.map { alone.names[$0] } == [
                "line", "kind", "notificationType", "meaning", "accessChange", "notificationUUID",
                "notificationVersion", "status", "statusNumber", "signedDate", "envelope",
            ])
        for (name, value) in [
            ("file", nil), ("transactionID", "7"), ("price", "4.99"), ("revocationPercentage", "33.333"),
            ("revocationReason", "developerIssue"), ("revocationReasonNumber", "1"), ("offerType", nil),
            ("offerTypeNumber", "9"), ("quantity", "1"), ("isUpgraded", "false"),
            ("purchaseDate", "2025-10-09T08:53:20.000Z"), ("status", "revoked"), ("statusNumber", "5"),
            ("meaning", "refunded"), ("accessChange", "ends"), ("signedDate", "2025-10-09T08:53:20.456Z"),
            ("transactionSignedDate", "2025-10-09T08:53:20.123Z"), ("envelope", #"{"receivedAt":17}"#),
            ("notificationUUID", "5d12dde6-ac41-4a06-9e45-731fb5d35ac3"),
        ] as [(String, String?)] {
            #expect(inside[name] == value, "\(name)")
        }
    }

    @Test func `rows name their file, but not standard input, and keep what a log adds to a refused line`()
        throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.file(
            "a,\"b\"\n.jws", Array(#"{"signedPayload":"x","receivedAt":"\u202e9"}"#.utf8))
        let run = try CommandProcess(Self.rows + [file.path, "-"], input: Array("not.a.token\n".utf8))
        let rows = try Self.rows(run.text)
        #expect(rows.map { $0["file"] } == [file.path, nil])
        #expect(rows.map { $0["envelope"] } == [#"{"receivedAt":"\u202e9"}"#, nil])
        #expect(rows.map { $0["line"] } == ["1", "1"])
        #expect(rows.map { $0["verified"] } == ["false", "false"])
        let records = Self.records(
            try CommandProcess(Self.csv + [file.path, "-"], input: Array("not.a.token\n".utf8)).text)
        #expect(records.dropFirst().map { $0 } == rows.map(\.fields))
        // With one file too, with or without the option that other formats need for it.
        for option in [[], ["-H"], ["--with-filename"]] where option != ["-H"] {
            let run = try CommandProcess(Self.rows + option + [file.path])
            #expect(try Self.rows(run.text).map { $0["file"] } == [file.path])
        }
    }

    @Test func `CSV begins with the names, once, and also without a line of input`() throws {
        let empty = try CommandProcess(Self.csv)
        #expect(empty.status == 0)
        #expect(empty.text.hasPrefix("file,line,verified,kind,") && empty.text.hasSuffix(",envelope\r\n"))
        #expect(try CommandProcess(Self.rows).output.isEmpty)
        let files = try Self.vectors("valid").prefix(3)
        let run = try CommandProcess(CommandProcess.root + Self.csv + files)
        #expect(run.text.hasPrefix(empty.text))
        #expect(run.text.components(separatedBy: "file,line,verified").count == 2)
    }

    @Test func `the form of rows is a usage error elsewhere`() throws {
        for arguments in [
            ["--format", "csv"], ["--output", "typed", "--format", "csv"],
            ["--output", "rows", "--format", "tsv"],
        ] {
            let run = try CommandProcess(arguments)
            #expect(run.status == 64)
            #expect(run.output.isEmpty)
        }
        #expect(try CommandProcess(["--format", "ndjson", "--output", "rows"]).status == 0)
    }

    @Test func `an oversized line has a row`() throws {
        let input = String(repeating: "a", count: 5_000) + "\n"
        let run = try CommandProcess(Self.rows + ["--max-token-bytes", "1000"], input: Array(input.utf8))
        #expect(try Self.rows(run.text).map { $0["error"] } == ["tooLarge"])
    }
}
