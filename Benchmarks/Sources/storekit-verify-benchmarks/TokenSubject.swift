import SignedPayloads

/// Something that verifies whole tokens.
protocol TokenSubject: Sendable {
    /// How many tokens one call takes.
    var batchSize: Int { get }
    /// How many of these verify.
    func verifiedCount(of tokens: [String]) -> Int
}

/// Something that verifies tokens one by one, and may suspend.
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

/// The verifier of one payload, which remembers signers.
struct SingleVerifierSubject: TokenSubject {
    let batchSize = 16
    let verifier: SignedPayloadVerifier

    func verifiedCount(of tokens: [String]) -> Int {
        tokens.count { (try? verifier.verify($0)) != nil }
    }
}

/// The verifier of batches, on one core.
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
