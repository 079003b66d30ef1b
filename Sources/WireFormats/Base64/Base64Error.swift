/// Why a text is not the base64 it should be, with byte offsets from the beginning of that text.
public enum Base64Error: Error, Hashable, Sendable {
    /// A byte that is not in the alphabet; white space and line breaks are not, and base64url has no padding.
    case invalidCharacter(UInt8, offset: Int)
    /// A length that no encoder writes: one character left over, or missing padding where it is required.
    case invalidLength(Int)
    /// Bits that the last character carries but the data does not, and that should be zero
    /// (RFC 4648, section 3.5). They would let one value be spelled in several ways.
    case nonCanonicalTrailingBits(offset: Int)
    /// Padding in another place, or of another length, than RFC 4648, section 4, puts it.
    case invalidPadding(offset: Int)
}

extension Base64Error {
    /// The rest of a sentence, its offsets counted from where the text begins in something larger.
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
