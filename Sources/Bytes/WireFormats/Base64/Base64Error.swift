/// Why a text is not valid base64. Offsets are in bytes from the beginning of the text.
package enum Base64Error: Error, Hashable, Sendable {
    /// A byte that is not in the alphabet. White space and line breaks are not in it; base64url has no
    /// padding.
    case invalidCharacter(UInt8, offset: Int)
    /// A length that no encoder writes: one character too many, or missing padding where it is required.
    case invalidLength(Int)
    /// Unused bits of the last character that are not zero (RFC 4648, section 3.5). They would allow several
    /// texts for one value.
    case nonCanonicalTrailingBits(offset: Int)
    /// Padding at another place, or of another length, than RFC 4648, section 4, requires.
    case invalidPadding(offset: Int)
}

extension Base64Error {
    /// The end of a sentence about the error. `start` is the text's offset in the larger text that contains
    /// it.
    package func sentence(from start: Int) -> String {
        switch self {
        case .invalidCharacter(let byte, let offset):
            "\(named(byte)) at byte \(start + offset) is not in the alphabet"
        case .invalidLength(let length): "no data encodes to \(length) characters"
        case .nonCanonicalTrailingBits(let offset):
            "the unused bits of the last character, at byte \(start + offset), are not zero"
        case .invalidPadding(let offset): "wrong padding at byte \(start + offset)"
        }
    }
}
