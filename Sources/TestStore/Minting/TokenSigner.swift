internal import WireFormats

/// Signs payloads under one header, which it encodes only once.
///
/// The test App Store signs thousands of payloads; its header has some three kilobytes of certificates.
package struct TokenSigner: Sendable {
    private let key: TestKey
    /// The encoded header, and the dot behind it.
    private let prefix: [UInt8]

    package init(_ minter: TokenMinter) {
        key = minter.key
        prefix = Array(Base64.text(minter.header, alphabet: .url).utf8) + [UInt8(ascii: ".")]
    }

    /// The compact JWS of a payload.
    package func token(payload: [UInt8]) throws(MintingError) -> String {
        var token = prefix
        // 86 digits of the signature and the dot before it, with some to spare.
        token.reserveCapacity(prefix.count + payload.count * 4 / 3 + 96)
        token += Base64.text(payload, alphabet: .url).utf8
        let signature = try key.signature(of: token)
        token.append(UInt8(ascii: "."))
        token += Base64.text(signature.raw, alphabet: .url).utf8
        return String(decoding: token, as: UTF8.self)
    }
}
