/// A file of tokens or receipts, one on each line, with the expected verdicts.
struct CorpusFile: Sendable {
    /// The signers of the lines.
    enum Chains: Sendable {
        /// This many keys, in turn, under one intermediate.
        case shared(keys: Int)
        /// Every line has its own leaf, which is trusted.
        case fresh
        /// Every line has its own chain, which is not trusted.
        case forged
    }

    let name: String
    let lines: Int
    /// The number of purchases in each receipt; `nil` if the lines are tokens.
    var purchases: Int?
    var chains = Chains.shared(keys: 1)
    /// How many of a hundred signatures do not match.
    var badPercent = 0
    /// The OCSP responders that leaf and intermediate name; `nil` names addresses without a responder.
    var responders: RevocationResponders?

    /// The payloads, as `mint corpus --content` names them.
    var content = "transactions"
    /// Whether payloads have nested, null and escaped members, and lack others.
    var isVaried = false
    /// How many of a hundred lines are objects around a token.
    var wrappedPercent = 0
    /// Whether Apple signed the tokens.
    var isGenuine = false

    /// The file of the trust anchor; `nil` for Apple's, which the command has.
    var root: String? {
        if isGenuine { return nil }
        return purchases == nil ? Workshop.root : Workshop.receiptRoot
    }

    /// The number of lines that verify.
    var verified: Int {
        if case .forged = chains { return 0 }
        return lines - lines * badPercent / 100
    }

    /// The beginning of the command's summary, if so many lines verify.
    func summary(verified: Int) -> String {
        "storekit-verify: \(lines) lines, \(verified) verified, \(lines - verified) not"
    }
}
