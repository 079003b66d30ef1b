import Minting
import SignedPayloads
import Testing

/// Shortcuts to mint and verify.
enum Minted {
    /// A token under the PKI on P-256, which is the faster one.
    static func token(_ payload: String) throws -> String {
        try TestPKI.p256().minter().token(payload: payload)
    }

    static func verifier(_ configure: (inout VerificationPolicy) -> Void = { _ in }) throws
        -> SignedPayloadVerifier
    {
        var policy = VerificationPolicy()
        configure(&policy)
        return try SignedPayloadVerifier(
            anchors: [TrustAnchor(der: TestPKI.p256().root.der())], policy: policy)
    }

    /// The verdict on a newly signed payload.
    static func verify(
        _ payload: String, _ configure: (inout VerificationPolicy) -> Void = { _ in }
    ) throws -> Result<VerifiedPayload, PayloadError> {
        let verifier = try verifier(configure)
        let token = try token(payload)
        return Result { () throws(PayloadError) in try verifier.verify(token) }
    }
}

extension Result where Failure == PayloadError {
    /// The error, if the result is one.
    var error: PayloadError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
