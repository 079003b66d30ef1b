public import SignedPayloads

extension StoreKitVerifier {
    /// A server notification.
    ///
    /// - Parameter jws: the token, which came as the request body's `signedPayload`.
    /// - Returns: the notification; unverified, with the reason, where it or a payload inside failed a check
    ///   that StoreKit makes too. `VerificationResult.underlyingError` then says which, by its member.
    /// - Throws: `VerificationError`, as `verify(_:as:)` does.
    public func notification(
        _ jws: String
    ) throws(SignedPayloads.VerificationError) -> VerificationResult<ServerNotification> {
        try verify(jws)
    }

    /// The server notification in an HTTP request's body, `{"signedPayload":"…"}`.
    ///
    /// - Parameter body: the body's bytes, for instance `Data`.
    /// - Throws: `VerificationError`, as `notification(_:)` does, and where the body does not hold one token.
    public func notification(
        body: some Sequence<UInt8>
    ) throws(SignedPayloads.VerificationError) -> VerificationResult<ServerNotification> {
        try verify(token(inBody: Array(body)))
    }

    /// The token in a request's body; the whole body where that is no JSON object, as with a line of a log.
    func token(inBody body: [UInt8]) throws(SignedPayloads.VerificationError) -> String {
        String(decoding: try TokenEnvelope.token(in: body.span) ?? body, as: UTF8.self)
    }
}
