public import SignedPayloads

/// A type of value that the App Store signs.
///
/// Two values are equal if their signed payloads are equal, byte for byte.
public protocol SignedValue: Hashable, Sendable, CustomDebugStringConvertible {
    /// The payload, as it was signed.
    var signedContent: SignedContent { get }

    /// Reads the payload.
    ///
    /// - Parameters:
    ///   - content: the payload as it was signed.
    ///   - verifier: verifies the signed payloads inside.
    /// - Throws: `PayloadError` if a member is missing that the type requires.
    init(_ content: SignedContent, verifier: StoreKitVerifier) throws(PayloadError)
}

extension SignedValue {
    /// Whether two values have the same signed payload.
    public static func == (one: Self, other: Self) -> Bool {
        one.signedContent.payloadData == other.signedContent.payloadData
    }

    /// Hashes the signed payload.
    public func hash(into hasher: inout Hasher) { hasher.combine(signedContent.payloadData) }
}
