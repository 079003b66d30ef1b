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
        let bytes = Array(text.utf8)
        guard Self.isCanonical(bytes.span) else { return nil }
        self.init(uuidString: text)
    }

    /// Whether a text has the form of RFC 9562, section 4, in either case.
    fileprivate static func isCanonical(_ text: Span<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for index in 0..<36 {
            let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
            guard isHyphen ? text[index] == UInt8(ascii: "-") : isHexadecimal(text[index]) else {
                return false
            }
        }
        return true
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
        let (nonce, device) = (Array(nonce.uuidString.utf8), Array(deviceIdentifier.uuidString.utf8))
        let digest = digest(nonce: nonce.span, device: device.span)
        return digest.indices.map { digest[$0] }
    }

    /// The hash as payloads carry it, in base64 with padding.
    public static func base64Hash(nonce: UUID, deviceIdentifier: UUID) -> String {
        let (nonce, device) = (Array(nonce.uuidString.utf8), Array(deviceIdentifier.uuidString.utf8))
        let hash = base64(digest(nonce: nonce.span, device: device.span))
        return String(decoding: hash.indices.map { hash[$0] }, as: UTF8.self)
    }

    /// The same for a nonce as a payload writes it; `nil` if that is no UUID. It allocates nothing.
    static func base64Hash(nonce: Span<UInt8>, device: [UInt8]) -> InlineArray<64, UInt8>? {
        UUID.isCanonical(nonce) ? base64(digest(nonce: nonce, device: device.span)) : nil
    }

    /// The hash of two UUIDs in canonical form, in either case.
    private static func digest(nonce: Span<UInt8>, device: Span<UInt8>) -> InlineArray<48, UInt8> {
        var message = InlineArray<72, UInt8>(repeating: 0)
        // This bit is set in hyphens, digits and lower-case letters.
        for index in 0..<36 {
            message[index] = nonce[index] | 0x20
            message[36 + index] = device[index] | 0x20
        }
        return Digest.sha384(message.span)
    }

    /// RFC 4648, section 4. There is no padding, because 48 is a multiple of three.
    private static func base64(_ digest: InlineArray<48, UInt8>) -> InlineArray<64, UInt8> {
        var text = InlineArray<64, UInt8>(repeating: 0)
        for group in 0..<16 {
            let bits =
                UInt32(digest[3 * group]) << 16 | UInt32(digest[3 * group + 1]) << 8
                | UInt32(digest[3 * group + 2])
            for place in 0..<4 {
                text[4 * group + place] = base64Character(bits >> UInt32(18 - 6 * place) & 63)
            }
        }
        return text
    }

    /// RFC 4648, table 1.
    private static func base64Character(_ value: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: value)
        return switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    /// The hash of a receipt, 20 bytes: SHA-1 over the device's identifier, the opaque value and the bundle
    /// identifier's bytes (Apple, *Validating receipts on the device*).
    static func receiptHash(deviceIdentifier: [UInt8], opaqueValue: [UInt8], bundleIdentifier: [UInt8])
        -> [UInt8]
    {
        Digest.sha1((deviceIdentifier + opaqueValue + bundleIdentifier).span)
    }
}
