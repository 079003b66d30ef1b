public import AppReceipts
public import CertificateChain
internal import Libcrypto
public import Revocation
internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Verifies app receipts: the content of the file at `Bundle.main.appStoreReceiptURL`, as it is or in base64.
///
/// Make one verifier and share it. It never changes; any number of tasks may call it at the same time. It
/// reads no clock and logs nothing. It caches the signers that it has met (32 at most).
///
/// Receipts are PKCS #7 signed data (RFC 5652). They were signed with RSA and SHA-1 until 2023, and with RSA
/// and SHA-256 since then. SHA-1 signatures are not safe if an attacker can choose the signed data. SHA-1 is
/// accepted only here and only under Apple Root CA, because the receipts of those years have no other proof.
public struct ReceiptVerifier: Sendable {
    /// What is required of receipts, in addition to a good signature.
    ///
    /// The environment `production` accepts receipts of `Production` and `ProductionVPP`. The environment
    /// `sandbox` accepts those of `Sandbox`, `ProductionSandbox` and `ProductionVPPSandbox`.
    public let policy: VerificationPolicy
    /// The device that receipts must have been made for, if one was given.
    public let deviceIdentifier: [UInt8]?
    /// Checks whether certificates were revoked; `nil` if revocation is not checked.
    public let revocation: RevocationChecker?
    private let anchors: TrustAnchors
    private let signers: ReceiptSignerCache?
    /// Whether to wait for revocation answers on the caller's thread.
    private var waitsForRevocation = true

    /// Makes a verifier with the anchors to trust and the policy to enforce.
    ///
    /// - Parameters:
    ///   - anchors: the roots to trust; by default only Apple Root CA. Receipts from Xcode are verified only
    ///     if Xcode's own certificate is an anchor and the receipt names the environment Xcode. As with any
    ///     anchor, one that is a CA could also issue other signers, and these may sign for every environment.
    ///   - policy: what to require of receipts; by default, nothing but Apple's signature.
    ///   - deviceIdentifier: the bytes that the receipt's hash covers, instead of the policy's identifier.
    ///     They are the 16 bytes of `UIDevice.identifierForVendor`, or on a Mac the 6 of its primary network
    ///     address.
    ///   - revocation: checks whether certificates were revoked; by default, revocation is not checked.
    /// - Throws: `TrustAnchorError` if there is no anchor, or one cannot be read.
    public init(
        anchors: [TrustAnchor] = [.appleRootCA], policy: VerificationPolicy = VerificationPolicy(),
        deviceIdentifier: [UInt8]? = nil, revocation: RevocationChecker? = nil
    ) throws(TrustAnchorError) {
        try self.init(
            anchors: anchors, policy: policy, deviceIdentifier: deviceIdentifier, revocation: revocation,
            remembersSigners: true)
    }

    /// As above. A verifier without a cache of signers leaves every receipt to libcrypto's CMS.
    package init(
        anchors: [TrustAnchor], policy: VerificationPolicy, deviceIdentifier: [UInt8]?,
        revocation: RevocationChecker? = nil, remembersSigners: Bool
    ) throws(TrustAnchorError) {
        self.anchors = try TrustAnchors(anchors)
        self.policy = policy
        self.deviceIdentifier = deviceIdentifier ?? policy.deviceIdentifier.map(Self.bytes)
        signers = remembersSigners ? ReceiptSignerCache() : nil
        self.revocation = revocation
    }

    /// The same verifier, with the same cache, which fails with `RevocationUnknown.pending` instead of
    /// waiting.
    var notWaiting: ReceiptVerifier {
        var verifier = self
        verifier.waitsForRevocation = false
        return verifier
    }

    private static func bytes(of identifier: UUID) -> [UInt8] {
        unsafe withUnsafeBytes(of: identifier.uuid) { unsafe Array($0) }
    }

    /// The number of signers in the cache.
    package var rememberedSignerCount: Int { signers?.count ?? 0 }

    /// Verifies a receipt in base64 with padding (RFC 4648, section 4), without white space.
    ///
    /// - Throws: `VerificationError`, saying which check failed and on what.
    public func verify(_ receipt: String) throws(VerificationError) -> VerifiedReceipt {
        try verify(Array(receipt.utf8).span)
    }

    /// Verifies the content of a file: a receipt's bytes, or their base64, which may be broken into lines.
    ///
    /// - Throws: `VerificationError`, saying which check failed and on what.
    public func verify(file: [UInt8]) throws(VerificationError) -> VerifiedReceipt {
        // A line break at the end belongs to the file, not to the receipt.
        try checkSize(file.count - file.reversed().prefix { $0 == 0x0a || $0 == 0x0d }.count)
        let bytes: [UInt8]
        do throws(ReceiptError) {
            bytes = try ReceiptText.decode(file: file)
        } catch {
            throw VerificationError(.receipt(error))
        }
        return try verify(decoded: bytes)
    }

    /// Verifies a receipt's bytes, or their base64 with padding.
    ///
    /// The checks run in the order of those of signed payloads, and the first to fail is the verdict. The
    /// order is: size, encoding, certificate chain, signature, content, effective date, validity, revocation,
    /// identity, device. Signed data is used only after its signature was verified. The time is linear in the
    /// receipt, plus one signature verification. For a new signer, libcrypto's CMS decides, which takes half
    /// a millisecond.
    ///
    /// - Throws: `VerificationError`, saying which check failed and on what.
    public func verify(_ receipt: Span<UInt8>) throws(VerificationError) -> VerifiedReceipt {
        try checkSize(receipt.count)
        let bytes: [UInt8]
        do throws(ReceiptError) {
            bytes = try ReceiptText.decode(receipt)
        } catch {
            throw VerificationError(.receipt(error))
        }
        return try verify(decoded: bytes)
    }

    private func checkSize(_ count: Int) throws(VerificationError) {
        guard count <= policy.maximumTokenBytes else {
            throw VerificationError(.tooLarge(bytes: count, limit: policy.maximumTokenBytes))
        }
    }

    private func verify(decoded bytes: [UInt8]) throws(VerificationError) -> VerifiedReceipt {
        let (known, content) = try authenticate(bytes)
        let receipt: Receipt
        do throws(ReceiptError) {
            receipt = try Receipt(content: content)
        } catch {
            throw VerificationError(.receipt(error))
        }
        let (date, source) = try effectiveDate(of: receipt)
        let certificates = try known.certificates(validAt: date.second)
        let findings = try known.revocation.check(date, waits: waitsForRevocation)
        try checkIdentity(of: receipt, signerIsPinned: known.signer.isPinned)
        if let deviceIdentifier {
            try Self.checkDevice(of: receipt, deviceIdentifier: deviceIdentifier)
        }
        return VerifiedReceipt(
            receipt: receipt, certificates: certificates, effectiveDateSource: source, revocation: findings,
            date: date)
    }

    // MARK: - Up to the signature

    /// The checks up to the signature, all that can run before the content is read.
    private func authenticate(
        _ bytes: [UInt8]
    ) throws(VerificationError) -> (KnownReceiptSigner, content: [UInt8]) {
        let data: SignedData
        do throws(ReceiptError) {
            data = try SignedData(bytes.span)
        } catch {
            throw VerificationError(.receipt(error))
        }
        if let known = signers?.signer(of: data, in: bytes) {
            let content = data.content(in: bytes)
            try known.checkSignature(data, in: bytes, content: content)
            return (known, content)
        }
        return try judge(data, bytes)
    }

    /// Judges a new signer: our rules judge the chain, and libcrypto's CMS verifies the signature.
    private func judge(
        _ data: SignedData, _ bytes: [UInt8]
    ) throws(VerificationError) -> (KnownReceiptSigner, content: [UInt8]) {
        let certificates: ReceiptCertificates
        do throws(CertificateChainError) {
            certificates = try ReceiptCertificates(data.certificates.map { Array(bytes[$0]) })
        } catch {
            throw VerificationError(.chain(error))
        }
        let chain = PresentedReceiptChain(
            certificates, issuerAndSerialNumber: Array(bytes[data.issuerAndSerialNumber]))
        let known: KnownReceiptSigner
        do throws(CertificateChainError) {
            let signer = try anchors.judge(chain)
            known = KnownReceiptSigner(
                signer, revocation: revocation?.status(of: signer), of: data, in: bytes)
        } catch {
            throw VerificationError(.chain(error))
        }
        try known.checkDigest(of: data)
        let content = data.content(in: bytes)
        // libcrypto's CMS takes milliseconds for a hostile receipt: it gets none that is not signed by our own
        // judgement, unless it is to judge alone.
        if signers != nil { try known.checkSignature(data, in: bytes, content: content) }
        let message: SignedMessage
        do throws(LibcryptoError) {
            message = try SignedMessage(bytes.span)
        } catch {
            throw VerificationError(.receipt(.unreadable(error.description)))
        }
        // An error inside libcrypto leaves the signature unproved. That both read the same content is what makes
        // the one's verdict good for the other's.
        guard let signed = try? chain.content(of: message), signed == content else {
            throw VerificationError(.receiptSignatureMismatch(signer: known.signer.signingCertificate))
        }
        signers?.remember(known)
        return (known, content)
    }

    // MARK: - After the signature

    /// The date that the caller fixed, or otherwise the receipt's own.
    private func effectiveDate(
        of receipt: Receipt
    ) throws(VerificationError) -> (date: EffectiveDate, source: String) {
        if let fixed = try EffectiveDate(fixedBy: policy) { return (fixed, "as asked for") }
        switch receipt.effectiveDate {
        case .milliseconds(let milliseconds, let attribute):
            guard let date = EffectiveDate(milliseconds: milliseconds) else {
                throw VerificationError(.receiptDate(written: "\(milliseconds) ms since 1970"))
            }
            return (date, attribute)
        case .unreadable(let written): throw VerificationError(.receiptDate(written: written))
        case .absent: throw VerificationError(.missingReceiptDate)
        }
    }

    private func checkIdentity(of receipt: Receipt, signerIsPinned: Bool) throws(VerificationError) {
        if policy.acceptsAnyIdentity, !signerIsPinned { return }
        let found = receipt.receiptType
        let environment = found.map(Self.environment)
        // A pinned certificate signs only for its own environments, even if the caller accepts more.
        let pinned: Set<VerificationPolicy.Environment> = [.xcode, .localTesting]
        let asked = policy.environments.isEmpty && signerIsPinned ? pinned : policy.environments
        let accepted = signerIsPinned ? asked.filter(\.isSelfSigned) : asked
        if signerIsPinned || !accepted.isEmpty {
            let isAccepted = accepted.contains { name in
                isSame(name.rawValue, environment) || isSame(name.rawValue, found)
            }
            guard isAccepted else {
                throw VerificationError(
                    .environment(
                        found: found?.abbreviated(),
                        accepted: Self.named(accepted, asked: asked, pinned: pinned, found: found)))
            }
        }
        if !policy.bundleIdentifiers.isEmpty {
            let bundleID = receipt.bundleID
            guard policy.bundleIdentifiers.contains(where: { isSame($0, bundleID) }) else {
                throw VerificationError(
                    .bundleIdentifier(
                        found: bundleID?.abbreviated(), accepted: policy.bundleIdentifiers.sorted()))
            }
        }
        if let expected = policy.appAppleIdentifier {
            // Only production receipts always have the number. A receipt that names no environment may be a
            // production receipt.
            let production = VerificationPolicy.Environment.production.rawValue
            let mayBeAbsent = environment.map { !isSame(production, $0) } ?? false
            let appID = receipt.appID
            let isExpected = appID.flatMap { Int64(exactly: $0) } == expected
            guard appID != nil && isExpected || mayBeAbsent && appID ?? 0 == 0 else {
                throw VerificationError(
                    .appAppleIdentifier(found: appID.map { String($0) }, accepted: expected))
            }
        }
    }

    /// The environments that a message lists as accepted. If the caller accepts none that a pinned
    /// certificate signs for, the message lists what that certificate signs for, unless the receipt names one
    /// of these.
    private static func named(
        _ accepted: Set<VerificationPolicy.Environment>, asked: Set<VerificationPolicy.Environment>,
        pinned: Set<VerificationPolicy.Environment>, found: String?
    ) -> [String] {
        let isPinnedOnes = found.map { pinned.contains(.init(rawValue: $0)) } ?? false
        return (!accepted.isEmpty ? accepted : isPinnedOnes ? asked : pinned).map(\.rawValue).sorted()
    }

    /// The environment of payloads that corresponds to a receipt's type.
    package static func environment(ofType type: String) -> String {
        switch type {
        case "ProductionSandbox", "ProductionVPPSandbox": VerificationPolicy.Environment.sandbox.rawValue
        case "ProductionVPP": VerificationPolicy.Environment.production.rawValue
        default: type
        }
    }

    /// Compares byte for byte: Swift's == treats canonically equivalent strings as equal.
    private func isSame(_ expected: String, _ found: String?) -> Bool {
        found.map { $0.utf8.elementsEqual(expected.utf8) } ?? false
    }

    /// Checks that the receipt was made for the device.
    private static func checkDevice(
        of receipt: Receipt, deviceIdentifier: [UInt8]
    ) throws(VerificationError) {
        guard let found = receipt.sha1Hash else { throw VerificationError(.missingDeviceAttribute(5)) }
        guard let expected = deviceHash(of: receipt, deviceIdentifier: deviceIdentifier) else {
            throw VerificationError(.missingDeviceAttribute(receipt.opaqueValue == nil ? 4 : 2))
        }
        guard Digest.areEqual(found, expected) else {
            throw VerificationError(
                .receiptDeviceHash(
                    found: hexadecimal(Array(found.prefix(64))), expected: hexadecimal(expected)))
        }
    }
}

extension ReceiptVerifier {
    /// The expected hash of a receipt for a device, 20 bytes: SHA-1 over the device's identifier, the opaque
    /// value and the bundle identifier's bytes (Apple, *Validating receipts on the device*). It is `nil` if
    /// the receipt lacks an input of the hash.
    ///
    /// - Parameters:
    ///   - receipt: the receipt.
    ///   - deviceIdentifier: as in the initializer.
    public static func deviceHash(of receipt: Receipt, deviceIdentifier: [UInt8]) -> [UInt8]? {
        guard let opaqueValue = receipt.opaqueValue, let bundleID = receipt.bundleIDData else { return nil }
        return Digest.sha1((deviceIdentifier + opaqueValue + bundleID).span)
    }

    /// Whether a receipt has that hash. The time of the comparison does not depend on where the hashes
    /// differ.
    package static func isMade(_ receipt: Receipt, forDevice deviceIdentifier: [UInt8]) -> Bool {
        guard let found = receipt.sha1Hash,
            let expected = deviceHash(of: receipt, deviceIdentifier: deviceIdentifier)
        else { return false }
        return Digest.areEqual(found, expected)
    }
}
