import ArgumentParser
import CommandSupport
import Platform

/// `storekit-verify version`: writes the version and the build.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Write the version and the build.",
        discussion: """
            It writes the version, the commit if the build knows it, the compiler, and the features that are built in.

            Exit status: 0, 64 usage, 74 output can't be written.
            """)

    func run() throws { try StandardOutput.write(Self.facts) }

    private static var facts: String {
        """
        storekit-verify \(BuildFacts.version)
        commit: \(BuildFacts.commit ?? "not known")
        compiler: \(BuildFacts.compiler)
        features: \(Features.words)

        """
    }
}
