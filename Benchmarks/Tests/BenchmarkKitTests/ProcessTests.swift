import BenchmarkKit
import Foundation
import Testing

/// Running processes and reading their output.
@Suite struct ProcessTests {
    @Test func `a run has its status, time and memory`() throws {
        let run = try ChildProcess("sh", ["-c", "sleep 0.1; exit 3"]).run()
        #expect(run.status == 3)
        #expect(run.seconds >= 0.1)
        #expect(run.peakBytes > 100_000)
    }

    @Test func `a pipe leads from one process to the other`() throws {
        let folder = try TemporaryFolder()
        var reader = ChildProcess("wc", ["-c"])
        reader.output = .file(folder.path("count"))
        let run = try ChildProcess("head", ["-c", "1000000", "/dev/zero"]).run(into: reader)
        #expect(run.status == 0)
        let text = try String(contentsOfFile: folder.path("count"), encoding: .utf8)
        #expect(text.contains("1000000"))
    }

    @Test func `a program that is not there is an error`() {
        #expect(throws: ChildProcessError.self) { try ChildProcess("/nowhere/at/all", []).run() }
    }

    @Test func `the speed of openssl is read from its count and its seconds`() {
        let text = """
            +DTP:256:verify:ecdsa:1
            +R5:30014:256:0.96
            +R6:10421:256:0.96
            +F4:3:256:31264.583333:10855.208333
            """
        #expect(OpenSSLSpeed.verificationsPerSecond(in: text) == 10421 / 0.96)
        #expect(OpenSSLSpeed.verificationsPerSecond(in: "+R6:10421:256:0.00") == nil)
        #expect(OpenSSLSpeed.verificationsPerSecond(in: "") == nil)
        let rsa = "+R1:771:2048:1.00\n+R2:24612:2048:1.50\n"
        #expect(OpenSSLSpeed.verificationsPerSecond(in: rsa, of: .rsa2048) == 24612 / 1.5)
    }

    @Test func `busy is all that is neither idle nor waiting`() {
        let text = "cpu  100 20 30 5000 600 7 8 35 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"
        #expect(LoadMeter.busySeconds(in: text) == 2)
        #expect(LoadMeter.busySeconds(in: "") == nil)
    }

    @Test func `a processor's description is read by name`() {
        let text = "processor\t: 0\nmodel name\t: A: fast one \nflags\t\t: fpu avx512ifma\n"
        #expect(Machine.value(of: "model name", in: text) == "A: fast one")
        #expect(Machine.value(of: "cores", in: text) == nil)
    }
}
