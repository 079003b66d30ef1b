import CommandProcesses
import Foundation
import RepositoryFiles
import Testing

/// The output of `inspect` for vectors of each kind, line for line as in `Tests/Support/GoldenTexts`.
///
/// `UPDATE_GOLDEN=1 swift test -c release --filter InspectGoldenTests` writes the files again. Then
/// `git diff` shows what has changed for a reader.
@Suite struct InspectGoldenTests {
    /// A vector, and the file with the output of `inspect` for it.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The file of vectors as the manifest names it, and the vector's line in it.
        let file: String
        let line: Int
        /// Whether the golden file has the whole text, or only the first screen.
        let isWhole: Bool

        init(_ name: String, _ file: String, _ line: Int, whole isWhole: Bool = false) {
            (self.name, self.file, self.line, self.isWhole) = (name, file, line, isWhole)
        }

        var testDescription: String { name }
    }

    static let verified = [
        Case("transaction", "valid/transactions.jws", 1, whole: true),
        Case("renewal-info", "valid/renewal-info.jws", 1),
        Case("app-transaction", "valid/app-transactions.jws", 1),
        Case("notification-test", "valid/notifications.jws", 1),
        Case("notification-subscribed", "valid/notifications.jws", 4, whole: true),
        Case("notification-refund", "valid/notifications.jws", 6),
        Case("notification-external-purchase", "valid/notifications.jws", 10),
        Case("realtime-request", "valid/realtime-requests.jws", 1),
        Case("receipt", "valid/receipts.b64", 1, whole: true),
        Case("receipt-xcode", "valid/receipts-xcode.b64", 1),
        Case("unknown-kind", "valid/unknown-kinds.jws", 1),
        Case("xcode-transaction", "valid/xcode.jws", 1),
    ]

    static let unverified = [
        Case("unverified-segments", "invalid/02-segments.jws", 1),
        Case("unverified-chain", "invalid/03-trust.jws", 1),
        Case("unverified-signature", "invalid/04-signature.jws", 1, whole: true),
        Case("unverified-payload", "invalid/05-payload-json.jws", 1),
        Case("unverified-bundle-id", "invalid/09-bundle-id.jws", 1),
        Case("unverified-inner", "invalid/11-inner.jws", 1, whole: true),
        Case("unverified-xcode", "invalid/12-xcode-not-pinned.jws", 1),
        Case("unverified-receipt-der", "invalid/02-receipt-der.b64", 1),
        Case("unverified-receipt-signature", "invalid/04-receipt-signature.b64", 1),
    ]

    @Test("a verified vector is laid out as its golden file says", arguments: verified)
    func layOut(verified vector: Case) throws {
        let run = try inspect(vector)
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("✓ verified"))
        #expect(!run.text.contains("UNVERIFIED"))
        try compare(run, with: vector)
    }

    @Test("an unverified vector is laid out as its golden file says", arguments: unverified)
    func layOut(unverified vector: Case) throws {
        let run = try inspect(vector)
        #expect(run.status == 1)
        #expect(run.text.hasPrefix("✗ NOT VERIFIED"))
        #expect(run.firstScreen.contains { $0.contains("UNVERIFIED, do not rely on") })
        try compare(run, with: vector)
    }

    @Test("the first screen of every vector is within 80 columns", arguments: verified + unverified)
    func firstScreenFits(vector: Case) throws {
        for line in try inspect(vector).firstScreen { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `every notification among the vectors fits in 120 lines`() throws {
        let entry = try Manifest.entry("valid/notifications.jws")
        for line in entry.lines.map(\.line) {
            let run = try inspect(Case("", entry.file, line))
            #expect(run.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
        }
    }

    private func inspect(_ vector: Case) throws -> CommandProcess {
        let entry = try Manifest.entry(vector.file)
        let roots = entry.roots.flatMap { ["--root", CommandProcess.vectors.appending(path: $0).path] }
        let content = try Data(contentsOf: CommandProcess.vectors.appending(path: vector.file))
        let lines = content.split(separator: 0x0a, omittingEmptySubsequences: false)
        return try CommandProcess(
            ["inspect"] + roots + entry.options,
            input: [UInt8](try #require(lines.dropFirst(vector.line - 1).first)))
    }

    private func compare(_ run: CommandProcess, with vector: Case) throws {
        let file = Repository.file("Tests/Support/GoldenTexts/inspect/\(vector.name).txt")
        let text = vector.isWhole ? run.text : run.firstScreen.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        #expect(text == (try String(contentsOf: file, encoding: .utf8)))
    }
}

/// The output of `inspect` for payloads signed by Apple or by Xcode. They are not
/// committed: see `PrivateTestData`.
@Suite(
    .enabled(
        if: PrivateTestData.genuine.folder != nil,
        "PRIVATE_TEST_DATA names no folder with Apple's payloads"))
struct InspectGenuineTests {
    private static func files(_ name: String, _ suffix: String) throws -> [URL] {
        try PrivateTestData.genuine.files(in: name, extension: suffix)
    }

    @Test func `the first screen says what each payload is, of which app, and when it was signed`() throws {
        let files = try Self.files("jws", "jws")
        #expect(files.count > 30)
        for file in files {
            let run = try CommandProcess(["inspect", file.path])
            let screen = run.firstScreen
            expectPlainLines(run, file)
            #expect(run.lines.count <= 120, "\(file.lastPathComponent)")
            // The payload `null` says nothing about itself.
            if try String(contentsOf: file, encoding: .utf8).contains(".bnVsbA.") {
                #expect(run.status == 1 && screen.contains { $0.hasSuffix("not one JSON object: null") })
                continue
            }
            let kinds = ["transaction", "renewalInfo", "notification", "appTransaction"]
            let kind = try #require(kinds.first { file.lastPathComponent.contains("-\($0)-") })
            let names = ["renewalInfo": "renewal info", "appTransaction": "app transaction"]
            #expect(screen.first == "✓ verified      \(names[kind] ?? kind)", "\(file.lastPathComponent)")
            for label in ["App ", "Environment   Sandbox", "Signed  "] {
                #expect(screen.contains { $0.hasPrefix("  " + label) }, "\(file.lastPathComponent): \(label)")
            }
            let isTest = screen.contains { $0 == "  Event         TEST" }
            #expect(isTest || screen.contains { $0.hasPrefix("  Product  ") }, "\(file.lastPathComponent)")
        }
    }

    @Test func `the first screen of a receipt says of which app it is, and what was bought`() throws {
        for file in try Self.files("receipts", "b64") + Self.files("xcode", "b64") {
            let run = try CommandProcess(["inspect", file.path])
            expectPlainLines(run, file)
            let isXcode = file.path.contains("/xcode/")
            let verdict = isXcode ? "✗ NOT VERIFIED  receipt" : "✓ verified      receipt"
            #expect(run.firstScreen.first == verdict, "\(file.lastPathComponent)")
            for label in ["App ", "Version ", "Environment ", "Made ", "Purchases "] {
                #expect(
                    run.firstScreen.contains { $0.hasPrefix("  " + label) },
                    "\(file.lastPathComponent): \(label)")
            }
        }
    }

    @Test func `payloads signed by Xcode are shown as claims`() throws {
        for file in try Self.files("xcode", "jws") {
            let run = try CommandProcess(["inspect", file.path])
            expectPlainLines(run, file)
            #expect(run.firstScreen.contains("Claims — UNVERIFIED, do not rely on them"))
            #expect(run.firstScreen.contains("  Environment   Xcode"))
        }
    }

    /// Checks that no line of the first screen is too wide, and that no line of the text is full of base64.
    private func expectPlainLines(_ run: CommandProcess, _ file: URL) {
        for line in run.firstScreen { #expect(line.count <= 80, "\(file.lastPathComponent): \(line)") }
        #expect(
            !run.text.contains(/[A-Za-z0-9+\/_=-]{201}/), "\(file.lastPathComponent) has base64 on a line")
    }
}

extension CommandProcess {
    /// The output's lines.
    fileprivate var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// The lines that a terminal of 24 lines shows first.
    fileprivate var firstScreen: [String] { Array(lines.prefix(24)) }
}

/// The part of the vectors' manifest that says how each file is verified.
private struct Manifest: Decodable {
    struct Line: Decodable { let line: Int }

    let file: String
    let roots: [String]
    let options: [String]
    let lines: [Line]

    static func entry(_ file: String) throws -> Manifest {
        let text = try Data(contentsOf: CommandProcess.vectors.appending(path: "manifest.json"))
        return try #require(try JSONDecoder().decode([Manifest].self, from: text).first { $0.file == file })
    }
}
