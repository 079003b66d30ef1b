public import SignedPayloads

/// Verified values, with one channel for every failure: each returned value is verified, and everything else is
/// thrown, with a code and a sentence.
///
/// `verify(_:as:)` and similar calls follow StoreKit instead: they return some unverified values.
extension StoreKitVerifier {
    /// Verifies a compact JWS.
    ///
    /// - Throws: `PayloadError`, whatever failed.
    public func verified<Value: SignedValue>(
        _ jws: String, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value { try value(of: payloads.verify(jws)) }

    /// Verifies a transaction.
    ///
    /// - Throws: `PayloadError`, whatever failed.
    public func verifiedTransaction(_ jws: String) throws(PayloadError) -> Transaction {
        try verified(jws)
    }

    /// Verifies a subscription's renewal information.
    ///
    /// - Throws: `PayloadError`, whatever failed.
    public func verifiedRenewalInfo(
        _ jws: String
    ) throws(PayloadError) -> Product.SubscriptionInfo.RenewalInfo { try verified(jws) }

    /// Verifies an app transaction.
    ///
    /// - Throws: `PayloadError`, whatever failed.
    public func verifiedAppTransaction(
        _ jws: String
    ) throws(PayloadError) -> AppTransaction { try verified(jws) }

    /// Verifies a server notification, and the payloads inside it.
    ///
    /// - Parameter body: the body of the App Store's request, `{"signedPayload":"…"}`, or the token itself.
    /// - Throws: `PayloadError`, whatever failed. Its `member` names the payload inside that did.
    public func verifiedNotification(
        body: some Sequence<UInt8>
    ) throws(PayloadError) -> ServerNotification {
        try verified(Self.token(inBody: Array(body)))
    }

    /// Verifies the App Store's request for a retention message.
    ///
    /// - Parameter body: the body of the request, `{"signedPayload":"…"}`, or the token itself.
    /// - Throws: `PayloadError`, whatever failed.
    public func verifiedRealtimeRequest(
        body: some Sequence<UInt8>
    ) throws(PayloadError) -> RealtimeRequest {
        try verified(Self.token(inBody: Array(body)))
    }
}

/// Verified values for servers. Concurrent calls are verified together, and a task that needs a revocation answer is
/// suspended until it comes.
extension BatchVerifier {
    /// Verifies a compact JWS.
    ///
    /// - Throws: `PayloadError`, whatever failed.
    public func verified<Value: SignedValue>(
        _ jws: String, as type: Value.Type = Value.self
    ) async throws(PayloadError) -> Value {
        try await StoreKitVerifier(payloads).value(of: verify(jws))
    }

    /// Verifies a server notification, and the payloads inside it.
    ///
    /// - Parameter body: the body of the App Store's request, `{"signedPayload":"…"}`, or the token itself.
    /// - Throws: `PayloadError`, whatever failed. Its `member` names the payload inside that did.
    public func verifiedNotification(
        body: some Sequence<UInt8>
    ) async throws(PayloadError) -> ServerNotification {
        let jws = try StoreKitVerifier.token(inBody: Array(body))
        return try await verified(jws)
    }

    /// Verifies the App Store's request for a retention message.
    ///
    /// - Parameter body: the body of the request, `{"signedPayload":"…"}`, or the token itself.
    /// - Throws: `PayloadError`, whatever failed.
    public func verifiedRealtimeRequest(
        body: some Sequence<UInt8>
    ) async throws(PayloadError) -> RealtimeRequest {
        let jws = try StoreKitVerifier.token(inBody: Array(body))
        return try await verified(jws)
    }
}
