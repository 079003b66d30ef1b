/// The certificates of a header. The reader of headers gives them to the reader of certificates; the two modules do not
/// know each other. Whether they are DER is not checked here.
package enum X5C: Sendable {
    /// One certificate.
    package enum Element: Hashable, Sendable {
        /// Its bytes.
        case der([UInt8])
        /// A certificate longer than `maximumBytes`. Its base64 is correct, but its bytes were not kept.
        case oversized(bytes: Int)

        /// The maximum length of a certificate. Apple's take 1,200 bytes at most. libcrypto takes
        /// milliseconds for a longer one, before anything is known about its sender.
        package static let maximumBytes = 16_384
    }

    /// The App Store's form.
    case chain(leaf: Element, intermediate: Element, root: Element)
    /// Xcode's form.
    case single(Element)
}

extension X5C.Element {
    /// Takes a certificate's bytes, unless there are more than `maximumBytes`.
    package init(_ der: [UInt8]) {
        self = der.count <= Self.maximumBytes ? .der(der) : .oversized(bytes: der.count)
    }

    /// Reads the base64 of a certificate (RFC 7515, section 4.1.6).
    package init(base64 characters: Span<UInt8>) throws(Base64Error) {
        let range = 0..<characters.count
        let bytes = try Base64.decodedCount(characters, in: range, alphabet: .standard)
        guard bytes <= Self.maximumBytes else {
            self = .oversized(bytes: bytes)
            return
        }
        self = .der(try Base64.decode(characters, in: range, alphabet: .standard))
    }
}
