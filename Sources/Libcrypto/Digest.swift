internal import CLibcrypto

/// Hash functions of FIPS 180-4.
package enum Digest {
    /// The 32 bytes of SHA-256 over the bytes.
    package static func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                _ = unsafe SHA256(input.baseAddress, input.count, output.baseAddress)
            }
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }

    /// The 48 bytes of SHA-384 over the bytes.
    package static func sha384(_ bytes: Span<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA384_DIGEST_LENGTH)) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                _ = unsafe SHA384(input.baseAddress, input.count, output.baseAddress)
            }
            count = Int(SHA384_DIGEST_LENGTH)
        }
    }
}
