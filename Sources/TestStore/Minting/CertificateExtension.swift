/// One extension of a certificate (RFC 5280, 4.2). Its bytes need not be valid.
package struct CertificateExtension: Sendable, Equatable {
    package var identifier: [UInt]
    /// The encoding of `critical BOOLEAN DEFAULT FALSE`; empty if it is left out.
    package var criticalDER: [UInt8]
    package var contents: [UInt8]
    /// Replaces the OCTET STRING with the contents, to make it malformed.
    package var valueDER: [UInt8]?

    package init(_ identifier: [UInt], critical: Bool = false, contents: [UInt8]) {
        self.identifier = identifier
        criticalDER = critical ? DER.boolean(true) : []
        self.contents = contents
    }

    /// `Extension` (RFC 5280, 4.1): identifier, `critical` unless it is absent, and the value in an OCTET
    /// STRING.
    package var der: [UInt8] {
        DER.sequence(DER.objectIdentifier(identifier), criticalDER, valueDER ?? DER.octetString(contents))
    }
}

// The extensions of Apple's chain.
extension CertificateExtension {
    /// The identifiers, under short names.
    package enum Identifier {
        package static let basicConstraints: [UInt] = [2, 5, 29, 19]
        package static let keyUsage: [UInt] = [2, 5, 29, 15]
        package static let subjectKey: [UInt] = [2, 5, 29, 14]
        package static let authorityKey: [UInt] = [2, 5, 29, 35]
        package static let certificatePolicies: [UInt] = [2, 5, 29, 32]
        package static let extendedKeyUsage: [UInt] = [2, 5, 29, 37]
        package static let authorityInformation: [UInt] = [1, 3, 6, 1, 5, 5, 7, 1, 1]
        /// Apple's markers: the verifier demands the first of a leaf, the second of an intermediate.
        package static let leafMarker: [UInt] = [1, 2, 840, 113635, 100, 6, 11, 1]
        package static let intermediateMarker: [UInt] = [1, 2, 840, 113635, 100, 6, 2, 1]
    }

    /// The bits of KeyUsage (RFC 5280, 4.2.1.3), most significant bit of the first byte first.
    package enum KeyUsage {
        package static let digitalSignature: UInt8 = 0x80
        package static let keyCertSign: UInt8 = 0x04
        /// The name is that of RFC 5280.
        package static let cRLSign: UInt8 = 0x02
    }

    /// RFC 5280, 4.2.1.9. An absent flag means no authority, so `isCA: false` writes an empty SEQUENCE.
    package static func basicConstraints(isCA: Bool, pathLength: UInt8? = nil) -> Self {
        let flag = isCA ? DER.boolean(true) : []
        let length = pathLength.map { DER.unsignedInteger([$0]) } ?? []
        return Self(Identifier.basicConstraints, critical: true, contents: DER.sequence(flag, length))
    }

    /// A named bit list, without its trailing zero bits (X.690, 11.2.2).
    package static func keyUsage(_ bits: UInt8) -> Self {
        let unused = UInt8(min(7, bits.trailingZeroBitCount))
        let contents = DER.bitString([bits], unusedBits: unused)
        return Self(Identifier.keyUsage, critical: true, contents: contents)
    }

    /// RFC 5280, 4.2.1.2.
    package static func subjectKeyIdentifier(_ identifier: [UInt8]) -> Self {
        Self(Identifier.subjectKey, contents: DER.octetString(identifier))
    }

    /// RFC 5280, 4.2.1.1: the identifier of the issuer's key alone, without the issuer's name.
    package static func authorityKeyIdentifier(_ identifier: [UInt8]) -> Self {
        Self(Identifier.authorityKey, contents: DER.sequence(DER.implicit(0, identifier)))
    }

    /// The value of Apple's markers is NULL.
    package static func marker(_ identifier: [UInt], critical: Bool = false) -> Self {
        Self(identifier, critical: critical, contents: DER.null)
    }

    /// Extended key usage for code signing only (RFC 5280, 4.2.1.12).
    package static var codeSigning: Self {
        let purpose: [UInt] = [1, 3, 6, 1, 5, 5, 7, 3, 3]
        let contents = DER.sequence(DER.objectIdentifier(purpose))
        return Self(Identifier.extendedKeyUsage, critical: true, contents: contents)
    }

    /// RFC 5280, 4.2.2.1: one address, under the method OCSP. It is a GeneralName with the tag 6.
    package static func ocsp(_ location: String) -> Self {
        let method: [UInt] = [1, 3, 6, 1, 5, 5, 7, 48, 1]
        let location = DER.implicit(6, Array(location.utf8))
        let access = DER.sequence(DER.sequence(DER.objectIdentifier(method), location))
        return Self(Identifier.authorityInformation, contents: access)
    }

    /// One policy with a user notice, as long as Apple's.
    package static func certificatePolicies(notice: String) -> Self {
        let userNotice: [UInt] = [1, 3, 6, 1, 5, 5, 7, 2, 2]
        let policy: [UInt] = [2, 25, 1_717_171_717, 1]
        let qualifier = DER.sequence(
            DER.objectIdentifier(userNotice), DER.sequence(DER.utf8String(notice)))
        let information = DER.sequence(DER.objectIdentifier(policy), DER.sequence(qualifier))
        return Self(Identifier.certificatePolicies, contents: DER.sequence(information))
    }
}
