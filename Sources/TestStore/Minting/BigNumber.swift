internal import CLibcrypto

/// Owns one `BIGNUM`: a non-negative integer of any size.
///
/// No code here runs in constant time, because the only secrets are worthless test keys.
@safe
struct BigNumber: ~Copyable {
    /// `self` owns the pointer; `deinit` frees it.
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe BN_clear_free(pointer) }

    static func zero() throws(MintingError) -> BigNumber {
        guard let pointer = unsafe BN_new() else { throw .libcrypto(function: "BN_new") }
        return unsafe BigNumber(owning: pointer)
    }

    static func bigEndian(_ bytes: [UInt8]) throws(MintingError) -> BigNumber {
        guard let pointer = unsafe BN_bin2bn(bytes, Int32(bytes.count), nil) else {
            throw .libcrypto(function: "BN_bin2bn")
        }
        return unsafe BigNumber(owning: pointer)
    }

    var isZero: Bool { unsafe BN_is_zero(pointer) == 1 }
    var bitCount: Int { unsafe Int(BN_num_bits(pointer)) }

    /// The number in `count` bytes, most significant first.
    func bytes(count: Int) throws(MintingError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: count)
        guard unsafe BN_bn2binpad(pointer, &output, Int32(count)) == Int32(count) else {
            throw .libcrypto(function: "BN_bn2binpad")
        }
        return output
    }

    func isLess(than other: borrowing BigNumber) -> Bool { unsafe BN_cmp(pointer, other.pointer) < 0 }

    func shiftedRight(by bits: Int) throws(MintingError) -> BigNumber {
        let result = try BigNumber.zero()
        let done = unsafe BN_rshift(result.pointer, pointer, Int32(bits))
        guard done == 1 else { throw .libcrypto(function: "BN_rshift") }
        return result
    }

    func subtracting(_ other: borrowing BigNumber) throws(MintingError) -> BigNumber {
        let result = try BigNumber.zero()
        let done = unsafe BN_sub(result.pointer, pointer, other.pointer)
        guard done == 1 else { throw .libcrypto(function: "BN_sub") }
        return result
    }
}
