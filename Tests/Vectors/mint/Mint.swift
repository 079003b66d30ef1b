import ArgumentParser

/// The developers' tool: it mints the input of tests and benchmarks.
@main
struct Mint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Mint payloads and receipts signed by a test PKI, the same in every run.",
        subcommands: [VectorsCommand.self, CorpusCommand.self, WorstCommand.self])
}
