import ArgumentParser
import CommandSupport
import Platform
import WireFormats

/// `storekit-verify version`: writes the version and the build, or checks files against a release's statement.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Write the version and the build, or check files against the statement of a release.",
        discussion: """
            Without --verify, it writes the version, the commit if the build knows it, the compiler, and \
            the features that are built in.

            --verify compares the SHA-256 of each file, or of this program if no file is given, with the \
            subjects of an in-toto statement, which every release has. OK says that the statement describes \
            the file. It does not say who made the statement, because the statement is not signed: a person \
            who can replace the file can also replace the statement beside it. Take the statement from a \
            place that you trust, or check a signature over it first. A program that was replaced can report \
            anything about itself: check it with another program.

            Exit status: 0 every file is in the statement, 1 at least one is not, 64 usage or not a statement, \
            66 a file can't be read, 74 output can't be written.
            """)

    @Option(
        name: .customLong("verify"),
        help: ArgumentHelp("Check files against this in-toto statement.", valueName: "statement"))
    var statement: FileName?

    @Argument(help: ArgumentHelp("The files to check (default: this program).", valueName: "file"))
    var files: [FileName] = []

    func validate() throws {
        guard statement != nil || files.isEmpty else {
            throw ValidationError("Checking a file needs --verify STATEMENT.")
        }
        guard statement != .standardInput || !files.contains(.standardInput) else {
            throw ValidationError("Standard input is the statement or a file, not both.")
        }
    }

    func run() throws {
        guard let statement else { return try StandardOutput.write(Self.facts) }
        let subjects = try subjects(in: statement)
        var outcome = RunOutcome()
        if files.isEmpty {
            try check(Self.thisProgram, "this program", named: "storekit-verify", subjects, &outcome)
        }
        for file in files {
            try check(file, file.visible, named: file.lastComponent, subjects, &outcome)
        }
        guard outcome.status == .success else { throw outcome.status }
    }

    private static var facts: String {
        """
        storekit-verify \(BuildFacts.version)
        commit: \(BuildFacts.commit ?? "not known")
        compiler: \(BuildFacts.compiler)
        features: \(features)

        """
    }

    private static var features: String {
        #if Service
            "database, service"
        #elseif SQLite
            "database, no service"
        #else
            "no database, no service"
        #endif
    }

    /// The file that this process runs. Where the system has no name for it, it is the one by which it was called.
    private static var thisProgram: FileName {
        #if os(Linux)
            FileName(path: "/proc/self/exe")
        #else
            FileName(path: CommandLine.arguments.first ?? "storekit-verify")
        #endif
    }

    private func subjects(in file: FileName) throws(ExitCode) -> ReleaseStatement {
        let json = try file.content(maximumBytes: ReleaseStatement.maximumBytes)
        do throws(ReleaseStatement.Failure) {
            return try ReleaseStatement(json: json)
        } catch {
            StandardError.say("--verify \(file.text): \(error)")
            throw .usage
        }
    }

    /// Writes whether a file is one of the statement's. One that cannot be read does not affect the others.
    ///
    /// - Parameters:
    ///   - shown: the file's name in the output.
    ///   - fileName: the last part of the name that the statement may have for it.
    private func check(
        _ file: FileName, _ shown: String, named fileName: String, _ statement: ReleaseStatement,
        _ outcome: inout RunOutcome
    ) throws(ExitCode) {
        let digest: String
        do throws(SystemError) {
            digest = try file.sha256()
        } catch {
            StandardError.say("\(shown): \(error)")
            outcome.hasUnreadable = true
            return
        }
        let (isSubject, sentence) = statement.judge(digest, fileName: fileName)
        if !isSubject { outcome.hasFailures = true }
        try StandardOutput.write("\(shown): \(sentence)\n")
    }
}
