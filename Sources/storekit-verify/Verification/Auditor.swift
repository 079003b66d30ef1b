import ArgumentParser
import SignedPayloads

/// Decides lines a second time, each by itself and by libcrypto alone.
struct Auditor: Sendable {
    private let verifier: SignedPayloadVerifier
    private let receipts: ReceiptVerifier

    /// An auditor with the same options as what it audits, which remembers nothing of it but what responders said.
    init(_ policy: PolicyOptions, _ revocation: RevocationChecker?) throws(ExitCode) {
        verifier = try policy.makeVerifier(revocation)
        receipts = try policy.makeReceiptVerifier(revocation, remembersSigners: false)
    }

    /// The verdict on a line of a buffer.
    func verdict(on line: BatchLine, of buffer: [UInt8]) -> BatchVerdict {
        switch verifier.verdict(on: line, of: buffer, receipts: receipts) {
        case .success(let payload): .verified(payload)
        case .failure(let error): .failed(error)
        }
    }
}

extension SignedPayloadVerifier {
    /// The verdict on a line of a buffer, by itself.
    func verdict(
        on line: BatchLine, of buffer: [UInt8], receipts: ReceiptVerifier? = nil
    ) -> Result<VerifiedPayload, VerificationError> {
        switch line {
        case .oversized(let bytes, let limit): return .failure(.tooLarge(bytes: bytes, limit: limit))
        case .content(let range):
            do throws(VerificationError) {
                return .success(try verify(line: buffer.span.extracting(range), receipts: receipts))
            } catch {
                return .failure(error)
            }
        }
    }
}
