#if Peers
    import Crypto

    /// swift-crypto's P256.
    final class SwiftCryptoSubject: KernelSubject {
        let batchSize = 16
        private let keys: [P256.Signing.PublicKey]
        private let prepared: [Prepared]

        private struct Prepared {
            let digest: SHA256.Digest
            let signature: P256.Signing.ECDSASignature

            init(_ item: SignaturePool.Item) throws {
                digest = SHA256.hash(data: item.message)
                signature = try P256.Signing.ECDSASignature(rawRepresentation: item.signature.raw)
            }
        }

        init(_ pool: SignaturePool) throws {
            keys = try pool.keys.map { try .init(x963Representation: $0.uncompressedPoint()) }
            prepared = try pool.items.map(Prepared.init)
        }

        func validCount(of items: ArraySlice<SignaturePool.Item>) -> Int {
            items.count { item in
                guard let ready = item.number.map({ prepared[$0] }) ?? (try? Prepared(item)) else {
                    return false
                }
                return keys[item.key].isValidSignature(ready.signature, for: ready.digest)
            }
        }
    }
#endif
