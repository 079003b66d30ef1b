internal import CLibcrypto

/// The properties of a certificate that the rules of RFC 5280 are about.
extension X509Certificate {
    /// The families of signature algorithms that chains are signed with.
    package enum SignatureAlgorithmFamily: Sendable {
        /// ECDSA with SHA-256, SHA-384 or SHA-512.
        case ecdsaWithSHA2
        /// RSASSA-PKCS1-v1_5 with SHA-256, SHA-384 or SHA-512.
        case rsaWithSHA2
        /// RSASSA-PKCS1-v1_5 with SHA-1.
        case rsaWithSHA1
    }

    /// The signature algorithm, which a certificate names twice (RFC 5280, sections 4.1.1.2 and 4.1.2.3).
    package var signatureAlgorithm:
        (signed: String, outer: String, agree: Bool, family: SignatureAlgorithmFamily?)
    {
        unsafe withPointer { pointer in
            var outer: UnsafePointer<X509_ALGOR>?
            unsafe X509_get0_signature(nil, &outer, pointer)
            let signed = unsafe X509_get0_tbs_sigalg(pointer)
            guard let outer = unsafe outer, let signed = unsafe signed else {
                return ("", "", false, nil)
            }
            let agree = unsafe X509_ALGOR_cmp(outer, signed) == 0
            return (
                unsafe Self.name(of: signed), unsafe Self.name(of: outer), agree,
                unsafe Self.family(of: signed)
            )
        }
    }

    /// - Returns: `nil` for an algorithm outside of the three families, or with other parameters than its RFC
    ///   demands.
    static func family(of algorithm: UnsafePointer<X509_ALGOR>) -> SignatureAlgorithmFamily? {
        let found = unsafe object(of: algorithm)
        let (identifier, parameterType) = unsafe (OBJ_obj2nid(found.identifier), found.parameterType)
        switch identifier {
        // RFC 5758, section 3.2: these identifiers come without parameters.
        case NID_ecdsa_with_SHA256, NID_ecdsa_with_SHA384, NID_ecdsa_with_SHA512:
            return parameterType == V_ASN1_UNDEF ? .ecdsaWithSHA2 : nil
        // RFC 4055, section 5: these identifiers come with NULL.
        case NID_sha256WithRSAEncryption, NID_sha384WithRSAEncryption, NID_sha512WithRSAEncryption:
            return parameterType == V_ASN1_NULL ? .rsaWithSHA2 : nil
        case NID_sha1WithRSAEncryption: return parameterType == V_ASN1_NULL ? .rsaWithSHA1 : nil
        default: return nil
        }
    }

    /// The kind of public key, for messages, and its curve. The curve is `nil` unless the key is an
    /// uncompressed point on a named curve (RFC 5480, section 2). The curve must be one of the three of NIST
    /// that ES256 chains use.
    package var publicKeyKind: (name: String, curve: Curve?) {
        unsafe withPointer { pointer in
            guard let info = unsafe X509_get_X509_PUBKEY(pointer) else { return ("none", nil) }
            var bytes: UnsafePointer<UInt8>?
            var length: Int32 = 0
            var algorithm: OpaquePointer?
            var found: UnsafeMutablePointer<X509_ALGOR>?
            guard unsafe X509_PUBKEY_get0_param(&algorithm, &bytes, &length, &found, info) == 1,
                let found = unsafe found
            else { return ("none", nil) }
            let identifier = unsafe Self.object(of: found)
            guard unsafe OBJ_obj2nid(identifier.identifier) == NID_X9_62_id_ecPublicKey else {
                return (unsafe Self.name(of: found), nil)
            }
            guard unsafe identifier.parameterType == V_ASN1_OBJECT, let named = unsafe identifier.parameter
            else { return ("an elliptic curve that is not named", nil) }
            let nid = unsafe OBJ_obj2nid(OpaquePointer(named))
            let name = unsafe OBJ_nid2sn(nid).map { unsafe String(cString: $0) } ?? "an unknown curve"
            guard let curve = Curve(nid: nid) else { return (name, nil) }
            guard Int(length) == 1 + 2 * curve.coordinateLength, unsafe bytes?[0] == 4 else {
                return ("a compressed or malformed point on \(name)", nil)
            }
            return (name, curve)
        }
    }

    /// The length of an RSA key's modulus in bits; `nil` for other keys, and for a key that cannot be read.
    package var rsaModulusBits: Int? {
        withCleanErrorQueue {
            unsafe withPointer { pointer in
                guard let key = unsafe X509_get0_pubkey(pointer),
                    unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA
                else { return nil }
                return unsafe Int(EVP_PKEY_get_bits(key))
            }
        }
    }

    /// A curve of FIPS 186-5.
    package enum Curve: Sendable {
        case p256
        case p384
        case p521

        fileprivate init?(nid: Int32) {
            switch nid {
            case NID_X9_62_prime256v1: self = .p256
            case NID_secp384r1: self = .p384
            case NID_secp521r1: self = .p521
            default: return nil
            }
        }

        fileprivate var coordinateLength: Int {
            switch self {
            case .p256: 32
            case .p384: 48
            case .p521: 66
            }
        }
    }

    /// The public key, decoded. Throws if its point is not on its curve.
    package func publicKey() throws(LibcryptoError) -> PublicKey {
        ERR_clear_error()
        defer { ERR_clear_error() }
        // This reference is ours; get0 would only lend one.
        guard let key = unsafe withPointer({ unsafe X509_get_pubkey($0) }) else {
            throw LibcryptoError("reading a public key")
        }
        return unsafe PublicKey(takingOwnership: key)
    }

    /// Whether the certificate's authority key identifier fits the issuer's subject key identifier (RFC 5280,
    /// section 4.2.1.1). They also fit if either is missing.
    package func authorityKeyIdentifierFits(_ issuer: borrowing X509Certificate) -> Bool {
        unsafe withPointer { pointer in
            unsafe issuer.withPointer { issuer in
                let result = unsafe X509_check_issued(issuer, pointer)
                return result != X509_V_ERR_AKID_SKID_MISMATCH
                    && result != X509_V_ERR_AKID_ISSUER_SERIAL_MISMATCH
            }
        }
    }

    /// All three results belong to the algorithm (get0).
    private static func object(
        of algorithm: UnsafePointer<X509_ALGOR>
    ) -> (identifier: OpaquePointer?, parameterType: Int32, parameter: UnsafeRawPointer?) {
        var identifier: OpaquePointer?
        var type: Int32 = 0
        var parameter: UnsafeRawPointer?
        unsafe X509_ALGOR_get0(&identifier, &type, &parameter, algorithm)
        return unsafe (identifier, type, parameter)
    }

    static func name(of algorithm: UnsafePointer<X509_ALGOR>) -> String {
        unsafe objectName(object(of: algorithm).identifier)
    }

    /// libcrypto's name for an object identifier; its numbers if it has no name.
    static func objectName(_ object: OpaquePointer?) -> String {
        guard let object = unsafe object else { return "" }
        let nid = unsafe OBJ_obj2nid(object)
        if nid != NID_undef, let name = unsafe OBJ_nid2sn(nid) { return unsafe String(cString: name) }
        return unsafe objectNumbers(object)
    }

    /// An object identifier, a whole element of DER, as numbers and dots.
    ///
    /// - Parameter element: a whole element, with tag and length.
    package static func objectNumbers(_ element: [UInt8]) -> String {
        let object = unsafe decoding(element.span) { unsafe d2i_ASN1_OBJECT(nil, $0, $1) }
        guard let object = unsafe object else { return "an unreadable object identifier" }
        defer { unsafe ASN1_OBJECT_free(object) }
        return unsafe objectNumbers(object)
    }

    /// An object identifier as numbers and dots.
    static func objectNumbers(_ object: OpaquePointer) -> String {
        if let numbers = unsafe shortNumbers(object) { return numbers }
        var buffer = [CChar](repeating: 0, count: 128)
        let length = unsafe OBJ_obj2txt(&buffer, Int32(buffer.count), object, 1)
        guard length > 0 else { return "an unreadable object identifier" }
        let shown = buffer.prefix(min(Int(length), buffer.count - 1))
        return String(decoding: shown.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The numbers and dots of an identifier of few numbers that fit into 63 bits (X.690, section 8.19); `nil` for
    /// others. It takes a fraction of libcrypto's time.
    private static func shortNumbers(_ object: OpaquePointer) -> String? {
        let count = unsafe OBJ_length(object)
        guard count > 0, count <= 16, let start = unsafe OBJ_get0_data(object) else { return nil }
        var text = ""
        var (number, length): (UInt64, Int) = (0, 0)
        for index in 0..<count {
            let byte = unsafe start[index]
            number = number << 7 | UInt64(byte & 0x7f)
            length += 1
            // Nine bytes of seven bits are 63 bits.
            guard length <= 9 else { return nil }
            guard byte & 0x80 == 0 else { continue }
            if text.isEmpty {
                // The encoding combines the first two numbers into one.
                let first = min(number / 40, 2)
                text = "\(first).\(number - first * 40)"
            } else {
                text += "." + String(number)
            }
            (number, length) = (0, 0)
        }
        return length == 0 ? text : nil
    }
}
