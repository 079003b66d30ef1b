import CommandProcesses
import Foundation
import Minting
import OCSPResponders
import RepositoryFiles
import Testing

/// The command `storekit-test`.
@Suite struct StorekitTestCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the command that was built beside `storekit-verify`.
    private func run(_ arguments: [String], then shell: String = "") throws -> CommandProcess {
        try CommandProcess(shell: "\"$(dirname \"$0\")/storekit-test\" \"$@\"\(shell)", arguments)
    }

    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    // MARK: run

    @Test func `what each scenario writes is verified under its root, and not without it`() throws {
        defer { folder.remove() }
        let names = try lines(run(["scenarios"]).text).compactMap { $0.split(separator: " ").first }
        #expect(names.count > 30)
        var all: [UInt8] = []
        for name in names where name != "population" {
            let written = try run(
                ["run", "--scenario", String(name), "--seed", "1", "--write-root", path("root.pem")])
            #expect(written.status == 0, "\(name): \(written.diagnostics)")
            all += written.output
        }
        let verified = try CommandProcess(
            ["--root", path("root.pem"), "--output", "none", "--summary"], input: all)
        #expect(verified.status == 0)
        #expect(verified.diagnostics.contains(/storekit-verify: \d+ lines, \d+ verified, 0 not, 0 empty/))
        let stranger = try CommandProcess(["--output", "none", "--summary"], input: all)
        #expect(stranger.status == 1)
        #expect(stranger.diagnostics.contains(" 0 verified, "))
    }

    @Test func `one certificate signs in the form of Xcode`() throws {
        defer { folder.remove() }
        let written = try run([
            "run", "--scenario", "renewal", "--environment", "Xcode", "--write-root", path("root.pem"),
        ])
        let options = ["--root", path("root.pem"), "--output", "none"]
        #expect(try CommandProcess(options, input: written.output).status == 1)
        #expect(try CommandProcess(options + ["--environment", "Xcode"], input: written.output).status == 0)
    }

    @Test func `a seed gives the same bytes, and a folder the same keys`() throws {
        defer { folder.remove() }
        let seeded = ["run", "--scenario", "lifecycle", "--seed", "7"]
        let first = try run(seeded)
        #expect(!first.output.isEmpty)
        #expect(try run(seeded).output == first.output)
        #expect(try run(["run", "--scenario", "lifecycle"]).output != first.output)
        let kept = ["run", "--scenario", "subscribe", "--keys", path("keys")]
        let one = try run(kept)
        let root = try Data(contentsOf: folder.url.appending(path: "keys/root.pem"))
        let two = try run(kept)
        #expect(try Data(contentsOf: folder.url.appending(path: "keys/root.pem")) == root)
        #expect(one.output != two.output)
        let verified = try CommandProcess(
            ["--root", path("keys/root.pem"), "--output", "none"], input: one.output + two.output)
        #expect(verified.status == 0)
    }

    @Test func `Xcode's root in a folder of keys leaves the App Store's alone`() throws {
        defer { folder.remove() }
        let written = try ["Sandbox", "Xcode", "Production"].map {
            try run(["run", "--scenario", "subscribe", "--keys", path("keys"), "--environment", $0]).output
        }
        let roots = ["root.pem", "root-xcode.pem", "root.pem"]
        for (output, root) in zip(written, roots) {
            let options = ["--root", path("keys/\(root)"), "--output", "none", "--environment"]
            let names = root == "root.pem" ? ["Sandbox", "--environment", "Production"] : ["Xcode"]
            #expect(try CommandProcess(options + names, input: output).status == 0)
        }
    }

    @Test func `the help and the page explain every kind of product that a scenario names`() throws {
        defer { folder.remove() }
        let help = try run(["run", "--help"]).text
        let page = try String(
            contentsOf: Repository.file(
                "Sources/TestStore/StoreKitTestSession/StoreKitTestSession.docc/WritingScenarios.md"),
            encoding: .utf8)
        for name in try lines(run(["scenarios"]).text).compactMap({ $0.split(separator: " ").first }) {
            for kind in try run(["scenarios", String(name)]).text.matches(of: /\$[a-z-]+/) {
                #expect(help.contains("\(kind.output)"))
                #expect(page.contains("`\(kind.output)`"))
            }
        }
    }

    @Test func `a table for people, and bare tokens`() throws {
        defer { folder.remove() }
        let text = try run(["run", "--scenario", "refund", "--format", "text", "--notifications-only"])
        #expect(lines(text.text).count == 3)
        #expect(
            text.text.contains(
                /2026-01-04T00:00:00Z +\d+ +REFUND +com.example.garden.plus.monthly +Revoked\n$/)
        )
        let tokens = try run(["run", "--scenario", "refund", "--format", "tokens"])
        #expect(lines(tokens.text).allSatisfy { $0.split(separator: ".").count == 3 })
    }

    @Test func `faults on demand: twice, later, and spoilt`() throws {
        defer { folder.remove() }
        let scenario = try folder.file("lives", Array("population 40 for 6mo\n".utf8)).path
        let common = [
            "run", "--scenario", scenario, "--seed", "3", "--notifications-only", "--write-root",
            path("root.pem"),
        ]
        let plain = try lines(run(common).text)
        let twice = try lines(run(common + ["--duplicates", "20"]).text)
        #expect(twice.count > plain.count + plain.count / 10)
        #expect(Set(twice) == Set(plain))
        let later = try lines(run(common + ["--disorder", "20"]).text)
        #expect(later != plain)
        #expect(later.sorted() == plain.sorted())
        let spoilt = try run(common + ["--broken", "20"])
        let verdicts = try CommandProcess(["--root", path("root.pem")], input: spoilt.output).verdicts()
        let bad = verdicts.count { !$0.verified }
        #expect(bad > plain.count / 10 && bad < plain.count * 3 / 10)
        #expect(verdicts.filter { !$0.verified }.allSatisfy { $0.error == "invalidSignature" })
    }

    @Test func `a file's products are sold, and a reader that closes the pipe is no error`() throws {
        defer { folder.remove() }
        let products = #"""
            {"version":{"major":1,"minor":0},"products":[{"productID":"gold","type":"Consumable","displayPrice":"1.99"}]}
            """#
        let file = try folder.file("shop.storekit", Array(products.utf8)).path
        let written = try run(["run", file, "--scenario", "consumables", "--format", "text"])
        #expect(written.text.contains(" gold "))
        let lacking = try run(["run", file, "--scenario", "renewal"])
        #expect(lacking.status == 64)
        #expect(
            lacking.diagnostics
                == "storekit-test: renewal: line 1: the .storekit file has no product of the kind $subscription\n"
        )
        let closed = try run(["run", "--scenario", "population"], then: " | head -n 1; echo done")
        #expect(lines(closed.text).last == "done")
        #expect(closed.diagnostics.isEmpty)
    }

    @Test(arguments: [
        ("nonsense", "it is not a .storekit file, which is JSON: "),
        ("[]", "which is a JSON object: found an array"),
        (#"{"version":{"major":9,"minor":0}}"#, "version.major: version 9 is not known"),
        (
            #"{"version":{"major":4,"minor":0},"products":[{"productID":"a","type":"Planet"}]}"#,
            "products[0].type: \"Planet\" is not a type of product here"
        ),
    ])
    func `a file that is no configuration gets a sentence`(_ text: String, _ sentence: String) throws {
        defer { folder.remove() }
        let file = try folder.file("bad.storekit", Array(text.utf8)).path
        let refused = try run(["run", file, "--scenario", "refund"])
        #expect(refused.status == 64)
        #expect(refused.output.isEmpty)
        #expect(lines(refused.diagnostics).count == 1)
        #expect(refused.diagnostics.contains(sentence), "\(refused.diagnostics)")
    }

    @Test(arguments: [
        (["run"], Int32(64), "--scenario"),
        (
            ["run", "--scenario", "nothing"], 66,
            "nothing: No such file or directory (no scenario has this name: "
        ),
        (
            ["run", "missing.storekit", "--scenario", "refund"], 66,
            "missing.storekit: No such file or directory"
        ),
        (["run", "--scenario", "refund", "--start", "soon"], 64, "not a date"),
        (["run", "--scenario", "refund", "--start", "9000-02-01"], 64, "of the years 1 to 8999"),
        (["run", "--scenario", "refund", "--environment", "Moon"], 64, "--environment is"),
        (["run", "--scenario", "refund", "--broken", "101"], 64, "percentage"),
        (["trigger", "refund", "--forward-to", "nowhere"], 64, "--forward-to is"),
        (["scenarios", "nothing"], 66, "no scenario"),
    ])
    func `nonsense gets a sentence and a status`(
        _ arguments: [String], _ status: Int32, _ sentence: String
    ) throws {
        defer { folder.remove() }
        let refused = try run(arguments)
        #expect(refused.status == status)
        #expect(refused.output.isEmpty)
        #expect(refused.diagnostics.contains(sentence), "\(refused.diagnostics)")
    }

    // MARK: trigger

    @Test func `a scenario's notifications reach a server, which verifies them`() throws {
        defer { folder.remove() }
        let server = try ScriptedServer(.reply([], status: 200))
        let sent = try run([
            "trigger", "refund", "--forward-to", "http://127.0.0.1:\(server.port)/notifications",
            "--write-root",
            path("root.pem"),
        ])
        #expect(sent.status == 0, "\(sent.diagnostics)")
        #expect(
            lines(sent.text).map { $0.split(separator: " ")[1] } == [
                "SUBSCRIBED/INITIAL_BUY", "CONSUMPTION_REQUEST", "REFUND",
            ])
        #expect(server.heads.allSatisfy { $0.hasPrefix("POST /notifications ") })
        let bodies = server.requests.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        let verdicts = try CommandProcess(["--root", path("root.pem")], input: Array(bodies.utf8)).verdicts()
        #expect(verdicts.map(\.type) == ["notification", "notification", "notification"])
    }

    // Apple's page "Responding to App Store Server Notifications": five repetitions in production, none in the Sandbox.
    @Test(
        "a notification that is refused is sent again, five times at most, and not in the Sandbox unless asked",
        arguments: [
            (["--environment", "Production"], 6), ([], 1), (["--retries", "5"], 6),
            (["--environment", "Production", "--retries", "0"], 1),
        ])
    func repeats(options: [String], attempts: Int) throws {
        defer { folder.remove() }
        let server = try ScriptedServer(.reply([], status: 500))
        let url = "http://127.0.0.1:\(server.port)/"
        let refused = try run(
            ["trigger", "refund", "--last-only", "--forward-to", url, "--hour", "1"] + options)
        #expect(refused.status == 1)
        #expect(lines(refused.text).count == attempts)
        #expect(server.requests.count == attempts)
        #expect(Set(server.requests).count == 1)
        #expect(refused.diagnostics == "storekit-test: 1 of 1 notifications were not accepted\n")
    }

    @Test func `without a server the run ends at once, with a sentence`() throws {
        defer { folder.remove() }
        let nobody = try run(["trigger", "refund", "--forward-to", "http://127.0.0.1:1/"])
        #expect(nobody.status == 1)
        #expect(lines(nobody.text).count == 1)
        #expect(nobody.text.hasPrefix("no answer ("))
        #expect(
            nobody.diagnostics
                == "storekit-test: http://127.0.0.1:1/: nothing listens there: start the server first\n")
    }
}
