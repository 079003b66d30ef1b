/// A file of tokens or receipts, one a line, and the verdicts that it must get.
struct CorpusFile: Sendable {
    /// Who signed.
    enum Chains: Sendable {
        /// So many keys, in turn, under one intermediate.
        case shared(keys: Int)
        /// Every line has a leaf of its own, which is trusted.
        case fresh
        /// Every line has a chain of its own, which is not.
        case forged
    }

    let name: String
    let lines: Int
    /// How many purchases each receipt has; `nil` where the lines are tokens.
    var purchases: Int?
    var chains = Chains.shared(keys: 1)
    /// How many of a hundred signatures do not match.
    var badPercent = 0
    /// The OCSP responders that leaf and intermediate name; `nil` for addresses at which there is none.
    var responders: RevocationResponders?

    /// How many lines verify.
    var verified: Int {
        if case .forged = chains { return 0 }
        return lines - lines * badPercent / 100
    }

    /// How the command's summary begins.
    var summary: String {
        "storekit-verify: \(lines) lines, \(verified) verified, \(lines - verified) not"
    }
}
