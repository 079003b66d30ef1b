internal import CLibcrypto

/// Owns one curve's `EC_GROUP` and the scratch numbers for its arithmetic.
///
/// Signatures are made by hand here, because a test needs those that a library refuses to make: see
/// `DeterministicECDSA`. Time may depend on the keys, which are public.
@safe
struct CurveGroup: ~Copyable {
    private let group: OpaquePointer
    private let context: OpaquePointer

    private init(owning group: OpaquePointer, context: OpaquePointer) {
        unsafe self.group = unsafe group
        unsafe self.context = unsafe context
    }

    deinit {
        unsafe EC_GROUP_free(group)
        unsafe BN_CTX_free(context)
    }

    /// Frees the group if the scratch numbers cannot be made.
    static func named(_ curve: EllipticCurve) throws(MintingError) -> CurveGroup {
        let name = curve.objectIdentifier.map { String($0) }.joined(separator: ".")
        guard let group = unsafe EC_GROUP_new_by_curve_name(OBJ_txt2nid(name)) else {
            throw .libcrypto(function: "EC_GROUP_new_by_curve_name")
        }
        guard let context = unsafe BN_CTX_new() else {
            unsafe EC_GROUP_free(group)
            throw .libcrypto(function: "BN_CTX_new")
        }
        return unsafe CurveGroup(owning: group, context: context)
    }

    /// The order n of the generator.
    func order() throws(MintingError) -> BigNumber {
        let result = try BigNumber.zero()
        let done = unsafe EC_GROUP_get_order(group, result.pointer, context)
        guard done == 1 else { throw .libcrypto(function: "EC_GROUP_get_order") }
        return result
    }

    /// The affine coordinates of `scalar`·G, as x‖y.
    ///
    /// - Throws: `MintingError.libcrypto` also for a multiple of the order, whose point has no coordinates.
    func generatorMultiple(_ scalar: borrowing BigNumber, byteCount: Int) throws(MintingError) -> [UInt8] {
        guard let point = unsafe EC_POINT_new(group) else { throw .libcrypto(function: "EC_POINT_new") }
        defer { unsafe EC_POINT_free(point) }
        guard unsafe EC_POINT_mul(group, point, scalar.pointer, nil, nil, context) == 1 else {
            throw .libcrypto(function: "EC_POINT_mul")
        }
        let x = try BigNumber.zero()
        let y = try BigNumber.zero()
        let done = unsafe EC_POINT_get_affine_coordinates(group, point, x.pointer, y.pointer, context)
        guard done == 1 else { throw .libcrypto(function: "EC_POINT_get_affine_coordinates") }
        return try x.bytes(count: byteCount) + y.bytes(count: byteCount)
    }

    /// `BN_nnmod`: the remainder is never negative.
    func reduced(_ a: borrowing BigNumber, modulo n: borrowing BigNumber) throws(MintingError) -> BigNumber {
        let result = try BigNumber.zero()
        let done = unsafe BN_nnmod(result.pointer, a.pointer, n.pointer, context)
        guard done == 1 else { throw .libcrypto(function: "BN_nnmod") }
        return result
    }

    /// s = k⁻¹(z + r·d) mod n (SEC 1, 4.1.3, step 6).
    func signatureScalar(
        k: borrowing BigNumber, z: borrowing BigNumber, r: borrowing BigNumber, d: borrowing BigNumber,
        n: borrowing BigNumber
    ) throws(MintingError) -> BigNumber {
        let sum = try BigNumber.zero()
        let inverse = try BigNumber.zero()
        let s = try BigNumber.zero()
        guard unsafe BN_mod_mul(sum.pointer, r.pointer, d.pointer, n.pointer, context) == 1,
            unsafe BN_mod_add(sum.pointer, sum.pointer, z.pointer, n.pointer, context) == 1,
            unsafe BN_mod_inverse(inverse.pointer, k.pointer, n.pointer, context) != nil,
            unsafe BN_mod_mul(s.pointer, inverse.pointer, sum.pointer, n.pointer, context) == 1
        else { throw .libcrypto(function: "BN_mod_mul") }
        return s
    }
}
