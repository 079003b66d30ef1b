import Crypto
import P256Verification

/// Signatures under several keys, in each library's form, with their digests.
///
/// The pool is larger than any batch, so that each call has other signatures and reads other parts of the
/// tables.
struct SignaturePool {
    struct Item {
        let key: Int
        let digest: SHA256.Digest
        let digestBytes: [UInt8]
        let signature: P256.Signing.ECDSASignature
        let raw: [UInt8]
        let der: [UInt8]
    }

    let keys: [P256.Signing.PublicKey]
    private(set) var items: [Item] = []

    static let count = 4096

    init(keyCount: Int) throws {
        let privateKeys = (0..<keyCount).map { _ in P256.Signing.PrivateKey() }
        keys = privateKeys.map(\.publicKey)
        for number in 0..<Self.count {
            let digest = SHA256.hash(data: Array("message \(number)".utf8))
            let key = number % keyCount
            items.append(Item(key: key, digest: digest, try privateKeys[key].signature(for: digest)))
        }
    }

    /// The tables of the keys.
    func tables(windowBits: Int) throws -> [P256KeyTable] {
        try keys.map { key in
            guard let key = P256PublicKey(uncompressedPoint: Array(key.x963Representation).span) else {
                throw BenchmarkError.wrongVerdict("P256PublicKey")
            }
            return P256KeyTable(key, windowBits: windowBits)
        }
    }
}

extension SignaturePool.Item {
    fileprivate init(key: Int, digest: SHA256.Digest, _ signature: P256.Signing.ECDSASignature) {
        self.key = key
        self.digest = digest
        digestBytes = Array(digest)
        self.signature = signature
        raw = Array(signature.rawRepresentation)
        der = Array(signature.derRepresentation)
    }

    /// The same signature with one bit of s changed, so that it is bad.
    func flipped() throws -> SignaturePool.Item {
        var raw = raw
        raw[raw.count - 8] ^= 1
        return Self(key: key, digest: digest, try P256.Signing.ECDSASignature(rawRepresentation: raw))
    }
}
