internal import CLibcrypto
internal import WireFormats

/// A worthless RSA key. It signs receipts.
///
/// libcrypto signs here: RSA with PKCS #1 padding has no nonce, so its signatures are reproducible anyway.
package struct RSATestKey: Sendable {
    /// The holder of the key, and the private key in base64.
    package struct Holder: Sendable {
        fileprivate let material: String

        package init(material: String) { self.material = material }

        package static let root = Holder(material: RSATestKeyMaterial.root)
        package static let intermediate = Holder(material: RSATestKeyMaterial.intermediate)
        /// The leaf of 2021, which signs the receipts of sessions.
        package static let leaf2021 = Holder(material: RSATestKeyMaterial.leaf2021)
        package static let xcode = Holder(material: RSATestKeyMaterial.xcode)
    }

    /// RSAPrivateKey (RFC 8017, A.1.2).
    package let privateKeyDER: [UInt8]
    /// SubjectPublicKeyInfo (RFC 3279, 2.3.1).
    package let publicKeyInfo: [UInt8]

    /// One of the test keys, whose private keys are public in this folder.
    package init(_ holder: Holder) throws(MintingError) {
        let text = Array(holder.material.utf8)
        guard let der = try? Base64.decode(text.span, in: 0..<text.count, alphabet: .standard) else {
            throw .notText
        }
        privateKeyDER = der
        publicKeyInfo = try unsafe Self.withKey(der) { key throws(MintingError) in
            var length = unsafe i2d_PUBKEY(key, nil)
            guard length > 0 else { throw .libcrypto(function: "i2d_PUBKEY") }
            var bytes = [UInt8](repeating: 0, count: Int(length))
            unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                var end = buffer.baseAddress
                length = unsafe i2d_PUBKEY(key, &end)
            }
            return bytes
        }
    }

    /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2), which is deterministic.
    package func signature(of message: [UInt8], hash: HashFunction) throws(MintingError) -> [UInt8] {
        try unsafe Self.withKey(privateKeyDER) { key throws(MintingError) in
            guard let context = unsafe EVP_MD_CTX_new() else { throw .libcrypto(function: "EVP_MD_CTX_new") }
            defer { unsafe EVP_MD_CTX_free(context) }
            guard unsafe EVP_DigestSignInit(context, nil, hash.evp, nil, key) == 1 else {
                throw .libcrypto(function: "EVP_DigestSignInit")
            }
            var count = unsafe Int(EVP_PKEY_get_size(key))
            var bytes = [UInt8](repeating: 0, count: count)
            guard unsafe EVP_DigestSign(context, &bytes, &count, message, message.count) == 1 else {
                throw .libcrypto(function: "EVP_DigestSign")
            }
            return Array(bytes.prefix(count))
        }
    }

    /// The key's identifier in certificates: SHA-1 over the key only (RFC 5280, 4.2.1.2, method 1).
    package func keyIdentifier() throws(MintingError) -> [UInt8] {
        // SubjectPublicKeyInfo ends in the BIT STRING, whose contents are a zero byte and the key.
        // The AlgorithmIdentifier before it has 15 bytes: two of header, 11 of rsaEncryption's identifier,
        // two of NULL.
        let members = DER.contents(publicKeyInfo)
        let key = DER.contents(Array(members.dropFirst(15))).dropFirst()
        return try HashFunction.sha1.digest(Array(key))
    }

    /// Lends the parsed key to a closure, and frees it afterwards.
    ///
    /// - Parameter body: uses the pointer, and must not keep it.
    package static func withKey(
        _ der: [UInt8], _ body: (OpaquePointer) throws(MintingError) -> [UInt8]
    ) throws(MintingError) -> [UInt8] {
        let parsed = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &start, buffer.count)
        }
        guard let key = unsafe parsed else { throw .libcrypto(function: "d2i_AutoPrivateKey") }
        defer { unsafe EVP_PKEY_free(key) }
        return try unsafe body(key)
    }
}
