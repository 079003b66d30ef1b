/// The value of `deviceVerification`: SHA-384 over nonce and device identifier in lower case, in base64.
package enum DeviceHash {
    package static func value(nonce: String, deviceIdentifier: String) throws(MintingError) -> String {
        let text = nonce.lowercased() + deviceIdentifier.lowercased()
        return Base64.encoded(try HashFunction.sha384.digest(Array(text.utf8)))
    }
}
