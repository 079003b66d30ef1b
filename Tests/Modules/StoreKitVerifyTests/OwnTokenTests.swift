import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Every call gives a value that holds its own compact JWS, whatever was around the token.
@Suite struct OwnTokenTests {
    private static let day = Signed.day(2)

    /// The result of a call for a text: the tokens of the payload and of those inside it; `nil` if it refuses the text.
    private typealias Call = (String) async throws -> [String]

    private static func tokens(of payload: VerifiedPayload) -> [String] {
        [payload.jwsRepresentation] + payload.nested.flatMap { tokens(of: $0.payload) }
    }

    /// The calls that take the token alone, and those that take an object around it apart.
    private static func calls() throws -> (ofToken: [Call], ofLine: [Call]) {
        let verifier = try Signed.verifier().payloads
        let batch = BatchVerifier(verifier, jobs: 1)
        return (
            [{ try tokens(of: verifier.verify($0)) }],
            [
                { try tokens(of: verifier.verify(line: $0)) }, { try await tokens(of: batch.verify($0)) },
                { try tokens(of: batch.verify([$0])[0].get()) },
                { try tokens(of: batch.verify(lines: Array("\n\($0)\r\n".utf8))[0].verdict.get()) },
                { line in
                    let lines = AsyncStream {
                        $0.yield(line); $0.finish()
                    }
                    for await verdict in batch.verdicts(on: lines) { return try tokens(of: verdict.get()) }
                    return []
                },
            ]
        )
    }

    @Test func `a token, an object around it, and a notification`() async throws {
        let transaction = try Signed.token(Signed.transactionPayload(id: 1))
        let renewal = try Signed.token(Signed.renewalPayload(original: 1, signed: 2))
        // Inside the notification, one token is written with an escape.
        let escaped = transaction.replacing(".", with: #"\u002e"#)
        let notification = try Signed.token(
            #"{"notificationType":"DID_RENEW","notificationUUID":"5b0e7f5e-1f7e-4c0c-9d6d-2f6d8a1b7c3e","#
                + #""version":"2.0","signedDate":\#(Self.day),"data":{"signedTransactionInfo":"\#(escaped)","#
                + #""signedRenewalInfo":"\#(renewal)"}}"#)
        let cases = [
            (transaction, "signedTransactionInfo", [transaction]), (renewal, "signedRenewalInfo", [renewal]),
            (notification, "signedPayload", [notification, transaction, renewal]),
        ]
        let calls = try Self.calls()
        // Keys earn tables from their 16th payload on: the same texts then take the batch's fast path.
        for _ in 0..<2 {
            for (token, member, tokens) in cases {
                let objects = [token, token.replacing(".", with: #"\u002e"#)].map {
                    #"{"more":[1],"\#(member)":"\#($0)"} "#
                }
                for call in calls.ofToken + calls.ofLine { #expect(try await call(token) == tokens) }
                for object in objects {
                    for call in calls.ofLine { #expect(try await call(object) == tokens) }
                    for call in calls.ofToken {
                        await #expect(throws: PayloadError.self) { try await call(object) }
                    }
                }
            }
        }
    }

    @Test func `a batch's value has the token that was inside the object`() async throws {
        let token = try Signed.token(Signed.transactionPayload(id: 1))
        let object = #"{"signedTransactionInfo":"\#(token)"}"#
        let verifier = try Signed.verifier()
        let batch = BatchVerifier(verifier.payloads, jobs: 1)
        let transaction: Transaction = try await batch.verified(object)
        #expect(transaction.signedContent.jwsRepresentation == token)
        #expect(throws: PayloadError.self) { try verifier.transaction(object) }
        #expect(throws: PayloadError.self) { try verifier.verifiedTransaction(object) }
    }
}
