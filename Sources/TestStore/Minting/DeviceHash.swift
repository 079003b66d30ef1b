internal import WireFormats

/// The value of `deviceVerification`: SHA-384 over nonce and device identifier in lower case, in base64.
///
/// Apple's page "deviceVerification" says what is hashed. The app does the same and compares.
package enum DeviceHash {
    /// - Parameters:
    ///   - nonce: a UUID, as `deviceVerificationNonce` has it.
    ///   - deviceIdentifier: the UUID of the device for the vendor of the app.
    package static func value(nonce: String, deviceIdentifier: String) throws(MintingError) -> String {
        let text = nonce.lowercased() + deviceIdentifier.lowercased()
        return Base64.text(try HashFunction.sha384.digest(Array(text.utf8)), alphabet: .standard)
    }
}
