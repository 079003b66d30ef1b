/// How much is measured.
struct Plan: Sendable {
    /// The rounds of the group with the command's processes, which take a minute each.
    let rounds: Int
    /// The rounds of whole tokens within this process: more and shorter ones.
    let tokenRounds: Int
    /// The rounds of bare signatures: many and very short ones, so that what is compared is close together.
    /// On a shared machine, neighbours change the speed by half several times a second.
    let kernelRounds: Int
    /// For how long a round times the calls of one scenario, in seconds.
    let tokenSeconds: Double
    let kernelSeconds: Double
    /// The lines of the large corpora: a gigabyte.
    let lines: Int
    /// The lines of the corpora on which libcrypto decides each line.
    let slowLines: Int
    /// The lines of the corpora in which every line has a chain of its own.
    let chains: Int
    /// The lines of the corpus of receipts.
    let receipts: Int
    /// How many processes a round starts to see how long a start takes.
    let starts: Int
    /// The tokens of one call of a batch verifier.
    let batch: Int
    /// The tokens that Apple's Python library verifies in a round.
    let pythonTokens: Int

    init(isQuick: Bool, rounds: Int?) {
        self.rounds = rounds ?? (isQuick ? 2 : 5)
        tokenRounds = self.rounds * (isQuick ? 1 : 4)
        kernelRounds = self.rounds * (isQuick ? 1 : 16)
        tokenSeconds = isQuick ? 0.02 : 0.06
        kernelSeconds = 0.015
        lines = isQuick ? 4_000 : 200_000
        slowLines = isQuick ? 400 : 20_000
        chains = isQuick ? 20 : 1_000
        receipts = isQuick ? 400 : 20_000
        starts = isQuick ? 3 : 20
        batch = isQuick ? 128 : 1_024
        pythonTokens = isQuick ? 10 : 100
    }
}
