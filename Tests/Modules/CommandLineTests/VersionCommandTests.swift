import CommandProcesses
import Foundation
import Testing

/// The command's statement about itself.
@Suite struct VersionCommandTests {
    @Test func `it names version, commit, compiler and features, a line each`() throws {
        let run = try CommandProcess(["version"])
        #expect(run.status == 0 && run.diagnostics.isEmpty)
        let form =
            /storekit-verify \d+\.\d+\.\d+\ncommit: .+\ncompiler: Swift 6.+\nfeatures: .*database, .*service\n/
        #expect(run.text.wholeMatch(of: form) != nil, "\(run.text)")
        let version = try CommandProcess(["--version"]).text
        #expect(run.text.hasPrefix("storekit-verify " + version))
        #expect(try CommandProcess(shell: "\"$0\" \"$@\" >/dev/full", ["version"]).status == 74)
    }

    @Test(arguments: [["version", "file"], ["version", "--audit"]])
    func `arguments that make no sense are a usage error`(arguments: [String]) throws {
        let run = try CommandProcess(arguments)
        #expect(run.status == 64 && run.output.isEmpty)
    }
}
