public import AppReceipts
public import CertificateChain
internal import Essentials
internal import Libcrypto
internal import WireFormats

/// Verifies app receipts: the content of the file at `Bundle.main.appStoreReceiptURL`, as it is or in base64.
///
/// Make one verifier and share it. It never changes; any number of tasks may call it at the same time. It
/// reads no clock and logs nothing. It caches the signers that it has met (32 at most).
///
/// Receipts are PKCS #7 signed data (RFC 5652). They were signed with RSA and SHA-1 until 2023, and with RSA
/// and SHA-256 since then. SHA-1 signatures are not safe if an attacker can choose the signed data. SHA-1 is
/// accepted only here and only under Apple Root CA, because the receipts of those years have no other proof.
public struct ReceiptVerifier: Sendable {
    /// The requirements for receipts, in addition to a good signature.
    ///
    /// The environment `production` accepts receipts of `Production` and `ProductionVPP`. The environment
    /// `sandbox` accepts those of `Sandbox`, `ProductionSandbox` and `ProductionVPPSandbox`.
    public let policy: VerificationPolicy
    /// The device that receipts must have been made for, if one was given.
    public let deviceIdentifier: [UInt8]?
    /// Checks whether certificates were revoked; `nil` if revocation is not checked.
    public let revocation: RevocationChecker?
    private let anchors: TrustAnchors
    private(set) var judge: Judge
    /// The signers met recently, by the exact bytes that presented them; `nil` to remember none.
    ///
    /// Receipts of one leaf present the same certificates, so one judgement serves them all. A signer is added only
    /// after a receipt's signature was found good. The signature does not cover the certificates. But every
    /// certificate must be part of the chain, so there are only a few ways to present one leaf.
    private let signers: RecentlyUsed<KnownReceiptSigner>?

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

    /// A verifier that may do without a cache of signers. It then leaves every receipt to libcrypto's CMS.
    package init(
        anchors: [TrustAnchor], policy: VerificationPolicy, deviceIdentifier: [UInt8]?,
        revocation: RevocationChecker? = nil, remembersSigners: Bool
    ) throws(TrustAnchorError) {
        self.anchors = try TrustAnchors(anchors)
        self.policy = policy
        self.deviceIdentifier = deviceIdentifier ?? policy.deviceIdentifier.map(Self.bytes)
        judge = Judge(policy, receiptDevice: self.deviceIdentifier)
        // A leaf signs for some two years. A private PKI may have more leaves. Genuine certificates take 4 kB; with the
        // capacity, the longest bound the memory at 512 KiB.
        signers = remembersSigners ? RecentlyUsed(capacity: 32, maximumKeyBytes: 16_384) : nil
        self.revocation = revocation
    }

    /// The same verifier, with the same cache, which fails with `RevocationUnknown.pending` instead of
    /// waiting.
    var notWaiting: ReceiptVerifier {
        var verifier = self
        verifier.judge = Judge(policy, receiptDevice: deviceIdentifier, waitsForRevocation: false)
        return verifier
    }

    /// The same verifier, with the same signers, which accepts receipts of all environments and bundle identifiers, as
    /// `SignedPayloadVerifier.withoutIdentity`.
    package var withoutIdentity: ReceiptVerifier {
        var policy = policy
        (policy.environments, policy.bundleIdentifiers) = ([], [])
        return ReceiptVerifier(self, policy)
    }

    private init(_ other: ReceiptVerifier, _ policy: VerificationPolicy) {
        (anchors, revocation, signers) = (other.anchors, other.revocation, other.signers)
        (self.policy, deviceIdentifier) = (policy, other.deviceIdentifier)
        judge = Judge(policy, receiptDevice: deviceIdentifier)
    }

    private static func bytes(of identifier: UUID) -> [UInt8] {
        unsafe withUnsafeBytes(of: identifier.uuid) { unsafe Array($0) }
    }

    /// The number of signers in the cache.
    package var rememberedSignerCount: Int { signers?.count ?? 0 }

    /// Verifies a receipt in base64 with padding (RFC 4648, section 4), without white space.
    ///
    /// - Throws: `PayloadError`, with the failed check and both sides of its comparison.
    public func verify(_ receipt: String) throws(PayloadError) -> VerifiedReceipt {
        try verify(Array(receipt.utf8).span)
    }

    /// Verifies the content of a file: a receipt's bytes, or their base64, which may be broken into lines.
    ///
    /// - Throws: `PayloadError`, with the failed check and both sides of its comparison.
    public func verify(file: [UInt8]) throws(PayloadError) -> VerifiedReceipt {
        try verify(file: file, nil)
    }

    func verify(file: [UInt8], _ trace: VerificationTrace?) throws(PayloadError) -> VerifiedReceipt {
        // A line break at the end belongs to the file, not to the receipt.
        try policy.checkSize(file.count - file.reversed().prefix { $0 == 0x0a || $0 == 0x0d }.count)
        trace?.pass(.size)
        let bytes: [UInt8]
        do throws(ReceiptError) {
            bytes = try ReceiptText.decode(file: file)
        } catch {
            throw PayloadError(.receipt(error))
        }
        return try verify(decoded: bytes, trace)
    }

    /// Verifies a receipt's bytes, or their base64 with padding.
    ///
    /// The checks run in the order of those of signed payloads, and the first to fail is the verdict. The
    /// order is: size, encoding, certificate chain, signature, content, effective date, validity, revocation,
    /// identity, device. Signed data is used only after its signature was verified. The time is linear in the
    /// receipt, plus one signature verification. For a new signer, libcrypto's CMS decides, which takes half
    /// a millisecond.
    ///
    /// - Throws: `PayloadError`, with the failed check and both sides of its comparison.
    public func verify(_ receipt: Span<UInt8>) throws(PayloadError) -> VerifiedReceipt {
        try verify(receipt, nil)
    }

    func verify(_ receipt: Span<UInt8>, _ trace: VerificationTrace?) throws(PayloadError)
        -> VerifiedReceipt
    {
        try policy.checkSize(receipt.count)
        trace?.pass(.size)
        let bytes: [UInt8]
        do throws(ReceiptError) {
            bytes = try ReceiptText.decode(receipt)
        } catch {
            throw PayloadError(.receipt(error))
        }
        return try verify(decoded: bytes, trace)
    }

    private func verify(
        decoded bytes: [UInt8], _ trace: VerificationTrace?
    ) throws(PayloadError) -> VerifiedReceipt {
        let (known, content) = try authenticate(bytes, trace)
        trace?.pass(.signature)
        let receipt: Receipt
        do throws(ReceiptError) {
            receipt = try Receipt(content: content)
        } catch {
            throw PayloadError(.receipt(error))
        }
        trace?.pass(.payload)
        let (claims, text) = Claims.claims(of: receipt)
        let judgement = try judge.judge(
            claims, in: text.span, of: known.signer, known.revocation, trace: trace)
        return VerifiedReceipt(
            receipt: receipt, certificates: judgement.certificates ?? known.signer.commonCertificates,
            effectiveDateSource: source(ofDateIn: receipt), revocation: judgement.revocation,
            date: judgement.date)
    }

    /// Where the effective date comes from, for a person.
    private func source(ofDateIn receipt: Receipt) -> String {
        guard policy.effectiveDate == nil, case .milliseconds(_, let attribute) = receipt.effectiveDate else {
            return "as asked for"
        }
        return attribute
    }

    // MARK: - Up to the signature

    /// The checks up to the signature, all that can run before the content is read.
    private func authenticate(
        _ bytes: [UInt8], _ trace: VerificationTrace?
    ) throws(PayloadError) -> (KnownReceiptSigner, content: [UInt8]) {
        let data: SignedData
        do throws(ReceiptError) {
            data = try SignedData(bytes.span)
        } catch {
            throw PayloadError(.receipt(error))
        }
        trace?.pass(.encoding)
        let presented = data.presentedSigner(in: bytes)
        if let known = signers?.value(for: presented.span) {
            trace?.pass(.certificateChain)
            let content = data.content(in: bytes)
            try known.checkSignature(data, in: bytes, content: content)
            return (known, content)
        }
        let (known, content) = try judgeSigner(of: data, bytes, trace)
        signers?.add(known, for: presented)
        return (known, content)
    }

    /// Judges a new signer: our rules judge the chain, and libcrypto's CMS verifies the signature.
    private func judgeSigner(
        of data: SignedData, _ bytes: [UInt8], _ trace: VerificationTrace?
    ) throws(PayloadError) -> (KnownReceiptSigner, content: [UInt8]) {
        let certificates: ReceiptCertificates
        do throws(CertificateChainError) {
            certificates = try ReceiptCertificates(data.certificates.map { Array(bytes[$0]) })
        } catch {
            throw PayloadError(.chain(error))
        }
        let chain = PresentedReceiptChain(
            certificates, issuerAndSerialNumber: Array(bytes[data.issuerAndSerialNumber]))
        let known: KnownReceiptSigner
        do throws(CertificateChainError) {
            let signer = try anchors.judge(chain)
            known = KnownReceiptSigner(signer, revocation: revocation?.status(of: signer))
        } catch {
            throw PayloadError(.chain(error))
        }
        trace?.pass(.certificateChain)
        try known.checkDigest(of: data)
        let content = data.content(in: bytes)
        // libcrypto's CMS takes milliseconds for a hostile receipt: it gets only receipts whose signature is good by our own
        // judgement, unless it is to judge alone.
        if signers != nil { try known.checkSignature(data, in: bytes, content: content) }
        let message: SignedMessage
        do throws(LibcryptoError) {
            message = try SignedMessage(bytes.span)
        } catch {
            throw PayloadError(.receipt(.unreadable(error.description)))
        }
        // An error inside libcrypto leaves the signature unproved. Its verdict counts for our content only because both
        // readers found the same content.
        guard let signed = try? chain.content(of: message), signed == content else {
            throw PayloadError(.receiptSignatureMismatch(signer: known.signer.signingCertificate))
        }
        return (known, content)
    }

    /// The environment of payloads that corresponds to a receipt's type.
    package static func environment(ofType type: String) -> String {
        ImpliedEnvironment(receiptType: type)?.environment.rawValue ?? type
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
        return DeviceVerification.receiptHash(
            deviceIdentifier: deviceIdentifier, opaqueValue: opaqueValue, bundleIdentifier: bundleID)
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
