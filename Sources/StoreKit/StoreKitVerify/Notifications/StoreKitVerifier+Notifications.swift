package import Essentials
public import SignedPayloads
internal import WireFormats

extension StoreKitVerifier {
    /// Verifies a server notification.
    ///
    /// - Parameter jws: the token, which came as the request body's `signedPayload`.
    /// - Returns: the verified notification. If the notification or a payload inside it failed a check that
    ///   StoreKit also makes, the unverified notification and the reason.
    ///   `VerificationResult.underlyingError` then names the member of the payload that failed.
    /// - Throws: `PayloadError`, as `verify(_:as:)` does.
    public func notification(
        _ jws: String
    ) throws(PayloadError) -> VerificationResult<ServerNotification> {
        try verify(jws)
    }

    /// Verifies the server notification in the body of an HTTP request, `{"signedPayload":"…"}`.
    ///
    /// - Parameter body: the body's bytes, for instance `Data`.
    /// - Throws: `PayloadError`, as `notification(_:)` does, and if the body does not hold exactly one
    ///   token.
    public func notification(
        body: some Sequence<UInt8>
    ) throws(PayloadError) -> VerificationResult<ServerNotification> {
        try verify(Self.token(inBody: Array(body)))
    }

    /// The token in a request's body. A body that is not a JSON object is itself the token; a line break after it
    /// is not part of it.
    package static func token(inBody body: [UInt8]) throws(PayloadError) -> String {
        let token = try TokenEnvelope.token(in: body.span)
        let lineBreaks: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        let end = body.lastIndex { !lineBreaks.contains($0) } ?? -1
        return String(decoding: token ?? Array(body[...end]), as: UTF8.self)
    }

    /// The `notificationUUID` that a body claims, for a log: it is not verified.
    package static func unverifiedIdentifier(inBody body: [UInt8]) -> UUID? {
        guard let token = try? token(inBody: body),
            let json = SignedContent.segment(1, ofUnverified: token),
            let fields = try? PayloadFields(json, names: identifierNames)
        else { return nil }
        return fields.string("notificationUUID").flatMap(UUID.init(canonicalForm:))
    }

    private static let identifierNames = MemberNames(["notificationUUID"])
}
