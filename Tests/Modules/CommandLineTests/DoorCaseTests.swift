import CommandProcesses
import Foundation
import RepositoryFiles
import Testing

/// The shared table of cases, at the command.
@Suite struct DoorCaseTests {
    private let cases: DoorCases
    private let roots = DoorCases.roots.flatMap { ["--root", $0.path] }

    init() throws { cases = try DoorCases() }

    @Test func `a device identifier is a UUID of the table`() throws {
        #expect(cases.groups["uuids"]?.concerns(.command) == true)
        for each in cases.uuids where !each.text.contains("\0") {
            let run = try CommandProcess(["--device-id=\(each.text)"])
            #expect(run.status == (each.isUUID ? 0 : 64), "\(each.text.debugDescription)")
        }
    }

    @Test func `what is pasted has the table's outcome`() throws {
        #expect(cases.groups["inspection"]?.concerns(.command) == true)
        for each in cases.inputs {
            let bytes = try each.bytes
            let run = try CommandProcess(["inspect", "--json"] + roots, input: bytes)
            let text = String(decoding: bytes.prefix(200), as: UTF8.self).debugDescription
            guard each.inspection != "nothing" else {
                #expect(run.status == 64 && run.output.isEmpty, "\(text)")
                continue
            }
            struct Verdict: Decodable {
                let verified: Bool
                let error: String?
            }
            let verdict = try JSONDecoder().decode(Verdict.self, from: Data(run.output))
            #expect((verdict.verified ? "verified" : verdict.error) == each.inspection, "\(text)")
            #expect(run.status == (verdict.verified ? 0 : 1), "\(text)")
        }
    }

    @Test func `lines that come in parts have the table's numbers and outcomes`() throws {
        #expect(cases.groups["lines"]?.concerns(.command) == true)
        for each in cases.inputs {
            let command = try RunningCommand(roots)
            defer { command.end() }
            for part in try each.partBytes {
                try command.send(part)
                // The parts must not be read together.
                usleep(20_000)
            }
            try command.endInput()
            let output = command.readToEnd().split(separator: UInt8(ascii: "\n"))
            let verdicts = try output.map { try JSONDecoder().decode(Verdict.self, from: Data($0)) }
            let found = verdicts.map {
                DoorCases.Input.Line(line: $0.line, outcome: $0.verified ? "verified" : $0.error ?? "none")
            }
            #expect(found == each.lines)
        }
    }
}
