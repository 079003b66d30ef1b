import ArgumentParser
import Foundation
import Minting

/// `mint worst [--lines N] FOLDER` writes the lines that cost the verifier the most, one file for each kind, for
/// benchmarks.
struct WorstCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worst",
        abstract: "Mint hostile lines that take long to refuse, one file of each kind.",
        discussion: """
            The names of the files are printed. The first file is for comparison: it has ordinary tokens of a \
            chain that is not trusted.
            """)

    @Option(help: "How many lines to mint of each kind. No two lines are the same.")
    var lines = 40

    @Argument(help: "The folder to write the files into.", completion: .directory)
    var folder: String

    func validate() throws {
        guard (1...Self.maximumLines).contains(lines) else {
            throw ValidationError("--lines must be from 1 to \(Self.maximumLines).")
        }
    }

    func run() throws {
        let folder = URL(filePath: folder, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let worst = try WorstLines()
        for kind in WorstLines.Kind.allCases {
            var text = Data()
            for number in 0..<lines {
                text.append(contentsOf: try worst.line(kind, number).utf8)
                text.append(UInt8(ascii: "\n"))
            }
            try text.write(to: folder.appending(path: kind.file))
            print(kind.file)
        }
    }

    /// A file is built in memory, and a line has up to a mebibyte.
    private static let maximumLines = 1_000
}
