import ArgumentParser
import CommandSupport
import SignedPayloads
import WireFormats

/// Decides lines a second time, one by one and with libcrypto alone.
///
/// It decides as the library does for one payload: without the batch's arithmetic, its caches and its shared
/// signers.
struct Auditor: Sendable {
    private let verifier: SignedPayloadVerifier
    private let receipts: ReceiptVerifier

    /// Makes an auditor with the options of the run that it audits. It shares nothing with that run but the
    /// responders' answers.
    init(_ policy: PolicyOptions, _ revocation: RevocationChecker?) throws(ExitCode) {
        verifier = try policy.setup.makeVerifier(revocation)
        receipts = try policy.setup.makeReceiptVerifier(revocation, remembersSigners: false)
    }

    func verdict(on line: BatchLine, of buffer: [UInt8]) -> LineVerdict {
        switch line {
        case .oversized(let bytes, let limit): return .failed(.tooLarge(bytes: bytes, limit: limit))
        case .content(let range):
            do throws(PayloadError) {
                return .verified(
                    try verifier.verify(line: buffer.span.extracting(range), receipts: receipts))
            } catch {
                return .failed(error)
            }
        }
    }
}
