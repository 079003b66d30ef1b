import P256Verification

/// Signatures under several keys, in each library's form, with their digests.
///
/// The pool is larger than any batch, so that each call has other signatures and reads other parts of the
/// tables.
struct SignaturePool {
    struct Item {
        /// The place in the pool; `nil` for a signature that is not in it.
        let number: Int?
        let key: Int
        /// The signed message, and its SHA-256.
        let message: [UInt8]
        let digest: [UInt8]
        let signature: ECDSASignature
    }

    let keys: [SigningKey]
    private(set) var items: [Item] = []

    static let count = 4096

    init(keyCount: Int) throws {
        keys = try (0..<keyCount).map { _ in try SigningKey() }
        for number in 0..<Self.count {
            let message = Array("message \(number)".utf8)
            let digest = SigningKey.digest(of: message)
            let key = number % keyCount
            let signature = try keys[key].signature(of: digest)
            items.append(
                Item(number: number, key: key, message: message, digest: digest, signature: signature))
        }
    }

    /// The tables of the keys.
    func tables(windowBits: Int) throws -> [P256KeyTable] {
        try keys.map { key in
            let point = try key.uncompressedPoint()
            guard let key = P256PublicKey(uncompressedPoint: point.span) else {
                throw BenchmarkError.wrongVerdict("P256PublicKey")
            }
            return P256KeyTable(key, windowBits: windowBits)
        }
    }
}

extension SignaturePool.Item {
    /// The same signature with one bit of s changed, so that it is bad.
    func flipped() throws -> SignaturePool.Item {
        var raw = signature.raw
        raw[raw.count - 8] ^= 1
        return Self(
            number: nil, key: key, message: message, digest: digest, signature: try ECDSASignature(raw: raw))
    }
}
