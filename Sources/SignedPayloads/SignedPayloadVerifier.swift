internal import AppReceipts
public import CertificateChain
internal import CompactJWS
public import Revocation
internal import WireFormats

/// Verifies payloads that the App Store signed.
///
/// Make one verifier and share it. It never changes; any number of tasks may call it at the same time. It
/// reads no clock and logs nothing. It caches the signers that it has met (128 at most). It checks revocation
/// only if it is given a `RevocationChecker`.
public struct SignedPayloadVerifier: Sendable {
    /// What is required of payloads, in addition to a good signature.
    public let policy: VerificationPolicy
    /// Checks whether certificates were revoked; `nil` if revocation is not checked.
    public let revocation: RevocationChecker?
    private let anchors: TrustAnchors
    let signers = SignerCache()
    /// Whether to wait for revocation answers on the caller's thread.
    private var waitsForRevocation = true

    /// Makes a verifier with the anchors to trust and the policy to enforce.
    ///
    /// - Parameters:
    ///   - anchors: the roots to trust; by default only Apple's.
    ///   - policy: what to require of payloads; by default, nothing but the App Store's signature.
    ///   - revocation: checks whether certificates were revoked; by default, revocation is not checked.
    /// - Throws: `TrustAnchorError` if there is no anchor, or one cannot be read.
    public init(
        anchors: [TrustAnchor] = [.appleRootCAG3], policy: VerificationPolicy = VerificationPolicy(),
        revocation: RevocationChecker? = nil
    ) throws(TrustAnchorError) {
        self.anchors = try TrustAnchors(anchors)
        self.policy = policy
        self.revocation = revocation
    }

    /// The same verifier, with the same cache, which fails with `RevocationUnknown.pending` instead of
    /// waiting.
    var notWaiting: SignedPayloadVerifier {
        var verifier = self
        verifier.waitsForRevocation = false
        return verifier
    }

    /// The number of signers in the cache.
    package var rememberedSignerCount: Int { signers.count }

    /// Verifies one compact JWS; see `verify(_:)` over bytes.
    ///
    /// - Throws: `VerificationError`, saying which check failed and on what.
    public func verify(_ token: String) throws(VerificationError) -> VerifiedPayload {
        try verify(Array(token.utf8).span)
    }

    /// Verifies one compact JWS (RFC 7515, section 7.1).
    ///
    /// The checks run in a fixed order, and the first to fail is the verdict. The order is: size, encoding,
    /// certificate chain, signature, payload, effective date, validity, revocation, identity, device,
    /// payloads inside. Signed data is used only after its signature was verified. The time is linear in the
    /// token, plus one signature verification for the payload and two for a new chain. The caller's thread
    /// waits for the first revocation answer, at most for the checker's `timeout`. `BatchVerifier.verify(_:)`
    /// suspends its task instead.
    ///
    /// - Parameter token: the token in ASCII, with nothing before or after it.
    /// - Throws: `VerificationError`, saying which check failed and on what.
    public func verify(_ token: Span<UInt8>) throws(VerificationError) -> VerifiedPayload {
        try verify(token, nil)
    }

    /// Verifies one compact JWS. In a batch, it uses the tables that keys have earned.
    func verify(
        _ token: Span<UInt8>, _ context: BatchContext?
    ) throws(VerificationError) -> VerifiedPayload {
        try verifyContent(of: authenticate(token, context), context)
    }

    /// The checks after the signature, on a payload whose signature is good.
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

    /// The checks up to the signature, all that can run before the payload is read.
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
        // Xcode's form has one certificate. It is trusted only if the caller asked for Xcode or local
        // testing.
        if case .single = x5c, !policy.environments.contains(where: \.isSelfSigned) {
            throw VerificationError(.encoding(.x5cCount(1)))
        }
        do throws(CertificateChainError) {
            return try anchors.judge(try PresentedChain(x5c))
        } catch {
            throw VerificationError(.chain(error))
        }
    }

    /// Verifies the payloads inside a notification, each with all checks.
    ///
    /// An inner payload has less than three quarters of the outer one's size, since base64url makes data a
    /// third longer. So the size limit bounds the recursion, at a few dozen levels for gigabytes. Only
    /// payloads with a good signature are searched for inner ones.
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
