package import Minting

// Changes of receipts that tests need.

extension ReceiptContent {
    /// The value of the first attribute of this type; empty if there is none.
    package func value(of type: Int) -> [UInt8] { attributes.first { $0.type == type }?.value ?? [] }

    /// A copy without the attributes of these types.
    package func removing(_ types: Int...) -> ReceiptContent {
        var content = self
        content.attributes.removeAll { types.contains($0.type) }
        return content
    }

    /// Binds the receipt to a device. The hash is SHA-1 over the identifier's 16 bytes, the opaque value, and
    /// the value of the bundle identifier with its tag and length.
    ///
    /// - Parameter device: the identifier's 16 bytes.
    package func settingDeviceHash(_ device: [UInt8]) throws(MintingError) -> ReceiptContent {
        let app = ReceiptAttribute.App.self
        let message = device + value(of: app.opaqueValue) + value(of: app.bundleIdentifier)
        return setting(app.deviceHash, try HashFunction.sha1.digest(message))
    }
}

extension ReceiptMinter {
    /// A receipt in parts with signed attributes (RFC 5652, 11.1 and 11.2). The signature then covers these, as a SET,
    /// instead of the content.
    ///
    /// Genuine receipts have no signed attributes; CMS allows them.
    package func signedDataWithAttributes(_ content: [UInt8]) throws(MintingError) -> SignedDataTemplate {
        let (contentType, messageDigest): ([UInt], [UInt]) = (
            [1, 2, 840, 113549, 1, 9, 3], [1, 2, 840, 113549, 1, 9, 4]
        )
        let type = DER.objectIdentifier(SignedDataTemplate.Identifier.data)
        let digest = DER.octetString(try hash.digest(content))
        let attributes =
            DER.sequence(DER.objectIdentifier(contentType), DER.set(type))
            + DER.sequence(DER.objectIdentifier(messageDigest), DER.set(digest))
        var template = try signedData(content)
        template.signers[0].signature = try signature(of: DER.value(tag: 0x31, attributes))
        template.signers[0].signedAttributes = attributes
        return template
    }
}

extension SignedDataTemplate {
    /// A copy with one part's encoding changed.
    package func spoiling(
        _ part: Part, _ flaw: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> SignedDataTemplate {
        var template = self
        template.flaws[part] = flaw
        return template
    }
}
