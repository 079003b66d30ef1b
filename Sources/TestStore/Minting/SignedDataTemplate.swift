internal import WireFormats

/// A CMS SignedData (RFC 5652, 5.1), signed but not yet encoded. Every part can be changed.
///
/// The values of `version` and of the algorithms are what RFC 5652 demands, unless a test changes them.
package struct SignedDataTemplate: Sendable {
    /// The form of the outer values' lengths.
    package enum Form: Sendable {
        /// DER throughout, as the App Store writes it.
        case definite
        /// BER: indefinite lengths around the content. The content is a constructed OCTET STRING with pieces
        /// of this many bytes (X.690, 8.1.3.6 and 8.7.3). Xcode writes one piece.
        case indefinite(pieceBytes: Int)
    }

    /// SignerInfo (RFC 5652, 5.3). Its members are encoded, unless their comment says otherwise.
    package struct Signer: Sendable {
        /// The contents of the INTEGER.
        package var version: [UInt8] = [1]
        /// IssuerAndSerialNumber, or `[0]` SubjectKeyIdentifier.
        package var identifier: [UInt8]
        package var digestAlgorithm: [UInt8]
        /// The attributes inside `[0]`, without that tag.
        package var signedAttributes: [UInt8]?
        package var signatureAlgorithm: [UInt8]
        /// The contents of the OCTET STRING.
        package var signature: [UInt8]
        /// The attributes inside `[1]`, without that tag.
        package var unsignedAttributes: [UInt8]?
    }

    /// The parts whose encoding can be changed, the outermost first.
    package enum Part: String, Sendable, CaseIterable {
        case contentInfo, contentType, content, signedData, version, digestAlgorithms
        case encapsulatedContent, eContentType, eContent, octets, certificates, signerInfos
        case signerInfo, signerVersion, signerIdentifier, digestAlgorithm, signatureAlgorithm, signature
    }

    /// id-signedData (RFC 5652, 5.1) and id-data (RFC 5652, 4).
    package enum Identifier {
        package static let signedData: [UInt] = [1, 2, 840, 113549, 1, 7, 2]
        package static let data: [UInt] = [1, 2, 840, 113549, 1, 7, 1]
    }

    package var form = Form.definite
    package var contentType = Identifier.signedData
    /// The contents of the INTEGER.
    package var version: [UInt8] = [1]
    package var digestAlgorithms: [[UInt8]]
    package var eContentType = Identifier.data
    /// The signed content; nil leaves out `eContent`.
    package var content: [UInt8]?
    /// The certificates; nil leaves out the member.
    package var certificates: [[UInt8]]?
    /// The CertificateLists inside `[1]`.
    package var revocationLists: [[UInt8]]?
    package var signers: [Signer]
    /// Changes to the encodings of parts. A change that returns no bytes leaves the part out.
    ///
    /// A change of an inner part is inside of the outer ones when those are encoded.
    package var flaws: [Part: @Sendable ([UInt8]) -> [UInt8]] = [:]

    package init(
        digestAlgorithms: [[UInt8]], content: [UInt8]?, certificates: [[UInt8]]?, signers: [Signer]
    ) {
        self.digestAlgorithms = digestAlgorithms
        self.content = content
        self.certificates = certificates
        self.signers = signers
    }

    /// The receipt in the form that apps send.
    package var base64: String { Base64.text(der, alphabet: .standard) }

    /// ContentInfo (RFC 5652, 3) around the SignedData.
    package var der: [UInt8] {
        let type = part(.contentType, DER.objectIdentifier(contentType))
        let content = part(.content, outer(DER.explicit(0, signedData)))
        return part(.contentInfo, outer(DER.sequence(type, content)))
    }

    private var signedData: [UInt8] {
        let encapsulated = outer(
            DER.sequence(part(.eContentType, DER.objectIdentifier(eContentType)), eContent))
        let certificates = certificates.map {
            part(.certificates, DER.value(tag: 0xA0, $0.flatMap { $0 }))
        }
        let lists = revocationLists.map { DER.value(tag: 0xA1, $0.flatMap { $0 }) }
        return part(
            .signedData,
            outer(
                DER.sequence(
                    part(.version, DER.integer(contents: version)),
                    part(.digestAlgorithms, DER.value(tag: 0x31, digestAlgorithms.flatMap { $0 })),
                    part(.encapsulatedContent, encapsulated), certificates ?? [], lists ?? [],
                    part(.signerInfos, DER.value(tag: 0x31, signers.flatMap(encoded))))))
    }

    private var eContent: [UInt8] {
        guard let content else { return [] }
        let octets =
            switch form {
            case .definite: DER.octetString(content)
            case .indefinite(let bytes): DER.indefiniteLength(DER.constructedOctetString(content, bytes))
            }
        return part(.eContent, outer(DER.explicit(0, part(.octets, octets))))
    }

    /// The attributes are written as given; DER's order of a SET OF is the caller's.
    private func encoded(_ signer: Signer) -> [UInt8] {
        let signed = signer.signedAttributes.map { DER.value(tag: 0xA0, $0) } ?? []
        let unsigned = signer.unsignedAttributes.map { DER.value(tag: 0xA1, $0) } ?? []
        return part(
            .signerInfo,
            DER.sequence(
                part(.signerVersion, DER.integer(contents: signer.version)),
                part(.signerIdentifier, signer.identifier),
                part(.digestAlgorithm, signer.digestAlgorithm), signed,
                part(.signatureAlgorithm, signer.signatureAlgorithm),
                part(.signature, DER.octetString(signer.signature)), unsigned))
    }

    /// Xcode gives only the values around the content an indefinite length. Certificates and signers stay DER.
    private func outer(_ definite: [UInt8]) -> [UInt8] {
        switch form {
        case .definite: definite
        case .indefinite: DER.indefiniteLength(definite)
        }
    }

    private func part(_ part: Part, _ encoding: [UInt8]) -> [UInt8] { flaws[part]?(encoding) ?? encoding }
}
