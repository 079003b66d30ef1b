import Foundation
import Minting
import OCSPResponders
import SignedPayloads
import TestMinting
import Testing

/// Revocation of the signers of app receipts. It is checked as for payloads.
@Suite(.ownThreads) struct ReceiptRevocationTests {
    @Test(
        "a receipt passes by the dates of its signer's revocation",
        arguments: [
            (.good, true),
            (.revoked(CertificateTime(2025, 10, 1), reason: nil), false),
            (.revoked(CertificateTime(2026, 1, 1), reason: "superseded"), true),
            (.revoked(CertificateTime(2026, 1, 1), reason: "keyCompromise"), false),
        ] as [(OCSPResponderFiles.Status, Bool)])
    func receipts(_ status: OCSPResponderFiles.Status, _ passes: Bool) async throws {
        var pki = try ReceiptPKI.standard()
        let upper = try OpenSSLResponder(
            OCSPResponderFiles(
                issuer: pki.root.template, signer: TestPKI.responder(of: pki.root),
                certificates: [(pki.intermediate.template, .good)]))
        let lower = try OpenSSLResponder(
            OCSPResponderFiles(
                issuer: pki.intermediate.template, signer: TestPKI.responder(of: pki.intermediate),
                certificates: [(pki.leaf.template, status)]))
        defer {
            upper.stop()
            lower.stop()
        }
        pki.intermediate.template.setResponder(upper.url)
        pki.leaf.template.setResponder(lower.url)
        var app = ReceiptContent.App()
        app.creationDate = "2025-12-06T05:46:40Z"
        let receipt = try pki.minter().receipt(ReceiptContent(app, purchases: []))
        let anchors = [TrustAnchor(der: try pki.root.der())]
        let verifier = try ReceiptVerifier(
            anchors: anchors, revocation: RevocationChecker(overHTTP: .hard, timeout: .seconds(20)))
        let batch = BatchVerifier(
            try SignedPayloadVerifier(),
            receipts: try ReceiptVerifier(
                anchors: anchors, revocation: RevocationChecker(overHTTP: .hard, timeout: .seconds(20))))
        let check = verifier.inspect(receipt).checks.first { $0.check == .revocation }
        #expect(check?.outcome == (passes ? .passed : .failed))
        for _ in 0..<2 {
            let verdicts = [
                Result { () throws(PayloadError) in VerifiedPayload(try verifier.verify(receipt)) },
                batch.verify([receipt])[0],
                await Task { () -> Result<VerifiedPayload, PayloadError> in
                    do throws(PayloadError) {
                        return .success(try await batch.verify(receipt))
                    } catch {
                        return .failure(error)
                    }
                }.value,
            ]
            for verdict in verdicts {
                #expect(verdict.error?.code == (passes ? nil : .revokedCertificate))
                if passes { #expect(try verdict.get().revocation.count == 2) }
            }
        }
    }
}
