public import Essentials
internal import Libcrypto
internal import WireFormats

/// The value that binds a payload to one device (Apple: `Transaction.deviceVerification`).
public enum DeviceVerification {
    /// SHA-384 over the ASCII of the nonce's UUID followed by the device's, both in lower case.
    ///
    /// - Parameters:
    ///   - nonce: the payload's `deviceVerificationNonce`.
    ///   - deviceIdentifier: the device's identifier, for instance `AppStore.deviceVerificationID`.
    /// - Returns: 48 bytes.
    public static func hash(nonce: UUID, deviceIdentifier: UUID) -> [UInt8] {
        let (nonce, device) = (Array(nonce.uuidString.utf8), Array(deviceIdentifier.uuidString.utf8))
        guard let digest = digest(nonce: nonce.span, device: device.span) else { return [] }
        return digest.indices.map { digest[$0] }
    }

    /// The hash as payloads carry it, in base64 with padding.
    public static func base64Hash(nonce: UUID, deviceIdentifier: UUID) -> String {
        Data(hash(nonce: nonce, deviceIdentifier: deviceIdentifier)).base64EncodedString()
    }

    /// The hash in base64 for a nonce as a payload writes it; `nil` if that is not a UUID. It allocates nothing.
    static func base64Hash(nonce: Span<UInt8>, device: [UInt8]) -> InlineArray<64, UInt8>? {
        // 48 is a multiple of three, so there is no padding.
        digest(nonce: nonce, device: device.span).map { digest in
            InlineArray { Base64.append(digest.span, to: &$0) }
        }
    }

    /// The hash of two UUIDs; `nil` if one of them is not in canonical form.
    private static func digest(nonce: Span<UInt8>, device: Span<UInt8>) -> InlineArray<48, UInt8>? {
        guard let nonce = CanonicalUUID.lowercased(nonce), let device = CanonicalUUID.lowercased(device)
        else { return nil }
        var message = InlineArray<72, UInt8>(repeating: 0)
        for index in 0..<36 {
            message[index] = nonce[index]
            message[36 + index] = device[index]
        }
        return Digest.sha384(message.span)
    }

    /// The hash of a receipt, 20 bytes: SHA-1 over the device's identifier, the opaque value and the bundle
    /// identifier's bytes (Apple, *Validating receipts on the device*).
    static func receiptHash(deviceIdentifier: [UInt8], opaqueValue: [UInt8], bundleIdentifier: [UInt8])
        -> [UInt8]
    {
        Digest.sha1((deviceIdentifier + opaqueValue + bundleIdentifier).span)
    }
}
