internal import CLibcrypto

/// Owns one `BIGNUM`: a non-negative integer of any size.
///
/// No code here runs in constant time, because the only secrets are worthless test keys.
@safe
struct BigNumber: ~Copyable {
    /// `self` owns the pointer; `deinit` frees it.
    let pointer: OpaquePointer

    /// Takes ownership: the caller does not free the pointer.
    private init(owning pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe BN_clear_free(pointer) }

    /// A new number. All operations give their result in one, and leave their operands unchanged.
    static func zero() throws(MintingError) -> BigNumber {
        guard let pointer = unsafe BN_new() else { throw .libcrypto(function: "BN_new") }
        return unsafe BigNumber(owning: pointer)
    }

    /// A copy of bytes, the most significant first. An empty array is the number 0.
    static func bigEndian(_ bytes: [UInt8]) throws(MintingError) -> BigNumber {
        guard let pointer = unsafe BN_bin2bn(bytes, Int32(bytes.count), nil) else {
            throw .libcrypto(function: "BN_bin2bn")
        }
        return unsafe BigNumber(owning: pointer)
    }

    var isZero: Bool { unsafe BN_is_zero(pointer) == 1 }
    var bitCount: Int { unsafe Int(BN_num_bits(pointer)) }

    /// The number in `count` bytes, most significant first.
    ///
    /// - Throws: `MintingError.libcrypto` if the number does not fit into `count` bytes.
    func bytes(count: Int) throws(MintingError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: count)
        guard unsafe BN_bn2binpad(pointer, &output, Int32(count)) == Int32(count) else {
            throw .libcrypto(function: "BN_bn2binpad")
        }
        return output
    }

    func isLess(than other: borrowing BigNumber) -> Bool { unsafe BN_cmp(pointer, other.pointer) < 0 }

    /// A shift by 0 is a copy, which a type that cannot be copied needs.
    func shiftedRight(by bits: Int) throws(MintingError) -> BigNumber {
        let result = try BigNumber.zero()
        let done = unsafe BN_rshift(result.pointer, pointer, Int32(bits))
        guard done == 1 else { throw .libcrypto(function: "BN_rshift") }
        return result
    }

    /// The caller subtracts the smaller number: a negative one has no use here.
    func subtracting(_ other: borrowing BigNumber) throws(MintingError) -> BigNumber {
        let result = try BigNumber.zero()
        let done = unsafe BN_sub(result.pointer, pointer, other.pointer)
        guard done == 1 else { throw .libcrypto(function: "BN_sub") }
        return result
    }
}
