internal import CLibcrypto

/// A private key on P-256, which signs with ECDSA and SHA-256. It owns one `EVP_PKEY`.
///
/// Nothing reveals its number: the type has no description and no function that returns it. libcrypto overwrites the number's
/// memory when the key is freed.
@safe
package struct PrivateKey: ~Copyable {
    private let pointer: OpaquePointer

    /// Takes over one reference to the key.
    private init(takingOwnership pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Reads a key in PKCS #8 (RFC 5958) from a text in PEM (RFC 7468), as a `.p8` file has it.
    ///
    /// Every copy of the text that this function makes is overwritten before it returns. The argument stays the
    /// caller's to overwrite; see `LibcryptoMemory.cleanse`.
    ///
    /// - Throws: the kind of the text, if it is not such a key.
    package static func parse(pem: Span<UInt8>) throws(PrivateKeyError) -> PrivateKey {
        guard !pem.isEmpty else { throw .empty }
        guard pem.count <= maximumBytes else { throw .tooLong }
        ERR_clear_error()
        defer { ERR_clear_error() }
        let pointer = try unsafe pem.withUnsafeBytes { text throws(PrivateKeyError) in
            // This kind of BIO does not copy the text.
            guard let input = unsafe BIO_new_mem_buf(text.baseAddress, Int32(text.count)) else {
                throw PrivateKeyError.damaged
            }
            defer { unsafe BIO_free(input) }
            return try unsafe firstKey(from: input)
        }
        return unsafe PrivateKey(takingOwnership: pointer)
    }

    /// More than any key has, in bytes. A key of RSA with 16,384 bits has some 13,000, and deserves its own message.
    package static let maximumBytes = 32_768

    /// The key in the first block. The caller frees it.
    private static func firstKey(from input: OpaquePointer) throws(PrivateKeyError) -> OpaquePointer {
        var (label, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) = (nil, nil)
        var bytes: UnsafeMutablePointer<UInt8>?
        var length = 0
        // The flag has libcrypto overwrite its buffers before it frees them.
        guard
            unsafe PEM_read_bio_ex(input, &label, &header, &bytes, &length, UInt32(PEM_FLAG_SECURE)) == 1,
            let start = unsafe bytes, let name = unsafe label
        else {
            let hasNoBlock = ERR_peek_last_error() & 0x7f_ffff == UInt(PEM_R_NO_START_LINE)
            throw hasNoBlock ? .notPEM : .damaged
        }
        defer {
            unsafe CRYPTO_secure_free(label, nil, 0)
            unsafe CRYPTO_secure_free(header, nil, 0)
            unsafe CRYPTO_secure_clear_free(bytes, length, nil, 0)
        }
        let kind = unsafe String(cString: name)
        guard kind == "PRIVATE KEY" else {
            throw kind == "ENCRYPTED PRIVATE KEY" ? .encrypted : .otherBlock(kind)
        }
        var next: UnsafePointer<UInt8>? = unsafe UnsafePointer(start)
        guard let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &next, length) else { throw .damaged }
        // It overwrites its copy of the key.
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        guard unsafe next == UnsafePointer(start + length) else { throw .damaged }
        return try unsafe key(of: info)
    }

    /// The key of a PrivateKeyInfo. Keys of other algorithms and curves are refused by libcrypto's names.
    private static func key(of info: OpaquePointer) throws(PrivateKeyError) -> OpaquePointer {
        var (algorithm, parameters): (OpaquePointer?, UnsafePointer<X509_ALGOR>?) = (nil, nil)
        var bytes: UnsafePointer<UInt8>?
        var (count, kind): (Int32, Int32) = (0, 0)
        var curve: UnsafeRawPointer?
        // Nothing of this is ours to free (get0).
        guard unsafe PKCS8_pkey_get0(&algorithm, &bytes, &count, &parameters, info) == 1,
            let start = unsafe bytes
        else { throw .damaged }
        let name = unsafe OBJ_obj2nid(algorithm)
        guard name == NID_X9_62_id_ecPublicKey else {
            throw .otherAlgorithm(unsafe String(cString: OBJ_nid2sn(name)))
        }
        unsafe X509_ALGOR_get0(nil, &kind, &curve, parameters)
        guard kind == V_ASN1_OBJECT, let object = unsafe curve else { throw .otherCurve("") }
        let curveName = unsafe OBJ_obj2nid(OpaquePointer(object))
        guard curveName == NID_X9_62_prime256v1 else {
            throw .otherCurve(unsafe String(cString: OBJ_nid2sn(curveName)))
        }
        var digits = [UInt8](repeating: 0, count: numberBytes)
        defer { LibcryptoMemory.cleanse(&digits) }
        let encoded = unsafe UnsafeBufferPointer(start: start, count: Int(count))
        let written = try unsafe publicPoint(of: encoded, number: &digits)
        let point = try publicPoint(&digits)
        guard written.map({ $0 == point }) ?? true else { throw .inconsistent }
        return unsafe try key(digits: &digits, point)
    }

    private static let numberBytes = 32
    private static let pointBytes = 65

    /// Reads an ECPrivateKey (RFC 5915, section 3): version 1, the private number, the curve's name, and the public point.
    /// The last two may be absent.
    ///
    /// libcrypto's own reader leaves copies of the number in memory that it frees.
    ///
    /// - Parameter number: gets the private number, big endian.
    /// - Returns: the public point; `nil` if it is absent.
    private static func publicPoint(
        of der: UnsafeBufferPointer<UInt8>, number: inout [UInt8]
    ) throws(PrivateKeyError) -> [UInt8]? {
        // A sequence of less than 256 bytes, in one of two forms of length.
        guard der.count > 3, unsafe der[0] == 0x30 else { throw .damaged }
        let begin = unsafe der[1] == 0x81 ? 3 : 2
        let rest = unsafe der[begin...]
        let head: [UInt8] = [0x02, 0x01, 0x01, 0x04, UInt8(numberBytes)]
        guard unsafe Int(der[begin - 1]) == rest.count, unsafe rest.starts(with: head),
            unsafe rest.count >= head.count + numberBytes
        else { throw .damaged }
        for index in 0..<numberBytes { unsafe number[index] = der[begin + head.count + index] }
        var others = unsafe Array(rest.dropFirst(head.count + numberBytes))[...]
        var point: [UInt8]?
        while !others.isEmpty {
            let element = Array(others)
            guard element.count > 1, element.count >= 2 + Int(element[1]) else { throw .damaged }
            let content = element[2..<(2 + Int(element[1]))]
            switch element[0] {
            case 0xa0: break
            // A bit string without unused bits.
            case 0xa1 where content.starts(with: [0x03, UInt8(pointBytes) + 1, 0x00]):
                point = Array(content.dropFirst(3))
            default: throw .damaged
            }
            others = others.dropFirst(2 + content.count)
        }
        return point
    }

    /// The public point of a private number (SEC 1, section 3.2.1), uncompressed.
    private static func publicPoint(_ digits: inout [UInt8]) throws(PrivateKeyError) -> [UInt8] {
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1),
            let number = unsafe BN_bin2bn(digits, Int32(digits.count), nil)
        else { throw .damaged }
        defer {
            unsafe EC_GROUP_free(group)
            unsafe BN_clear_free(number)
        }
        guard unsafe BN_is_zero(number) == 0, unsafe BN_cmp(number, EC_GROUP_get0_order(group)) < 0,
            let point = unsafe EC_POINT_new(group)
        else { throw .inconsistent }
        defer { unsafe EC_POINT_free(point) }
        var bytes = [UInt8](repeating: 0, count: pointBytes)
        guard unsafe EC_POINT_mul(group, point, number, nil, nil, nil) == 1,
            unsafe EC_POINT_point2oct(
                group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil) == bytes.count
        else { throw .inconsistent }
        return bytes
    }

    /// A key of both halves. The caller frees it.
    private static func key(
        digits: inout [UInt8], _ point: [UInt8]
    ) throws(PrivateKeyError) -> OpaquePointer {
        // Parameters have numbers in the machine's order (OSSL_PARAM(3)).
        if UInt16(littleEndian: 1) == 1 { digits.reverse() }
        var point = point
        let key = unsafe point.withUnsafeMutableBytes { point in
            unsafe digits.withUnsafeMutableBytes { digits in
                unsafe clibcrypto_p256_key(point.baseAddress, point.count, digits.baseAddress, digits.count)
            }
        }
        guard let key = unsafe key else { throw .damaged }
        return unsafe key
    }

    /// The ECDSA signature over SHA-256 of the message, in DER. Each call gives another one.
    package borrowing func signature(ofSHA256 message: Span<UInt8>) throws(LibcryptoError) -> [UInt8] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_MD_CTX_new() else { throw LibcryptoError("out of memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        // 72 bytes are enough on P-256: a sequence of two numbers, of 33 bytes at most.
        var signature = [UInt8](repeating: 0, count: 72)
        var length = signature.count
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer) == 1,
            unsafe message.withUnsafeBufferPointer({ message in
                unsafe EVP_DigestSign(context, &signature, &length, message.baseAddress, message.count) == 1
            })
        else { throw LibcryptoError("making a signature") }
        return Array(signature.prefix(length))
    }
}

// Nothing changes an EVP_PKEY after it was decoded; its provider locks the values that it derives on demand.
extension PrivateKey: @unchecked Sendable {}

/// Why a text is not a private key on P-256.
package enum PrivateKeyError: Error, Sendable {
    case empty
    case tooLong
    case notPEM
    /// A block of PEM with this label.
    case otherBlock(String)
    case encrypted
    /// The base64 or the DER in it cannot be read, or libcrypto does not know the algorithm.
    case damaged
    /// libcrypto's name of the algorithm.
    case otherAlgorithm(String)
    /// libcrypto's name of the curve; empty if it has none.
    case otherCurve(String)
    /// The private number is out of range, or the public half is another key's.
    case inconsistent
}
