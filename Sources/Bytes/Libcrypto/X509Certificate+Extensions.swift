internal import CLibcrypto

extension X509Certificate {
    /// Whether there is an extension with this object identifier, in numbers and dots.
    package func hasExtension(_ identifier: String) -> Bool {
        guard let object = unsafe OBJ_txt2obj(identifier, 1) else { return false }
        defer { unsafe ASN1_OBJECT_free(object) }
        return unsafe withPointer { unsafe X509_get_ext_by_OBJ($0, object, -1) >= 0 }
    }

    /// Whether libcrypto could read all extensions that it knows.
    package var extensionsAreWellFormed: Bool { flags & UInt32(EXFLAG_INVALID) == 0 }

    /// Whether basic constraints call this a certificate authority (RFC 5280, section 4.2.1.9).
    package var isCertificateAuthority: Bool {
        flags & UInt32(EXFLAG_BCONS) != 0 && flags & UInt32(EXFLAG_CA) != 0
    }

    /// How many further authorities may be below this one; `nil` for any number.
    package var pathLength: Int? {
        let length = unsafe withPointer { unsafe X509_get_pathlen($0) }
        return length < 0 ? nil : length
    }

    /// The permitted uses of the key; `nil` if no key usage restricts them (RFC 5280, section 4.2.1.3).
    package var keyUsage: (digitalSignature: Bool, keyCertSign: Bool)? {
        guard flags & UInt32(EXFLAG_KUSAGE) != 0 else { return nil }
        let usage = unsafe withPointer { unsafe X509_get_key_usage($0) }
        return (usage & UInt32(KU_DIGITAL_SIGNATURE) != 0, usage & UInt32(KU_KEY_CERT_SIGN) != 0)
    }

    private var flags: UInt32 {
        withCleanErrorQueue { unsafe withPointer { unsafe X509_get_extension_flags($0) } }
    }
}
