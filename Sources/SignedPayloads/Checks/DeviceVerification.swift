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

    fileprivate static func isHexadecimal(_ byte: UInt8) -> Bool {
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

    /// Whether a payload's members bind it to the device, both written without escapes, and the nonce in canonical
    /// form. It allocates nothing.
    ///
    /// - Parameter device: the device's UUID in lower case.
    static func binds(hash: JSONString, nonce: JSONString, to device: [UInt8], in text: Span<UInt8>) -> Bool {
        guard !hash.hasEscapes, hash.range.count == 64, !nonce.hasEscapes, nonce.range.count == 36,
            device.count == 36
        else { return false }
        var message = InlineArray<72, UInt8>(repeating: 0)
        for index in 0..<36 {
            let byte = text[nonce.range.lowerBound + index]
            let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
            guard isHyphen ? byte == UInt8(ascii: "-") : UUID.isHexadecimal(byte) else { return false }
            // This bit is set in hyphens, digits and lower-case letters.
            message[index] = byte | 0x20
            message[36 + index] = device[index]
        }
        let digest = Digest.sha384InPlace(message.span)
        for group in 0..<16 {
            let bits =
                UInt32(digest[3 * group]) << 16 | UInt32(digest[3 * group + 1]) << 8
                | UInt32(digest[3 * group + 2])
            for place in 0..<4 {
                let expected = Self.base64Character(bits >> UInt32(18 - 6 * place) & 63)
                guard text[hash.range.lowerBound + 4 * group + place] == expected else { return false }
            }
        }
        return true
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
