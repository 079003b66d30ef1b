import P256Verification

/// Verifies signatures of a pool, several at a time.
protocol KernelSubject: AnyObject {
    /// The number of signatures in one call.
    var batchSize: Int { get }
    /// The number of valid signatures among these.
    func validCount(of items: ArraySlice<SignaturePool.Item>) -> Int
}

/// libcrypto's EVP_PKEY_verify.
final class LibcryptoSubject: KernelSubject {
    let batchSize = 16
    private let keys: [PreparedKey]

    init(_ pool: SignaturePool) throws {
        keys = try pool.keys.map { try PreparedKey(der: $0.publicKey()) }
    }

    func validCount(of items: ArraySlice<SignaturePool.Item>) -> Int {
        items.count { keys[$0.key].isValid(signature: $0.signature.der, digest: $0.digest) }
    }
}

/// Our verification of a single signature.
final class SingleSubject: KernelSubject {
    let batchSize = 16
    private let verifier: P256Verifier
    private let tables: [P256KeyTable]

    init(_ verifier: P256Verifier, _ tables: [P256KeyTable]) {
        self.verifier = verifier
        self.tables = tables
    }

    func validCount(of items: ArraySlice<SignaturePool.Item>) -> Int {
        items.count {
            verifier.isValid(signature: $0.signature.raw.span, digest: $0.digest.span, key: tables[$0.key])
        }
    }
}

/// Our verification of a batch, which includes filling and emptying it.
final class BatchSubject: KernelSubject {
    let batchSize: Int
    private let verifier: P256Verifier
    private let tables: [P256KeyTable]
    private var batch: P256Batch

    init(_ verifier: P256Verifier, _ tables: [P256KeyTable], batchSize: Int) {
        self.verifier = verifier
        self.tables = tables
        self.batchSize = batchSize
        batch = P256Batch(capacity: batchSize)
    }

    func validCount(of items: ArraySlice<SignaturePool.Item>) -> Int {
        for item in items {
            batch.append(signature: item.signature.raw.span, digest: item.digest.span, key: tables[item.key])
        }
        verifier.verify(&batch)
        let count = (0..<batch.count).count { batch.isValid(at: $0) }
        batch.removeAll()
        return count
    }
}
