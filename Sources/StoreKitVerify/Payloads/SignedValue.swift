public import SignedPayloads
internal import WireFormats

/// A type whose values the App Store signs.
///
/// Two values are the same if what was signed is, byte for byte.
public protocol SignedValue: Hashable, Sendable, CustomDebugStringConvertible {
    /// The payload as it was signed.
    var signedContent: SignedContent { get }

    /// Reads the payload.
    ///
    /// - Parameters:
    ///   - content: the payload as it was signed.
    ///   - verifier: verifies payloads inside.
    /// - Throws: `VerificationError` where a member is missing that the type cannot do without.
    init(_ content: SignedContent, verifier: StoreKitVerifier) throws(SignedPayloads.VerificationError)
}

extension SignedValue {
    /// Whether two values were signed with the same content.
    public static func == (one: Self, other: Self) -> Bool {
        one.signedContent.payloadData == other.signedContent.payloadData
    }

    /// Hashes the content that was signed.
    public func hash(into hasher: inout Hasher) { hasher.combine(signedContent.payloadData) }
}

extension SignedContent {
    /// The payload's members.
    func fields(_ names: [String]) throws(SignedPayloads.VerificationError) -> PayloadFields {
        do throws(JSONError) {
            return try PayloadFields(Array(payloadData), names: names)
        } catch {
            throw SignedPayloads.VerificationError(.payloadJSON(error))
        }
    }
}

/// A member that a type cannot do without.
func required<Value>(
    _ value: Value?, _ member: String, of type: String
) throws(SignedPayloads.VerificationError) -> Value {
    guard let value else {
        throw SignedPayloads.VerificationError(.missingProperty(member: member, of: type))
    }
    return value
}
