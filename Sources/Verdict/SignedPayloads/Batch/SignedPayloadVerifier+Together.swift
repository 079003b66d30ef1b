extension SignedPayloadVerifier {
    /// Verifies one compact JWS, together with the payloads of concurrent calls. This is for servers, where many
    /// requests bring one payload each. The verdict is that of `verify(_:)`, to the byte of its message.
    ///
    /// While a core is free, a payload is verified at once. Otherwise it waits for the payloads before it, and is
    /// verified together with up to 63 others, from tables of busy keys; see `BatchVerifier`. The delay is bounded: a
    /// batch gives its verdicts after 3 ms plus the judgement of one chain at the latest. If a revocation answer is
    /// needed, the task is suspended until it comes, and no thread waits.
    ///
    /// It has a name of its own, because an asynchronous function takes an asynchronous overload in place of
    /// `verify(_:)`: `try verifier.verify(token)` would no longer compile there without `await`.
    ///
    /// - Parameter token: the token in ASCII, with nothing before or after it.
    /// - Throws: `PayloadError`, with the failed check and both sides of its comparison.
    public func verifyTogether(_ token: String) async throws(PayloadError) -> VerifiedPayload {
        // A batch would take the token out of a JSON object. Here it is refused, at little cost.
        guard token.utf8.first != UInt8(ascii: "{") else { return try verify(token) }
        return try await batch.value { BatchVerifier(withoutBatch) }.verify(token)
    }

    /// The same verifier, with the same cache of signers, whose own batch is not made yet. The batch holds this one:
    /// if it held its owner, neither would ever be freed.
    private var withoutBatch: SignedPayloadVerifier {
        var verifier = self
        verifier.batch = OnceCell()
        return verifier
    }
}
