internal import CLibcrypto

/// The two forms of an ECDSA signature on P-256.
///
/// libcrypto and the first form of promotional offers have DER (RFC 3279, section 2.2.3). A JWS has r‖s, 32 bytes each
/// (RFC 7518, section 3.4).
package enum SignatureForms {
    /// The bytes of r and of s.
    private static let numberBytes = 32

    /// The DER of the numbers, which are big endian.
    package static func der(r: Span<UInt8>, s: Span<UInt8>) throws(LibcryptoError) -> [UInt8] {
        guard let signature = unsafe ECDSA_SIG_new() else { throw LibcryptoError("out of memory") }
        defer { unsafe ECDSA_SIG_free(signature) }
        let rNumber = unsafe r.withUnsafeBufferPointer {
            unsafe BN_bin2bn($0.baseAddress, Int32($0.count), nil)
        }
        let sNumber = unsafe s.withUnsafeBufferPointer {
            unsafe BN_bin2bn($0.baseAddress, Int32($0.count), nil)
        }
        // On success the signature owns the numbers.
        guard unsafe rNumber != nil, unsafe sNumber != nil,
            unsafe ECDSA_SIG_set0(signature, rNumber, sNumber) == 1
        else {
            unsafe BN_free(rNumber)
            unsafe BN_free(sNumber)
            throw LibcryptoError("out of memory")
        }
        let der = unsafe encoding { unsafe i2d_ECDSA_SIG(signature, $0) }
        guard !der.isEmpty else { throw LibcryptoError("encoding a signature") }
        return der
    }

    /// The DER of r‖s; `nil` unless there are 64 bytes, and neither number is 0.
    package static func der(raw: [UInt8]) throws(LibcryptoError) -> [UInt8]? {
        guard raw.count == 2 * numberBytes,
            [raw.prefix(numberBytes), raw.suffix(numberBytes)].allSatisfy({ $0.contains { $0 > 0 } })
        else { return nil }
        return try withCleanErrorQueue { () throws(LibcryptoError) in
            let numbers = raw.span
            return try der(
                r: numbers.extracting(..<numberBytes), s: numbers.extracting(numberBytes...))
        }
    }

    /// r‖s of a signature in DER; `nil` if the bytes are another form, or a number has more than 32 bytes.
    package static func raw(der: [UInt8]) -> [UInt8]? {
        withCleanErrorQueue {
            guard let signature = unsafe decoding(der.span, { unsafe d2i_ECDSA_SIG(nil, $0, $1) }) else {
                return nil
            }
            defer { unsafe ECDSA_SIG_free(signature) }
            // libcrypto reads BER, and passes over bytes behind the signature.
            guard unsafe encoding({ unsafe i2d_ECDSA_SIG(signature, $0) }) == der else { return nil }
            let length = Int32(numberBytes)
            var raw = [UInt8](repeating: 0, count: 2 * numberBytes)
            let isWritten = unsafe raw.withUnsafeMutableBufferPointer { raw in
                guard let start = raw.baseAddress else { return false }
                // The signature keeps both numbers (get0).
                return unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), start, length) == length
                    && BN_bn2binpad(ECDSA_SIG_get0_s(signature), start + numberBytes, length) == length
            }
            return isWritten ? raw : nil
        }
    }
}
