internal import CLibcrypto
package import Minting

// Signatures with another padding than that of receipts.
extension RSATestKey {
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
}
