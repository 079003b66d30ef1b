/// The amounts to measure.
struct Plan: Sendable {
    /// The rounds of the group that runs the command's processes. Each takes a minute.
    let rounds: Int
    /// The rounds of whole tokens in this process. There are more of them, and they are shorter.
    let tokenRounds: Int
    /// The rounds of bare signatures. They are many and very short, so that compared figures are close
    /// together. On a shared machine, other load can change the speed by half several times a second.
    let kernelRounds: Int
    /// The seconds for which a round times the calls of one scenario.
    let tokenSeconds: Double
    let kernelSeconds: Double
    /// The lines of the large corpora: a gigabyte.
    let lines: Int
    /// The lines of the corpora in which libcrypto decides each line.
    let slowLines: Int
    /// The lines of the corpora in which every line has its own chain.
    let chains: Int
    /// The lines of the corpora of each shape: of small tokens, of notifications, and of the mixed archive.
    let shapeLines: Int
    let shapeNotifications: Int
    let shapeMixed: Int
    /// How many bytes of a corpus the library gets in one call.
    let shapeBytes: Int
    /// The lines of the corpus of receipts.
    let receipts: Int
    /// The lines of each kind of worst tokens: up to 40 MB.
    let worstLines: Int
    /// The number of processes that a round starts to measure the start-up time.
    let starts: Int
    /// The tokens in one call of a batch verifier.
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
        shapeLines = isQuick ? 2_000 : 120_000
        shapeNotifications = isQuick ? 400 : 20_000
        shapeMixed = isQuick ? 1_000 : 30_000
        shapeBytes = isQuick ? 4_000_000 : 64_000_000
        receipts = isQuick ? 400 : 20_000
        worstLines = isQuick ? 16 : 40
        starts = isQuick ? 3 : 20
        batch = isQuick ? 128 : 1_024
        pythonTokens = isQuick ? 10 : 100
    }
}
