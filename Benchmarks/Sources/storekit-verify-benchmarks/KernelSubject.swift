import Crypto
import P256Verification

/// Something that verifies signatures of a pool, some at a time.
protocol KernelSubject: AnyObject {
    /// How many signatures one call takes.
    var batchSize: Int { get }
    /// How many of these are valid.
    func validCount(of items: ArraySlice<SignaturePool.Item>) -> Int
}

/// libcrypto by EVP_PKEY_verify.
final class LibcryptoSubject: KernelSubject {
    let batchSize = 16
    private let keys: [PreparedKey]

    init(_ pool: SignaturePool) throws {
        keys = try pool.keys.map { try PreparedKey(der: Array($0.derRepresentation)) }
    }

    func validCount(of items: ArraySlice<SignaturePool.Item>) -> Int {
        items.count { keys[$0.key].isValid(signature: $0.der, digest: $0.digestBytes) }
    }
}

/// swift-crypto's P256.
final class SwiftCryptoSubject: KernelSubject {
    let batchSize = 16
    private let keys: [P256.Signing.PublicKey]

    init(_ pool: SignaturePool) { keys = pool.keys }

    func validCount(of items: ArraySlice<SignaturePool.Item>) -> Int {
        items.count { keys[$0.key].isValidSignature($0.signature, for: $0.digest) }
    }
}

/// Our verification of one signature by itself.
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
            verifier.isValid(signature: $0.raw.span, digest: $0.digestBytes.span, key: tables[$0.key])
        }
    }
}

/// Our verification of a batch, which is filled, verified and emptied.
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
            batch.append(signature: item.raw.span, digest: item.digestBytes.span, key: tables[item.key])
        }
        verifier.verify(&batch)
        let count = (0..<batch.count).count { batch.isValid(at: $0) }
        batch.removeAll()
        return count
    }
}
