import CLibcrypto
import SeededRandom
import Testing

/// A number of 32 bytes, the most significant first.
typealias Number = [UInt8]

/// libcrypto's arithmetic on P-256, the reference for all comparisons. It also makes signatures with the
/// exact numbers that a test needs.
@safe
final class Reference {
    private let group: OpaquePointer
    private let context: OpaquePointer
    /// The order n of the group, and the prime p of the field.
    let order: Number
    let prime: Number

    init() throws {
        unsafe group = try #require(unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1))
        unsafe context = try #require(unsafe BN_CTX_new())
        order = unsafe Self.bytes(EC_GROUP_get0_order(group))
        prime = unsafe Self.bytes(EC_GROUP_get0_field(group))
    }

    deinit {
        unsafe EC_GROUP_free(group)
        unsafe BN_CTX_free(context)
    }

    /// `a * b mod m`; the modulus is n by default.
    func product(_ a: Number, _ b: Number, modulo modulus: Number? = nil) -> Number {
        unsafe calculate(a, b, modulus) { unsafe BN_mod_mul($0, $1, $2, $3, context) }
    }

    /// `a + b mod m`.
    func sum(_ a: Number, _ b: Number, modulo modulus: Number? = nil) -> Number {
        unsafe calculate(a, b, modulus) { unsafe BN_mod_add($0, $1, $2, $3, context) }
    }

    /// `a - b mod m`.
    func difference(_ a: Number, _ b: Number, modulo modulus: Number? = nil) -> Number {
        unsafe calculate(a, b, modulus) { unsafe BN_mod_sub($0, $1, $2, $3, context) }
    }

    /// `1 / a mod m`, for an a that is not 0 modulo m.
    func inverse(_ a: Number, modulo modulus: Number? = nil) -> Number {
        unsafe calculate(a, a, modulus) { result, a, _, modulus in
            unsafe BN_mod_inverse(result, a, modulus, context) == nil ? 0 : 1
        }
    }

    /// The point `u1 G + u2 Q`, uncompressed; `nil` at infinity.
    func combination(_ u1: Number, _ u2: Number, _ key: [UInt8]) -> [UInt8]? {
        let (first, second) = unsafe (Self.number(u1), Self.number(u2))
        let (result, point) = unsafe (EC_POINT_new(group), EC_POINT_new(group))
        defer {
            unsafe BN_free(first)
            unsafe BN_free(second)
            unsafe EC_POINT_free(result)
            unsafe EC_POINT_free(point)
        }
        #expect(unsafe EC_POINT_oct2point(group, point, key, key.count, context) == 1)
        #expect(unsafe EC_POINT_mul(group, result, first, point, second, context) == 1)
        guard unsafe EC_POINT_is_at_infinity(group, result) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65)
        let form = POINT_CONVERSION_UNCOMPRESSED
        #expect(unsafe EC_POINT_point2oct(group, result, form, &bytes, bytes.count, context) == 65)
        return bytes
    }

    /// The public key of a private key.
    func publicKey(of scalar: Number) throws -> [UInt8] {
        // Any point is correct, because its factor is 0.
        let generator = unsafe EC_GROUP_get0_generator(group)
        var bytes = [UInt8](repeating: 0, count: 65)
        let form = POINT_CONVERSION_UNCOMPRESSED
        #expect(unsafe EC_POINT_point2oct(group, generator, form, &bytes, bytes.count, context) == 65)
        return try #require(combination(scalar, .zero, bytes))
    }

    private func calculate(
        _ a: Number, _ b: Number, _ modulus: Number?,
        _ operation: (OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
    ) -> Number {
        let (a, b, modulus) = unsafe (Self.number(a), Self.number(b), Self.number(modulus ?? order))
        let result = unsafe BN_new()
        defer {
            unsafe BN_free(a)
            unsafe BN_free(b)
            unsafe BN_free(modulus)
            unsafe BN_free(result)
        }
        #expect(unsafe operation(result, a, b, modulus) == 1)
        return unsafe Self.bytes(result)
    }

    private static func number(_ bytes: Number) -> OpaquePointer? {
        unsafe BN_bin2bn(bytes, Int32(bytes.count), nil)
    }

    private static func bytes(_ number: OpaquePointer?) -> Number {
        var bytes = Number(repeating: 0, count: 32)
        #expect(unsafe BN_bn2binpad(number, &bytes, 32) == 32)
        return bytes
    }
}

/// A public key in libcrypto.
@safe
final class ReferenceKey: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(_ point: [UInt8]) throws {
        // The bytes before the point in a SubjectPublicKeyInfo (RFC 5480, section 2).
        let prefix: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
            0x86,
            0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ]
        let encoded = prefix + point
        let key = unsafe encoded.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &next, bytes.count)
        }
        unsafe pointer = try #require(unsafe key)
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// libcrypto's verdict.
    func isValid(_ signature: [UInt8], _ digest: [UInt8]) -> Bool {
        let context = unsafe EVP_PKEY_CTX_new(pointer, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_verify_init(context) == 1 else { return false }
        let encoded = Self.der(signature)
        return unsafe EVP_PKEY_verify(context, encoded, encoded.count, digest, digest.count) == 1
    }

    /// A signature in libcrypto's form: two integers in DER (RFC 3279, section 2.2.3).
    private static func der(_ signature: [UInt8]) -> [UInt8] {
        let integers = [signature[..<32], signature[32...]].flatMap { half -> [UInt8] in
            var digits = Array(half.drop { $0 == 0 })
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        return [0x30, UInt8(integers.count)] + integers
    }
}

extension [UInt8] {
    static let zero = Number(repeating: 0, count: 32)
    /// A small number.
    static func small(_ value: UInt64) -> Number {
        Number(repeating: 0, count: 24)
            + (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    /// 2^j.
    static func power(_ exponent: Int) -> Number {
        var number = Number.zero
        number[31 - exponent / 8] = 1 << (exponent % 8)
        return number
    }
}

extension SplitMix64 {
    /// 32 bytes: uniformly random, or with long runs of equal bits, which find more errors.
    mutating func number(troublesome: Bool = false) -> Number {
        var number = (0..<32).map { _ in UInt8.random(in: 0...255, using: &self) }
        guard troublesome else { return number }
        for _ in 0..<Int.random(in: 0...3, using: &self) {
            let start = Int.random(in: 0..<32, using: &self)
            let bits: UInt8 = Bool.random(using: &self) ? 0xff : 0
            for index in start..<Int.random(in: start...32, using: &self) { number[index] = bits }
        }
        return number
    }
}
