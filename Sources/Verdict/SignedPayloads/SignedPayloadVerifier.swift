internal import AppReceipts
public import CertificateChain
internal import CompactJWS
internal import WireFormats

/// Verifies payloads that the App Store signed.
///
/// Make one verifier and share it. It never changes; any number of tasks may call it at the same time. It
/// reads no clock and logs nothing. It caches the signers that it has met and the chains that it has refused (128 each
/// at most). It checks revocation only if it is given a `RevocationChecker`.
public struct SignedPayloadVerifier: Sendable {
    /// The requirements for payloads, in addition to a good signature.
    public let policy: VerificationPolicy
    /// Checks whether certificates were revoked; `nil` if revocation is not checked.
    public private(set) var revocation: RevocationChecker?
    private let anchors: TrustAnchors
    private(set) var judge: Judge
    private(set) var headers = KnownHeaders()
    /// Verifies the payloads of `verifyTogether(_:)`.
    var batch = OnceCell<BatchVerifier>()

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
        judge = Judge(policy)
        self.revocation = revocation
    }

    /// The same verifier, with the same cache, which fails with `RevocationUnknown.pending` instead of
    /// waiting.
    var notWaiting: SignedPayloadVerifier {
        var verifier = self
        verifier.judge = Judge(policy, waitsForRevocation: false)
        return verifier
    }

    /// The same verifier without revocation, and with a cache of its own: the other one's signers are bound to their
    /// certificates' status.
    package var withoutRevocation: SignedPayloadVerifier {
        var verifier = self
        verifier.revocation = nil
        verifier.headers = KnownHeaders()
        verifier.batch = OnceCell()
        return verifier
    }

    /// The same verifier, with the same signers, which accepts payloads of all environments and bundle identifiers; `nil` if
    /// this one does. Purchases can be selected by these afterwards. Few payloads have the app's Apple ID, so it is still
    /// required of them.
    package var withoutIdentity: SignedPayloadVerifier? {
        guard !policy.environments.isEmpty || !policy.bundleIdentifiers.isEmpty else { return nil }
        var policy = policy
        (policy.environments, policy.bundleIdentifiers) = ([], [])
        return SignedPayloadVerifier(self, policy)
    }

    private init(_ other: SignedPayloadVerifier, _ policy: VerificationPolicy) {
        (anchors, revocation, headers) = (other.anchors, other.revocation, other.headers)
        (self.policy, judge) = (policy, Judge(policy))
    }

    /// The number of signers in the cache.
    package var rememberedSignerCount: Int { headers.signers.count }

    /// The number of refused chains in the cache.
    package var refusedChainCount: Int { headers.refused.count }

    /// Verifies one compact JWS; see `verify(_:)` over bytes.
    ///
    /// - Throws: `PayloadError`, with the failed check and both sides of its comparison.
    public func verify(_ token: String) throws(PayloadError) -> VerifiedPayload {
        try verify(Array(token.utf8).span)
    }

    /// Verifies one compact JWS (RFC 7515, section 7.1).
    ///
    /// The checks run in a fixed order, and the first to fail is the verdict. The order is: size, encoding,
    /// certificate chain, signature, payload, effective date, validity, revocation, identity, device,
    /// payloads inside. Signed data is used only after its signature was verified. The time is linear in the
    /// token, plus one signature verification for the payload and two for a new chain. The caller's thread
    /// waits for the first revocation answer, at most for the checker's `timeout`. `verifyTogether(_:)`
    /// suspends its task instead.
    ///
    /// - Parameter token: the token in ASCII, with nothing before or after it.
    /// - Throws: `PayloadError`, with the failed check and both sides of its comparison.
    public func verify(_ token: Span<UInt8>) throws(PayloadError) -> VerifiedPayload {
        try verify(token, nil)
    }

    /// Verifies one compact JWS.
    ///
    /// - Parameters:
    ///   - context: in a batch, the tables that keys have earned.
    ///   - trace: called with each check that passed.
    func verify(
        _ token: Span<UInt8>, _ context: BatchContext?, trace: VerificationTrace? = nil
    ) throws(PayloadError) -> VerifiedPayload {
        let authentic = try authenticate(token, context, trace)
        var reader = ClaimsReader()
        let claims = try reader.read(authentic.bytes.span)
        trace?.pass(.payload)
        let judgement = try judge.judge(
            claims, in: authentic.bytes.span, of: authentic.signer, authentic.revocation, trace: trace)
        let nested = try verifyNested(claims, in: authentic.bytes.span, context)
        trace?.pass(.nestedPayloads)
        return VerifiedPayload(
            kind: claims.kind, token: [UInt8](copying: token), json: authentic.bytes, judgement,
            signer: authentic.signer, nested: nested)
    }

    /// The checks up to the signature, all that can run before the payload is read.
    private func authenticate(
        _ token: Span<UInt8>, _ context: BatchContext?, _ trace: VerificationTrace?
    ) throws(PayloadError) -> AuthenticPayload {
        try policy.checkSize(token.count)
        trace?.pass(.size)
        let jws: CompactJWS
        do throws(CompactJWSError) {
            jws = try CompactJWS(token)
        } catch {
            throw PayloadError(error, token)
        }
        let beginning = token.extracting(..<jws.payload.lowerBound)
        if let known = headers.signers.value(for: beginning) {
            trace?.pass(.encoding)
            trace?.pass(.certificateChain)
            let authentic = try AuthenticPayload(jws, of: token, known: known, context)
            trace?.pass(.signature)
            return authentic
        }
        let signer = try judgeChain(of: jws, in: token, trace)
        trace?.pass(.certificateChain)
        var authentic = try AuthenticPayload(jws, of: token, signer: signer)
        trace?.pass(.signature)
        authentic.revocation = revocation?.status(of: signer)
        let bytes = [UInt8](copying: beginning)
        headers.signers.add(
            KnownSigner(signer, revocation: authentic.revocation, beginning: bytes), for: bytes)
        return authentic
    }

    private func judgeChain(
        of jws: CompactJWS, in token: Span<UInt8>, _ trace: VerificationTrace?
    ) throws(PayloadError) -> TrustedSigner {
        let beginning = token.extracting(..<jws.payload.lowerBound)
        if let refused = headers.refused.value(for: beginning) {
            trace?.pass(.encoding)
            throw refused.error
        }
        let x5c: X5C
        do throws(CompactJWSError) {
            x5c = try jws.readHeader(of: token).x5c
        } catch {
            throw PayloadError(error, token, payload: jws.payloadBytes)
        }
        // Xcode's form has one certificate. It is trusted only if the caller asked for Xcode or local
        // testing.
        if case .single = x5c, !policy.environments.contains(where: \.isSelfSigned) {
            throw PayloadError(.encoding(.x5cCount(1)))
        }
        trace?.pass(.encoding)
        do throws(CertificateChainError) {
            return try anchors.judge(try PresentedChain(x5c))
        } catch {
            let bytes = [UInt8](copying: beginning)
            let refused = RefusedChain(PayloadError(.chain(error)), beginning: bytes)
            headers.refused.add(refused, for: bytes)
            throw refused.error
        }
    }

    /// Verifies the payloads inside a notification, each with all checks.
    ///
    /// An inner payload has less than three quarters of the outer one's size, since base64url makes data a
    /// third longer. So the size limit bounds the recursion, at a few dozen levels for gigabytes. Only
    /// payloads with a good signature are searched for inner ones.
    private func verifyNested(
        _ claims: borrowing Claims, in json: Span<UInt8>, _ context: BatchContext?
    ) throws(PayloadError) -> [VerifiedPayload.Nested] {
        var nested: [VerifiedPayload.Nested] = []
        for index in 0..<claims.nestedCount {
            let (member, value) = claims.nested[index]
            let path = NotificationPart.signed[member].path
            guard case .string(let string) = value else {
                throw PayloadError(notAPayload: value, at: path)
            }
            do throws(PayloadError) {
                let token = string.bytes(in: json)
                nested.append(VerifiedPayload.Nested(member: path, payload: try verify(token.span, context)))
            } catch {
                throw error.inside(path)
            }
        }
        return nested
    }
}

extension PayloadError {
    /// The error of a text that is not a token in the App Store's form: its kind if it is known, otherwise its fault.
    fileprivate init(_ error: CompactJWSError, _ token: Span<UInt8>, payload: [UInt8] = []) {
        let mistaken =
            switch error {
            case .segmentCount(1): MistakenInput(inPlaceOfJWS: token)
            case .missingX5C: MistakenInput(claims: payload.span)
            default: MistakenInput(beginningOf: token)
            }
        self.init(mistaken.map { .mistakenInput($0) } ?? .encoding(error))
    }

    /// A member of a notification that should hold a signed payload, and does not.
    init(notAPayload value: JSONValue, at path: String) {
        self.init(.memberType(path, found: value.kind, expected: "a signed payload"), member: path)
    }
}

extension [UInt8] {
    /// The bytes of a span.
    init(copying bytes: Span<UInt8>) {
        self.init()
        append(bytes)
    }
}
