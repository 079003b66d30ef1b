public import AppReceipts
internal import CertificateChain
internal import WireFormats

/// All readable content of a receipt, verified or not, with its checks. It is for people, not for decisions.
///
/// Only `verdict` says what can be trusted. The rest shows what the receipt claims.
public struct ReceiptInspection: Sendable {
    /// The PKCS #7 signed data around the content.
    public struct SignedDataSummary: Hashable, Sendable {
        /// The hash function of the signature, `SHA-1` or `SHA-256`.
        public let digestAlgorithm: String
        /// The length of the signature in bytes.
        public let signatureBytes: Int
        /// The length of the signed content in bytes.
        public let contentBytes: Int
        /// The length of the whole receipt in bytes.
        public let receiptBytes: Int
    }

    /// The result of `verify`.
    public let verdict: Result<VerifiedReceipt, PayloadError>
    /// The result of each check that concerns receipts, in order.
    public let checks: [CheckResult]
    /// The length in bytes of the input: the receipt or its base64.
    public let inputBytes: Int
    /// The signed data; `nil` if it cannot be read.
    public let signedData: SignedDataSummary?
    /// The certificates presented, in the receipt's order. The leaf is the one that the receipt names as its
    /// signer's.
    public let certificates: [Inspection.PresentedCertificate]
    /// The receipt's content; `nil` if it cannot be read. Do not trust it unless `verdict` is a success.
    public let receipt: Receipt?
    /// The dates of `Receipt.json`, in the same order.
    public let dates: [DateMember]
    /// The content of a receipt of one transaction, from before iOS 7; `nil` for other input. It is never
    /// verified.
    public let transactionReceipt: TransactionReceipt?
}

extension ReceiptVerifier {
    /// Inspects a receipt in base64 with padding and without white space; see `inspect(_:)` over bytes.
    public func inspect(_ receipt: String) -> ReceiptInspection { inspect(Array(receipt.utf8).span) }

    /// Inspects a receipt's bytes, or their base64 with padding, as far as they can be read.
    ///
    /// Costs as much as a verification. Never fails. Unreadable parts are `nil` or empty, and `verdict`
    /// says why.
    public func inspect(_ receipt: Span<UInt8>) -> ReceiptInspection {
        inspection(of: [UInt8](copying: receipt)) { (trace) throws(PayloadError) in
            try verify(receipt, trace)
        }
    }

    /// Inspects the content of a file: a receipt's bytes, or their base64 with or without line breaks.
    public func inspect(file: [UInt8]) -> ReceiptInspection {
        inspection(of: file) { (trace) throws(PayloadError) in try verify(file: file, trace) }
    }

    private func inspection(
        of input: [UInt8], _ verify: (VerificationTrace) throws(PayloadError) -> VerifiedReceipt
    ) -> ReceiptInspection {
        let trace = VerificationTrace()
        let verdict = Result { () throws(PayloadError) in try verify(trace) }
        let isTooLarge = verdict.failure?.code == .tooLarge
        let decoded = isTooLarge ? nil : try? ReceiptText.decode(file: input)
        let parts = decoded.map(LenientParts.init) ?? LenientParts()
        return ReceiptInspection(
            verdict: verdict, checks: checks(trace, verdict, parts, inputBytes: input.count),
            inputBytes: input.count, signedData: parts.summary, certificates: parts.certificates,
            receipt: parts.receipt, dates: parts.receipt.map { DateMember.all(in: $0.json) } ?? [],
            transactionReceipt: verdict.failure?.code == .invalidEncoding ? TransactionReceipt(input) : nil)
    }

    // MARK: - Checks

    private func checks(
        _ trace: VerificationTrace, _ verdict: Result<VerifiedReceipt, PayloadError>,
        _ parts: LenientParts, inputBytes: Int
    ) -> [CheckResult] {
        let verified = try? verdict.get()
        // A receipt holds no other payload.
        return VerificationCheck.allCases.filter { $0 != .nestedPayloads }.map { check in
            CheckResult(
                check, trace, failure: verdict.failure, whyNotAsked: whyNotAsked(check, verified),
                finding: finding(of: check, verified, parts, inputBytes: inputBytes))
        }
    }

    private func whyNotAsked(_ check: VerificationCheck, _ verified: VerifiedReceipt?) -> String? {
        switch check {
        case .revocation: CheckResult.whyNoRevocation(revocation, signerIsPinned: verified?.isPinned)
        case .identity:
            judge.comparisons(in: .receipt).isEmpty && verified?.isPinned != true ? "not asked for" : nil
        case .deviceVerification: deviceIdentifier == nil ? "not asked for" : nil
        default: nil
        }
    }

    /// The finding of a check that passed. Less is known if a later check failed.
    private func finding(
        of check: VerificationCheck, _ verified: VerifiedReceipt?, _ parts: LenientParts, inputBytes: Int
    ) -> String {
        switch check {
        case .size: return "\(inputBytes) bytes, and the limit is \(policy.maximumTokenBytes)"
        case .encoding:
            return "PKCS #7 signed data" + (parts.summary.map { ", RSA and \($0.digestAlgorithm)" } ?? "")
        case .certificateChain:
            return verified?.certificates.last.map { "trusted by \"\($0.subject)\"" }
                ?? "leads to a trust anchor"
        case .signature: return "matches the receipt's content"
        case .payload:
            let count = parts.receipt?.purchases.count ?? 0
            return "a set of attributes, \(count) purchase\(count == 1 ? "" : "s")"
        case .effectiveDate:
            return verified.map { "\($0.effectiveDateISO8601) (\($0.effectiveDateSource))" }
                ?? "a date of the years 1 to 9999"
        case .validity: return "every certificate was valid at the effective date"
        case .identity:
            guard !judge.comparisons(in: .receipt).isEmpty else {
                return "the environment is the pinned certificate's"
            }
            return judge.comparisons(in: .receipt).joined(separator: ", ") + " as asked for"
        case .deviceVerification: return "made for the device asked for"
        case .revocation: return CheckResult.revocation(verified?.revocation)
        case .nestedPayloads: return ""
        }
    }
}

extension VerifiedReceipt {
    /// Whether the signer is a single certificate that is itself an anchor.
    fileprivate var isPinned: Bool { certificates.count == 1 }
}

/// The parts of a receipt. Each is read on its own, so an error in one does not hide the others.
private struct LenientParts {
    var summary: ReceiptInspection.SignedDataSummary?
    var certificates: [Inspection.PresentedCertificate] = []
    var receipt: Receipt?

    init() {}

    init(_ bytes: [UInt8]) {
        guard let data = try? SignedData(bytes.span) else { return }
        let content = data.content(in: bytes)
        summary = ReceiptInspection.SignedDataSummary(
            digestAlgorithm: data.digestAlgorithm == .sha1 ? "SHA-1" : "SHA-256",
            signatureBytes: data.signature.count, contentBytes: content.count, receiptBytes: bytes.count)
        receipt = try? Receipt(content: content)
        certificates = Self.certificates(of: data, in: bytes)
    }

    private static func certificates(
        of data: SignedData, in bytes: [UInt8]
    ) -> [Inspection.PresentedCertificate] {
        let signer = Array(bytes[data.issuerAndSerialNumber])
        return data.certificates.enumerated().map { presented(Array(bytes[$1]), $0, signer: signer) }
    }

    /// A certificate at the position that the receipt and the certificate's names give it.
    private static func presented(
        _ der: [UInt8], _ index: Int, signer: [UInt8]
    ) -> Inspection.PresentedCertificate {
        let element = X5C.Element(der)
        guard let certificate = try? Certificate(element, position: .leaf) else {
            return .init(element, claimedPosition(index))
        }
        let description = certificate.description
        if certificate.isNamed(by: signer) {
            return .init(position: .leaf, description: .success(description))
        }
        let isSelfIssued = description.subject == description.issuer
        return .init(position: isSelfIssued ? .root : .intermediate, description: .success(description))
    }

    /// The position of a certificate that cannot be read, from its place in the receipt.
    private static func claimedPosition(_ index: Int) -> CertificatePosition {
        index == 0 ? .leaf : index == 1 ? .intermediate : .root
    }
}
