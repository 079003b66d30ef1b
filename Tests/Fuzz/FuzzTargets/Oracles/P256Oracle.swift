internal import CLibcrypto
import Minting

/// libcrypto's verdict on signatures under one key on P-256. It also makes signatures with given factors.
@safe
final class P256Oracle {
    /// The key's point, `04 || x || y`.
    let point: [UInt8]
    private let group: OpaquePointer
    private let key: OpaquePointer
    private let scalar: OpaquePointer
    private let context: OpaquePointer

    /// - Parameter scalar: the private key: 32 bytes, the most significant first, from 1 to n - 1.
    init(scalar bytes: [UInt8]) throws(Violation) {
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1),
            let context = unsafe BN_CTX_new(), let scalar = unsafe BN_bin2bn(bytes, 32, nil),
            let point = unsafe Self.multiple(of: group, scalar, context), let key = unsafe Self.key(point)
        else { throw Violation("libcrypto has no P-256") }
        self.point = point
        unsafe self.group = unsafe group
        unsafe self.key = unsafe key
        unsafe self.scalar = unsafe scalar
        unsafe self.context = unsafe context
    }

    deinit {
        unsafe EVP_PKEY_free(key)
        unsafe BN_free(scalar)
        unsafe BN_CTX_free(context)
        unsafe EC_GROUP_free(group)
    }

    /// libcrypto's verdict.
    ///
    /// - Parameter signature: `r || s`, 64 bytes.
    func isValid(_ signature: [UInt8], digest: [UInt8]) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let context = unsafe EVP_PKEY_CTX_new(key, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_verify_init(context) == 1 else { return false }
        let encoded = Self.der(signature)
        return unsafe EVP_PKEY_verify(context, encoded, encoded.count, digest, digest.count) == 1
    }

    /// A signature in libcrypto's form (RFC 3279, section 2.2.3).
    static func der(_ signature: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.unsignedInteger(Array(signature[..<32])), DER.unsignedInteger(Array(signature[32...])))
    }

    /// The valid signature whose verification computes `u1 G + u2 Q` (FIPS 186-5, section 6.4.2). `nil` if
    /// that sum is infinity, or u2 has no inverse.
    func signature(u1: [UInt8], u2: [UInt8]) -> (signature: [UInt8], digest: [UInt8])? {
        let order = unsafe EC_GROUP_get0_order(group)
        // BN_CTX_end releases every number taken since BN_CTX_start.
        unsafe BN_CTX_start(context)
        defer { unsafe BN_CTX_end(context) }
        guard let first = unsafe BN_CTX_get(context), let second = unsafe BN_CTX_get(context),
            let sum = unsafe BN_CTX_get(context), let r = unsafe BN_CTX_get(context),
            let s = unsafe BN_CTX_get(context)
        else { return nil }
        unsafe BN_bin2bn(u1, 32, first)
        unsafe BN_bin2bn(u2, 32, second)
        unsafe BN_mod_mul(sum, second, scalar, order, context)
        unsafe BN_mod_add(sum, sum, first, order, context)
        guard unsafe BN_is_zero(sum) == 0, let point = unsafe Self.multiple(of: group, sum, context),
            unsafe BN_mod_inverse(second, second, order, context) != nil
        else { return nil }
        unsafe BN_bin2bn(Array(point[1..<33]), 32, r)
        unsafe BN_nnmod(r, r, order, context)
        unsafe BN_mod_mul(s, r, second, order, context)
        unsafe BN_mod_mul(sum, first, s, order, context)
        return unsafe (Self.bytes(r) + Self.bytes(s), Self.bytes(sum))
    }

    /// The other s that satisfies the equation, n - s.
    func negated(_ s: [UInt8]) -> [UInt8] {
        guard let result = unsafe BN_bin2bn(s, 32, nil) else { return s }
        defer { unsafe BN_free(result) }
        unsafe BN_mod_sub(result, EC_GROUP_get0_order(group), result, EC_GROUP_get0_order(group), context)
        return unsafe Self.bytes(result)
    }

    private static func bytes(_ number: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        unsafe BN_bn2binpad(number, &bytes, 32)
        return bytes
    }

    /// The multiple of the generator, `04 || x || y`.
    private static func multiple(
        of group: OpaquePointer, _ scalar: OpaquePointer, _ context: OpaquePointer
    ) -> [UInt8]? {
        guard let point = unsafe EC_POINT_new(group) else { return nil }
        defer { unsafe EC_POINT_free(point) }
        var bytes = [UInt8](repeating: 0, count: 65)
        let form = POINT_CONVERSION_UNCOMPRESSED
        guard unsafe EC_POINT_mul(group, point, scalar, nil, nil, context) == 1,
            unsafe EC_POINT_point2oct(group, point, form, &bytes, bytes.count, context) == 65
        else { return nil }
        return bytes
    }

    /// What precedes the point in a SubjectPublicKeyInfo (RFC 5480, section 2).
    private static let publicKeyPrefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
        0x48,
        0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// The public key for a point. The caller frees it.
    private static func key(_ point: [UInt8]) -> OpaquePointer? {
        let encoded = publicKeyPrefix + point
        return unsafe encoded.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &next, bytes.count)
        }
    }
}

// Only one call at a time uses the scratch numbers, because a target's inputs run one after the other.
extension P256Oracle: @unchecked Sendable {}
