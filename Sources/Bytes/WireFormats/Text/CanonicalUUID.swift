package import Essentials

/// A UUID in the form of RFC 9562, section 4: 32 hexadecimal digits, in either case, in groups of 8, 4, 4, 4 and 12.
///
/// This is the only form that a door accepts. Foundation's `UUID(uuidString:)` stops at a zero byte, so that it takes
/// two texts for the same UUID.
package enum CanonicalUUID {
    /// The text in lower case, as Apple writes it; `nil` if it has another form. It allocates nothing.
    package static func lowercased(_ text: Span<UInt8>) -> InlineArray<36, UInt8>? {
        guard text.count == 36 else { return nil }
        var lower = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
        for index in 0..<36 {
            let byte = text[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 else { return nil }
                // This bit is set in digits and lower-case letters.
                lower[index] = byte | 0x20
            }
        }
        return lower
    }
}

extension UUID {
    /// Reads the canonical form alone, in either case.
    package init?(canonicalForm text: some StringProtocol) {
        let text = String(text)
        guard CanonicalUUID.lowercased(text.utf8Span.span) != nil else { return nil }
        self.init(uuidString: text)
    }
}
