internal import AppReceipts
public import CertificateChain
internal import CompactJWS
public import Revocation
internal import WireFormats

/// Verifies payloads that the App Store signed.
///
/// A value to make once and share: it never changes, every method may be called from any number of tasks at
/// once, no clock is read and nothing is logged. It remembers the signers it met (128 at most). Nobody is asked
/// whether certificates were revoked, unless a `RevocationChecker` is given.
public struct SignedPayloadVerifier: Sendable {
    /// What is asked of payloads beyond a good signature.
    public let policy: VerificationPolicy
    /// Who asks whether certificates were revoked; `nil` where nobody does.
    public let revocation: RevocationChecker?
    private let anchors: TrustAnchors
    let signers = SignerCache()
    /// Whether answers about revocation are waited for on the caller's thread.
    private var waitsForRevocation = true

    /// Makes a verifier that trusts some roots and asks for some things.
    ///
    /// - Parameters:
    ///   - anchors: the roots to trust; Apple's alone by default.
    ///   - policy: what to ask of payloads; by default, nothing beyond the App Store's signature.
    ///   - revocation: asks whether certificates were revoked; by default, nobody is asked.
    /// - Throws: `TrustAnchorError` if there is no anchor, or one cannot be read.
    public init(
        anchors: [TrustAnchor] = [.appleRootCAG3], policy: VerificationPolicy = VerificationPolicy(),
        revocation: RevocationChecker? = nil
    ) throws(TrustAnchorError) {
        self.anchors = try TrustAnchors(anchors)
        self.policy = policy
        self.revocation = revocation
    }

    /// The same verifier, with the same memory, which fails with `RevocationUnknown.pending` where it would wait.
    var notWaiting: SignedPayloadVerifier {
        var verifier = self
        verifier.waitsForRevocation = false
        return verifier
    }

    /// How many signers are remembered at the moment.
    package var rememberedSignerCount: Int { signers.count }

    /// Verifies one compact JWS; see `verify(_:)` over bytes.
    ///
    /// - Throws: `VerificationError`, saying which check failed and on what.
    public func verify(_ token: String) throws(VerificationError) -> VerifiedPayload {
        try verify(Array(token.utf8).span)
    }

    /// Verifies one compact JWS (RFC 7515, section 7.1).
    ///
    /// The checks run in a fixed order and the first to fail is the verdict: size, encoding, certificate
    /// chain, signature, payload, effective date, validity, revocation, identity, device, payloads inside. Nothing
    /// that the signature covers is believed before the signature is. Time is linear in the token, plus two
    /// signature verifications for a chain that was not met before and one for the payload. The first answer about
    /// revocation is waited for on the caller's thread, for as long as the checker's `timeout` at most;
    /// `BatchVerifier.verify(_:)` suspends its task instead.
    ///
    /// - Parameter token: the token's ASCII, with nothing around it.
    /// - Throws: `VerificationError`, saying which check failed and on what.
    public func verify(_ token: Span<UInt8>) throws(VerificationError) -> VerifiedPayload {
        try verify(token, nil)
    }

    /// Verifies one compact JWS; within a batch, by the tables that its keys have earned.
    func verify(
        _ token: Span<UInt8>, _ context: BatchContext?
    ) throws(VerificationError) -> VerifiedPayload {
        try verifyContent(of: authenticate(token, context), context)
    }

    /// The checks from the payload on, of one whose signature is good.
    func verifyContent(
        of authentic: AuthenticPayload, _ context: BatchContext?
    ) throws(VerificationError) -> VerifiedPayload {
        let payload = try PayloadMembers(authentic)
        let date = try EffectiveDate(of: payload, policy: policy)
        let certificates: [CertificateDescription]
        do throws(CertificateChainError) {
            certificates = try authentic.signer.certificates(validAt: date.second)
        } catch {
            throw VerificationError(.validity(error))
        }
        let findings = try authentic.revocation.check(date, waits: waitsForRevocation)
        try IdentityChecks(payload: payload, policy: policy, signerIsPinned: authentic.signer.isPinned)
            .check()
        if let device = policy.deviceIdentifier {
            try DeviceVerification.check(payload, deviceIdentifier: device)
        }
        return VerifiedPayload(
            kind: payload.kind, json: payload.json, certificates: certificates,
            nested: try verifyNested(payload, context), date: date, revocation: findings)
    }

    /// The checks up to the signature: everything that can be said before the payload is read.
    private func authenticate(
        _ token: Span<UInt8>, _ context: BatchContext?
    ) throws(VerificationError) -> AuthenticPayload {
        guard token.count <= policy.maximumTokenBytes else {
            throw VerificationError(.tooLarge(bytes: token.count, limit: policy.maximumTokenBytes))
        }
        let jws: CompactJWS
        do throws(CompactJWSError) {
            jws = try CompactJWS(token)
        } catch {
            if case .segmentCount(1) = error, let mistaken = MistakenInput(inPlaceOfJWS: token) {
                throw VerificationError(.mistakenInput(mistaken))
            }
            throw VerificationError(.encoding(error))
        }
        let header = token.extracting(jws.header)
        if let known = signers.signer(forHeader: header) {
            return try AuthenticPayload(jws, of: token, known: known, context)
        }
        let signer = try judgeChain(of: jws, in: token)
        var authentic = try AuthenticPayload(jws, of: token, signer: signer)
        authentic.revocation = revocation?.status(of: signer)
        signers.remember(signer, revocation: authentic.revocation, header: header)
        return authentic
    }

    private func judgeChain(
        of jws: CompactJWS, in token: Span<UInt8>
    ) throws(VerificationError) -> TrustedSigner {
        let x5c: X5C
        do throws(CompactJWSError) {
            x5c = try jws.readHeader(of: token).x5c
        } catch {
            throw VerificationError(.encoding(error))
        }
        // One certificate is Xcode's form, and nothing about Xcode is trusted unless it was asked for.
        if case .single = x5c, !policy.environments.contains(where: \.isSelfSigned) {
            throw VerificationError(.encoding(.x5cCount(1)))
        }
        do throws(CertificateChainError) {
            return try anchors.judge(try PresentedChain(x5c))
        } catch {
            throw VerificationError(.chain(error))
        }
    }

    /// Verifies the payloads inside a notification, each as if it had come alone.
    ///
    /// A payload inside a payload is smaller than three quarters of it, since base64url is a third longer
    /// than its data: the size limit bounds the recursion, at a few dozen levels for gigabytes. Only what the
    /// App Store signed is looked into.
    private func verifyNested(
        _ payload: PayloadMembers, _ context: BatchContext?
    ) throws(VerificationError) -> [VerifiedPayload.Nested] {
        var nested: [VerifiedPayload.Nested] = []
        for (member, value) in payload.signedMembers {
            guard case .string(let string) = value else {
                throw VerificationError(
                    .memberType(member, found: value.kind, expected: "a signed payload"), member: member)
            }
            do throws(VerificationError) {
                let token = string.bytes(in: payload.json.span)
                nested.append(
                    VerifiedPayload.Nested(member: member, payload: try verify(token.span, context)))
            } catch {
                throw error.inside(member)
            }
        }
        return nested
    }
}
