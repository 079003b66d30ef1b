#if SQLite
    internal import SignedPayloads

    /// Verifies payloads again that were verified when the file accepted them.
    ///
    /// The file may have been changed, and a certificate revoked: both are found. But a responder that does not answer
    /// says nothing about a payload that was accepted, so an outage takes nothing from a customer. And the app and the
    /// environment of a purchase are not one payload's to tell: a payload of before 2022 names no environment. So payloads of
    /// all of them pass, and the purchases are selected by `PurchaseHistory.selected(by:)`.
    struct AcceptedVerifier: Sendable {
        private let batch: BatchVerifier
        private let withoutIdentity: BatchVerifier?
        private let withoutRevocation: BatchVerifier?

        init(_ batch: BatchVerifier) {
            self.batch = batch
            let payloads = batch.payloads.withoutIdentity
            withoutIdentity = payloads.map { BatchVerifier($0, jobs: 1) }
            withoutRevocation =
                batch.payloads.revocation == nil
                ? nil : BatchVerifier((payloads ?? batch.payloads).withoutRevocation, jobs: 1)
        }

        var payloads: SignedPayloadVerifier { batch.payloads }

        /// One verdict for each token, in the same order.
        func verify(_ tokens: [String]) -> [Result<VerifiedPayload, PayloadError>] {
            var verdicts = batch.verify(tokens)
            if let withoutIdentity {
                verdicts.decideAgain(where: \.isOfOtherIdentity) { places in
                    withoutIdentity.verify(places.map { tokens[$0] })
                }
            }
            if let withoutRevocation {
                verdicts.decideAgain(where: { $0.code == .revocationUnknown }) { places in
                    withoutRevocation.verify(places.map { tokens[$0] })
                }
            }
            return verdicts
        }
    }
#endif
