internal import Libcrypto
internal import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension UUID {
    /// Reads only the form of RFC 9562, section 4, in either case. Foundation would ignore text after a zero
    /// byte.
    package init?(canonicalForm text: String) {
        let hyphens: Set = [8, 13, 18, 23]
        guard text.utf8.count == 36 else { return nil }
        for (index, byte) in text.utf8.enumerated() {
            let isInPlace = hyphens.contains(index) ? byte == UInt8(ascii: "-") : Self.isHexadecimal(byte)
            guard isInPlace else { return nil }
        }
        self.init(uuidString: text)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

/// The value that binds a payload to one device (Apple: `Transaction.deviceVerification`).
public enum DeviceVerification {
    /// SHA-384 over the ASCII of the nonce's UUID followed by the device's, both in lower case.
    ///
    /// - Parameters:
    ///   - nonce: the payload's `deviceVerificationNonce`.
    ///   - deviceIdentifier: the device's identifier, for instance `AppStore.deviceVerificationID`.
    /// - Returns: 48 bytes.
    public static func hash(nonce: UUID, deviceIdentifier: UUID) -> [UInt8] {
        let text = nonce.uuidString.lowercased() + deviceIdentifier.uuidString.lowercased()
        return Digest.sha384(Array(text.utf8).span)
    }

    /// The hash as payloads carry it, in base64 with padding.
    public static func base64Hash(nonce: UUID, deviceIdentifier: UUID) -> String {
        Data(hash(nonce: nonce, deviceIdentifier: deviceIdentifier)).base64EncodedString()
    }

    /// The hash of a receipt, 20 bytes: SHA-1 over the device's identifier, the opaque value and the bundle
    /// identifier's bytes (Apple, *Validating receipts on the device*).
    static func receiptHash(deviceIdentifier: [UInt8], opaqueValue: [UInt8], bundleIdentifier: [UInt8])
        -> [UInt8]
    {
        Digest.sha1((deviceIdentifier + opaqueValue + bundleIdentifier).span)
    }
}
