import BenchmarkKit

/// The libraries that only a comparison needs, and whose build takes longer than everything else.
enum Peers {
    /// Why they are not measured, where a function here returns `nil`.
    static let absence = "built without --traits Peers"

    /// swift-crypto's verification of single signatures.
    static func swiftCrypto(_ pool: SignaturePool) throws -> (any KernelSubject)? {
        #if Peers
            try SwiftCryptoSubject(pool)
        #else
            nil
        #endif
    }

    /// jwt-kit's verification of tokens.
    static func jwtKit(root: [UInt8]) throws -> (any TokenSubject)? {
        #if Peers
            try JWTKitPeer(root: root)
        #else
            nil
        #endif
    }

    /// A pipeline on swift-certificates and swift-crypto.
    static func certificates(root: [UInt8], hasCache: Bool) throws -> (any TokenSubject)? {
        #if Peers
            try CertificatesPeer(root: root, hasCache: hasCache)
        #else
            nil
        #endif
    }
}
