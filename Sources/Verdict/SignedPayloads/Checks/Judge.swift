internal import CertificateChain
internal import Essentials
internal import Libcrypto
internal import Synchronization
internal import WireFormats

/// Judges the claims of authentic payloads: checks 6 to 10, in their order, for every form of payload.
///
/// This is the only place where dates, identities and devices are compared with a policy.
final class Judge: Sendable {
    let policy: VerificationPolicy
    /// The date that the caller fixed; `nil` if it is not one of the years 1 to 9999.
    private let fixedDate: EffectiveDate?
    private let environments: [[UInt8]]
    private let bundleIdentifiers: [[UInt8]]
    /// The UUID of the device that JWS payloads must have been made for, as text.
    private let device: [UInt8]?
    /// The device that receipts must have been made for: the bytes that their hash covers.
    private let receiptDevice: [UInt8]?
    /// Whether to wait for revocation answers on the caller's thread.
    private let waitsForRevocation: Bool
    /// The faults of signers' certificates at the date that the caller fixed, for the signers that came last: all
    /// payloads of one signer fail for the same reason.
    private let failuresAtFixedDate = Mutex<[(signer: TrustedSigner, error: PayloadError)]>([])
    private static let maximumFailures = 8

    /// The findings about a payload that has passed.
    struct Judgement {
        let date: EffectiveDate
        /// The certificates that vouch for the signer; `nil` if they are its `commonCertificates`.
        var certificates: [CertificateDescription]?
        /// The revocation status of the certificates.
        var revocation: [RevocationFinding] = []
    }

    /// - Parameters:
    ///   - receiptDevice: as in `ReceiptVerifier`.
    ///   - waitsForRevocation: whether to wait for revocation answers on the caller's thread.
    init(_ policy: VerificationPolicy, receiptDevice: [UInt8]? = nil, waitsForRevocation: Bool = true) {
        self.policy = policy
        self.waitsForRevocation = waitsForRevocation
        device = policy.deviceIdentifier.map { Array($0.uuidString.utf8) }
        self.receiptDevice = receiptDevice
        fixedDate = policy.effectiveDate.flatMap(EffectiveDate.init(_:))
        environments = policy.environments.map { Array($0.rawValue.utf8) }
        bundleIdentifiers = policy.bundleIdentifiers.map { Array($0.utf8) }
    }

    /// Judges a payload.
    ///
    /// - Parameters:
    ///   - claims: the payload's claims.
    ///   - text: the text that the claims refer to.
    ///   - signer: the payload's signer.
    ///   - revocation: the revocation of its certificates; `nil` if revocation is not checked.
    ///   - trace: called with each check that passed.
    /// - Throws: `PayloadError`, for the first check that fails.
    func judge(
        _ claims: borrowing Claims, in text: Span<UInt8>, of signer: TrustedSigner,
        _ revocation: SignerRevocation?,
        trace: VerificationTrace? = nil
    ) throws(PayloadError) -> Judgement {
        var judgement = Judgement(date: try date(of: claims, in: text))
        trace?.pass(.effectiveDate)
        let second = judgement.date.second
        if !signer.commonValidity.contains(second) {
            judgement.certificates = try certificates(of: signer, validAt: second)
        }
        trace?.pass(.validity)
        if let revocation { judgement.revocation = try check(revocation, at: second) }
        trace?.pass(.revocation)
        for index in 0..<claims.identityCount {
            try checkEnvironment(claims.identities[index], in: text, signerIsPinned: signer.isPinned)
        }
        for index in 0..<claims.identityCount {
            try checkBundleIdentifier(claims.identities[index], in: text)
        }
        for index in 0..<claims.identityCount {
            try checkAppAppleIdentifier(claims.identities[index], in: text)
        }
        trace?.pass(.identity)
        try checkDevice(claims, in: text)
        trace?.pass(.deviceVerification)
        return judgement
    }

    // MARK: - Date, validity, revocation

    /// The date that the caller fixed, or otherwise the payload's own.
    @inline(__always)
    private func date(of claims: borrowing Claims, in text: Span<UInt8>) throws(PayloadError)
        -> EffectiveDate
    {
        if policy.effectiveDate != nil {
            guard let fixedDate else { throw PayloadError(.fixedDateOutOfRange) }
            return fixedDate
        }
        if case .member(.number(let range)) = claims.date,
            let milliseconds = DecimalNumber.whole(text, in: range)
                ?? DecimalNumber(text, in: range).floor,
            let date = EffectiveDate(milliseconds: milliseconds)
        {
            return date
        }
        if case .attribute(let milliseconds) = claims.date,
            let date = EffectiveDate(milliseconds: milliseconds)
        {
            return date
        }
        throw noDate(claims.date, member: claims.kind.dateMember, in: text)
    }

    /// Why a claim is not a date.
    private func noDate(_ claim: DateClaim, member: String, in text: Span<UInt8>) -> PayloadError {
        switch claim {
        case .member(nil), .member(.null): PayloadError(.missingDate(member: member))
        case .member(.number(let range)):
            PayloadError(
                .dateOutOfRange(member: member, written: Self.text(text, range.prefix(129)).abbreviated()))
        case .member(let value?): PayloadError(.dateNotANumber(member: member, found: value.kind))
        case .attribute(let milliseconds):
            PayloadError(.receiptDate(written: "\(milliseconds) ms since 1970"))
        case .unreadableAttribute(let written):
            PayloadError(.receiptDate(written: written.value(in: text)))
        case .noAttribute: PayloadError(.missingReceiptDate)
        }
    }

    private func certificates(
        of signer: TrustedSigner, validAt second: Int64
    ) throws(PayloadError) -> [CertificateDescription] {
        if fixedDate != nil {
            let known = failuresAtFixedDate.withLock { $0.first { $0.signer === signer }?.error }
            if let known { throw known }
        }
        do throws(CertificateChainError) {
            return try signer.certificates(validAt: second)
        } catch {
            let failure = PayloadError(.validity(error))
            if fixedDate != nil { remember(failure, of: signer) }
            throw failure
        }
    }

    private func remember(_ failure: PayloadError, of signer: TrustedSigner) {
        failuresAtFixedDate.withLock { failures in
            if failures.count == Self.maximumFailures { failures.removeFirst() }
            failures.append((signer, failure))
        }
    }

    private func check(
        _ revocation: SignerRevocation, at second: Int64
    ) throws(PayloadError) -> [RevocationFinding] {
        do throws(RevocationError) {
            return try revocation.check(effectiveDate: second, waits: waitsForRevocation)
        } catch {
            throw PayloadError(.revocation(error))
        }
    }

    // MARK: - Identity

    /// The environments that a pinned certificate signs for, and no others.
    private static let pinned: Set<AppStoreEnvironment> = [.xcode, .localTesting]

    @inline(__always)
    private func checkEnvironment(
        _ claim: IdentityClaim, in text: Span<UInt8>, signerIsPinned: Bool
    ) throws(PayloadError) {
        guard signerIsPinned || !environments.isEmpty else { return }
        if !signerIsPinned, let written = claim.environment,
            environments.contains(where: { written.equals($0.span, in: text) })
        {
            return
        }
        try checkEnvironmentSlowly(claim, in: text, signerIsPinned: signerIsPinned)
    }

    private func checkEnvironmentSlowly(
        _ claim: IdentityClaim, in text: Span<UInt8>, signerIsPinned: Bool
    ) throws(PayloadError) {
        // A pinned certificate signs only for its own environments, even if the caller accepts more.
        let asked = policy.environments.isEmpty ? Self.pinned : policy.environments
        let accepted = signerIsPinned ? asked.filter(\.isSelfSigned) : asked
        let written = claim.environment?.value(in: text)
        let names = [written, claim.impliedEnvironment?.environment.rawValue].compactMap(\.self)
        guard
            !accepted.contains(where: { environment in names.contains { isSame(environment.rawValue, $0) } })
        else { return }
        // If the caller accepts no environment of a pinned certificate, the message lists the certificate's
        // environments, unless the payload names one of these.
        let namesPinned = written.map { Self.pinned.contains(.init(rawValue: $0)) } ?? false
        let listed = !accepted.isEmpty ? accepted : namesPinned ? asked : Self.pinned
        throw PayloadError(
            .environment(found: names.first?.abbreviated(), accepted: listed.map(\.rawValue).sorted()))
    }

    @inline(__always)
    private func checkBundleIdentifier(_ claim: IdentityClaim, in text: Span<UInt8>) throws(PayloadError) {
        guard !bundleIdentifiers.isEmpty, claim.hasBundleIdentifier else { return }
        if let found = claim.bundleIdentifier,
            bundleIdentifiers.contains(where: { found.equals($0.span, in: text) })
        {
            return
        }
        throw PayloadError(
            .bundleIdentifier(
                found: claim.bundleIdentifier?.value(in: text).abbreviated(),
                accepted: policy.bundleIdentifiers.sorted()))
    }

    /// Only production payloads always carry the number. In other environments it may be absent or 0, but it
    /// must not be another app's. A payload that names no environment may be of production.
    @inline(__always)
    private func checkAppAppleIdentifier(_ claim: IdentityClaim, in text: Span<UInt8>)
        throws(PayloadError)
    {
        guard let expected = policy.appAppleIdentifier, claim.hasAppAppleIdentifier else { return }
        let value = claim.appAppleIdentifier
        if case .number(let range)? = value {
            let found = DecimalNumber.integer(text, in: range)
            if found == expected || found == 0 && mayLackIdentifier(claim, in: text) { return }
            throw PayloadError(
                .appAppleIdentifier(found: Self.text(text, range.prefix(64)), accepted: expected))
        }
        if value == nil || value == .null, mayLackIdentifier(claim, in: text) { return }
        throw PayloadError(.appAppleIdentifier(found: value?.kind, accepted: expected))
    }

    private func mayLackIdentifier(_ claim: IdentityClaim, in text: Span<UInt8>) -> Bool {
        if let implied = claim.impliedEnvironment { return implied != .production }
        return claim.environment.map { !$0.equals(Self.production.span, in: text) } ?? false
    }

    private static let production = Array(AppStoreEnvironment.production.rawValue.utf8)

    // MARK: - Device

    /// Checks that the payload was made for the caller's device, if the caller gave one.
    @inline(__always)
    private func checkDevice(_ claims: borrowing Claims, in text: Span<UInt8>) throws(PayloadError) {
        switch claims.device {
        case .members(let hash, let nonce):
            guard let device else { return }
            try Self.check(hash: hash.string, nonce: nonce.string, of: device, in: text)
        case .attributes(let hash, let opaqueValue, let bundleIdentifier):
            guard let receiptDevice else { return }
            guard let hash else { throw PayloadError(.missingDeviceAttribute(5)) }
            guard let opaqueValue else { throw PayloadError(.missingDeviceAttribute(4)) }
            guard let bundleIdentifier else { throw PayloadError(.missingDeviceAttribute(2)) }
            let found = hash.map { text[$0] }
            let expected = DeviceVerification.receiptHash(
                deviceIdentifier: receiptDevice, opaqueValue: opaqueValue.map { text[$0] },
                bundleIdentifier: bundleIdentifier.map { text[$0] })
            guard Digest.areEqual(found, expected) else {
                throw PayloadError(
                    .receiptDeviceHash(
                        found: hexadecimal(Array(found.prefix(64))), expected: hexadecimal(expected)))
            }
        }
    }

    private static func check(
        hash: JSONString?, nonce: JSONString?, of device: [UInt8], in text: Span<UInt8>
    ) throws(PayloadError) {
        guard let hash else { throw PayloadError(.missingDeviceMember("deviceVerification")) }
        guard let nonce else { throw PayloadError(.missingDeviceMember("deviceVerificationNonce")) }
        guard let expected = expectedHash(nonce, device, in: text) else {
            throw PayloadError(.deviceNonce(nonce.value(in: text).abbreviated()))
        }
        guard hash.equals(expected.span, in: text) else {
            throw PayloadError(
                .deviceHash(
                    found: hash.value(in: text).abbreviated(),
                    expected: String(decoding: expected.indices.map { expected[$0] }, as: UTF8.self)))
        }
    }

    /// The hash for a device; `nil` if the nonce is not a UUID.
    private static func expectedHash(
        _ nonce: JSONString, _ device: [UInt8], in text: Span<UInt8>
    ) -> InlineArray<64, UInt8>? {
        guard nonce.hasEscapes else {
            return DeviceVerification.base64Hash(nonce: text.extracting(nonce.range), device: device)
        }
        let resolved = nonce.bytes(in: text)
        return DeviceVerification.base64Hash(nonce: resolved.span, device: device)
    }

    // MARK: - Words

    private static func text(_ text: Span<UInt8>, _ range: Range<Int>) -> String {
        String(decoding: range.map { text[$0] }, as: UTF8.self)
    }

    /// The identities that are compared in payloads of a kind, for a person: those that the caller asked for and the
    /// kind carries.
    func comparisons(in kind: SignedPayloadKind) -> [String] {
        [
            policy.environments.isEmpty ? nil : "environment",
            policy.bundleIdentifiers.isEmpty || !kind.hasBundleIdentifier ? nil : "bundle identifier",
            policy.appAppleIdentifier == nil || !kind.hasAppAppleIdentifier ? nil : "app Apple ID",
        ].compactMap(\.self)
    }

    /// Compares byte for byte: Swift's == treats canonically equivalent strings as equal.
    private func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
