public import SignedPayloads
internal import WireFormats

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

extension SignedContent {
    /// The payload's members.
    func fields(_ names: MemberNames) throws(PayloadError) -> PayloadFields {
        do throws(JSONError) {
            return try PayloadFields(Array(payloadData), names: names)
        } catch {
            throw PayloadError(.payloadJSON(error))
        }
    }
}

/// Returns the value of a member that a type requires.
///
/// - Throws: `PayloadError` if the member is missing.
func required<Value>(
    _ value: Value?, _ member: String, of type: String
) throws(PayloadError) -> Value {
    guard let value else {
        throw PayloadError(.missingProperty(member: member, of: type))
    }
    return value
}
