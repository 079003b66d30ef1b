/// A CMS SignedData (RFC 5652, 5.1) after it is signed and before it is encoded: every part may be changed.
package struct SignedDataTemplate: Sendable {
    /// How the lengths of the outer values are written.
    package enum Form: Sendable {
        /// In DER throughout, as the App Store writes it.
        case definite
        /// In BER: indefinite lengths around the content, which is a constructed OCTET STRING of pieces of
        /// so many bytes (X.690, 8.1.3.6 and 8.7.3). Xcode writes one piece.
        case indefinite(pieceBytes: Int)
    }

    /// SignerInfo (RFC 5652, 5.3), its members encoded but for what is said.
    package struct Signer: Sendable {
        /// The contents of the INTEGER.
        package var version: [UInt8] = [1]
        /// IssuerAndSerialNumber, or `[0]` SubjectKeyIdentifier.
        package var identifier: [UInt8]
        package var digestAlgorithm: [UInt8]
        /// The attributes within `[0]`, not yet wrapped.
        package var signedAttributes: [UInt8]?
        package var signatureAlgorithm: [UInt8]
        /// The contents of the OCTET STRING.
        package var signature: [UInt8]
        /// The attributes within `[1]`, not yet wrapped.
        package var unsignedAttributes: [UInt8]?
    }

    /// What may be spoilt in its encoding, the outermost first.
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
    /// What is signed; nil leaves `eContent` out.
    package var content: [UInt8]?
    /// nil leaves the member out.
    package var certificates: [[UInt8]]?
    /// CertificateLists within `[1]`.
    package var revocationLists: [[UInt8]]?
    package var signers: [Signer]
    /// Changes to the encodings of parts. An encoding of no bytes leaves the part out.
    package var flaws: [Part: @Sendable ([UInt8]) -> [UInt8]] = [:]

    package init(
        digestAlgorithms: [[UInt8]], content: [UInt8]?, certificates: [[UInt8]]?, signers: [Signer]
    ) {
        self.digestAlgorithms = digestAlgorithms
        self.content = content
        self.certificates = certificates
        self.signers = signers
    }

    /// The same with one part's encoding changed.
    package func spoiling(
        _ part: Part, _ flaw: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> SignedDataTemplate {
        var template = self
        template.flaws[part] = flaw
        return template
    }

    /// A receipt as apps send it.
    package var base64: String { Base64.encoded(der) }

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

    private func outer(_ definite: [UInt8]) -> [UInt8] {
        switch form {
        case .definite: definite
        case .indefinite: DER.indefiniteLength(definite)
        }
    }

    private func part(_ part: Part, _ encoding: [UInt8]) -> [UInt8] { flaws[part]?(encoding) ?? encoding }
}
