import SignedPayloads

/// Verifies whole tokens.
protocol TokenSubject: Sendable {
    /// The number of tokens in one call.
    var batchSize: Int { get }
    /// The number of these tokens that verify.
    func verifiedCount(of tokens: [String]) -> Int
}

/// Verifies tokens one by one, and may suspend.
protocol TokenPeer: TokenSubject {
    func verify(_ token: String) async throws
}

extension TokenPeer {
    var batchSize: Int { 4 }

    func verifiedCount(of tokens: [String]) -> Int {
        Blocking.wait {
            var count = 0
            for token in tokens {
                if (try? await verify(token)) != nil { count += 1 }
            }
            return count
        }
    }
}

/// The verifier of single payloads, with its cache of signers.
struct SingleVerifierSubject: TokenSubject {
    let batchSize = 16
    let verifier: SignedPayloadVerifier

    func verifiedCount(of tokens: [String]) -> Int {
        tokens.count { (try? verifier.verify($0)) != nil }
    }
}

/// The batch verifier, on one core.
struct BatchVerifierSubject: TokenSubject {
    let batchSize: Int
    let verifier: BatchVerifier

    init(anchors: [TrustAnchor], engine: BatchVerifier.Engine, batchSize: Int) throws {
        self.batchSize = batchSize
        verifier = BatchVerifier(try SignedPayloadVerifier(anchors: anchors), engine: engine, jobs: 1)
    }

    func verifiedCount(of tokens: [String]) -> Int {
        verifier.verify(tokens).count { (try? $0.get()) != nil }
    }
}
