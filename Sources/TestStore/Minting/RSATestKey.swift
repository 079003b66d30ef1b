internal import CLibcrypto

/// A worthless RSA key. It signs receipts, and token chains that must be refused because of RSA.
///
/// libcrypto signs here: RSA with PKCS #1 padding has no nonce, so its signatures are reproducible anyway.
package struct RSATestKey: Sendable {
    /// The holder of the key. All keys but one have 2048 bits.
    package enum Holder: Sendable, CaseIterable {
        /// A signer that belongs to no PKI.
        case stranger
        case root, intermediate, leaf2021, leaf2023, leaf2025, xcode, forger
        /// A leaf with a key of 1024 bits.
        case short

        /// The private key in base64.
        fileprivate var material: String {
            switch self {
            case .stranger: RSATestKeyMaterial.stranger
            case .root: RSATestKeyMaterial.root
            case .intermediate: RSATestKeyMaterial.intermediate
            case .leaf2021: RSATestKeyMaterial.leaf2021
            case .leaf2023: RSATestKeyMaterial.leaf2023
            case .leaf2025: RSATestKeyMaterial.leaf2025
            case .xcode: RSATestKeyMaterial.xcode
            case .forger: RSATestKeyMaterial.forged
            case .short: RSATestKeyMaterial.short
            }
        }
    }

    /// RSAPrivateKey (RFC 8017, A.1.2).
    package let privateKeyDER: [UInt8]
    /// SubjectPublicKeyInfo (RFC 3279, 2.3.1).
    package let publicKeyInfo: [UInt8]

    /// One of the test keys, whose private keys are public in this folder.
    package init(_ holder: Holder = .stranger) throws(MintingError) {
        guard let der = Base64.decoded(holder.material) else { throw .notText }
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

    /// RSASP1 (RFC 8017, 5.2.1) of any block as long as the modulus and less than it, so with any padding.
    package func signature(ofBlock block: [UInt8]) throws(MintingError) -> [UInt8] {
        try unsafe Self.withKey(privateKeyDER) { key throws(MintingError) in
            guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else {
                throw .libcrypto(function: "EVP_PKEY_CTX_new")
            }
            defer { unsafe EVP_PKEY_CTX_free(context) }
            guard unsafe EVP_PKEY_sign_init(context) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1
            else { throw .libcrypto(function: "EVP_PKEY_sign_init") }
            var count = unsafe Int(EVP_PKEY_get_size(key))
            var bytes = [UInt8](repeating: 0, count: count)
            guard unsafe EVP_PKEY_sign(context, &bytes, &count, block, block.count) == 1 else {
                throw .libcrypto(function: "EVP_PKEY_sign")
            }
            return Array(bytes.prefix(count))
        }
    }

    /// RSASSA-PSS (RFC 8017, 8.1) with SHA-256 and an empty salt, which makes it deterministic.
    package func pssSignature(of message: [UInt8]) throws(MintingError) -> [UInt8] {
        try unsafe Self.withKey(privateKeyDER) { key throws(MintingError) in
            guard let context = unsafe EVP_MD_CTX_new() else { throw .libcrypto(function: "EVP_MD_CTX_new") }
            defer { unsafe EVP_MD_CTX_free(context) }
            // The digest context owns this.
            var keyContext: OpaquePointer?
            guard unsafe EVP_DigestSignInit(context, &keyContext, EVP_sha256(), nil, key) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PSS_PADDING) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, 0) == 1
            else { throw .libcrypto(function: "EVP_DigestSignInit") }
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
    private static func withKey(
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
