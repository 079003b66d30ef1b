internal import SignedPayloads
internal import StrictJSON

/// The body of a request that the App Store makes to an app's server: a JSON object around a token.
enum RequestBody {
    private static let member = "signedPayload"

    /// The token; the whole body where that is no JSON object, as with a line of a log.
    static func token(in body: [UInt8]) throws(SignedPayloads.VerificationError) -> String {
        guard body.first == UInt8(ascii: "{") else { return String(decoding: body, as: UTF8.self) }
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONObject(body.span, wanted: [member])
        } catch {
            throw SignedPayloads.VerificationError(.envelope(.malformed(error)))
        }
        guard object.duplicates.isEmpty else {
            throw SignedPayloads.VerificationError(.envelope(.severalTokens([member, member])))
        }
        guard let value = object[member], value != .null else {
            throw SignedPayloads.VerificationError(.envelope(.noToken))
        }
        guard case .string(let string) = value else {
            throw SignedPayloads.VerificationError(
                .envelope(.notAString(member: member, found: value.kind)))
        }
        return string.value(in: body.span)
    }
}
