internal import CLibcrypto

/// A worthless RSA key of 2048 bits, for the chains that must be refused because RSA signed them.
package struct RSATestKey: Sendable {
    /// PKCS #8 (RFC 5958).
    package let privateKeyDER: [UInt8]
    /// SubjectPublicKeyInfo (RFC 3279, 2.3.1).
    package let publicKeyInfo: [UInt8]

    /// The one test key, which anyone can read in this file.
    package init() throws(MintingError) {
        guard let der = Base64.decoded(Self.testOnlyPrivateKey) else { throw .notText }
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

    /// Lends the parsed key; it is freed on return.
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

    /// TEST ONLY. Made once with `openssl genpkey`, and public ever since.
    private static let testOnlyPrivateKey = """
        MIIEpAIBAAKCAQEAszU4WZMiWZEx5c/j36zganLcCn2iUZCwfyXeFigRX9FCq7GmlAjJhpfpcYFrkPnwmmG078Dyx0MgQ6Wn\
        m7Lpyh603tsLlUBhHJU3PdNLBCAzSwvRkqzA1z3jNfNtpVwmvJFLwJRLrGGBYCtRX3YuzECHHKhIFeZ6FuHbx9ZbAC2Hjpht\
        8ly/s9ViwaSrWvtPVc72ZBrVXwGlgklD20GJcLgHn2TYmco5h5jDMWSpR3DsT7stzzNi7r5gUHA2XgTgbUf+69HY7JkLL3V3\
        GQbYjgwhWhEhnTG+1kfze9GsZuaen+NXkdpUzL0PiPc5L6J+cZZb7KdIb476TCrjgKnTWwIDAQABAoIBAAUWD5CY3QKuXNYU\
        9JBJPVwcVjsG7RDf5m/QlsE0S7gTKroUSuuoU8nGs4MCBm1s5tfT7Ekmo6og/heqNvmeZRZ2btftkjN8/YJ3RDuazvcj6Vpf\
        NsyoiYZUgKEwQ6spskk4iHaymoPjIPaENlqXA4ff6isb4dm9idCqpEyp5yhJHuTvBrLYZLWBl539GEIvhQteKmq5PV0RgIax\
        pa3pjygluul1dPDncjP7z0tvmtUzfY+TmWl244b9nd7atQ8EofvONsgfAwJrvZHSX2bvaE2zSpUSO6ojpXSpTMV4EeCkhL6+\
        MtqkSYMrGQKs8OZR/cp9LzkZSGjjdwDqEGwGxa0CgYEA2aqJJqk47e6qDHSTQTVB7ITFOQ9XTkXic0yMC8T5pb/mDLWy8f4U\
        M60jME7DDnpJRsQ7T+jxg/bfgl7EjAAShzI2UfwnyShHfUk+ZrCh+Bbtd9UH7vLISJoXstAMPqu1swSX5cMGNBn/w40TRN8Z\
        Rj1q1lJYA4KBPMA4Ev14+NcCgYEA0sTLywa+JwPPW+tHZYVizV0eUn5VqG1IsDZnR+IyEd/ehPfpegNKPgfW35TOGKIDYsjB\
        ej7CVne72FB0xq3Qz9+V3kEJrMSwGX2kH/yUv8IgE90lUgNLDOw1Hst8MDLnZiehyTw/4H1mrcQVMXvKVhTwqzceFBM+1baP\
        J6FUFR0CgYEAun1IIN2frwtqml1OxPGyV8ixiV/Bd4icqhiNbJAJLJ+rpHwQoxEDkfrnST5SFJdlLMJ35tE4C856VSKI10JA\
        naDBtaCLHefqyEb2tdjkDMDoGGFm+Kz+OGX9o/BobVGEzapD0lEzgXQ9E/hM6BcVen6oiJPoYKlxvPEbmfmdqeUCgYEAqOY3\
        gZ0HqHAvLTPf5QT85iEm+Whv8CaTR1JxdXNYOGa0BM499R7J0eeqU0UF20uJdxH1qaa9SVlt2Kywx73mRY6gpJhtzltX2zWJ\
        3nAkK36/AewHyi8FZ3eqIeFixaUlNgGwbnivn5AeRkWJzjurK0xgiHQE0IWTpuNC2Lk5jikCgYBHvARAptGjNiYe+cUcS/64\
        ajVPiWfjsfzeuHcVsn+Jo0UY2AYrgSc7NPNWU7yBYP78jRqATOEeh2i75uGEbnmTPzxAHaa7b2JxeNNYSmeEDwqgpIZiSZ47\
        ku01EBfF4LqkMJda18ySSGnBrLzA1X3bUao/njpZO+pln4e8omeHcA==
        """
}
