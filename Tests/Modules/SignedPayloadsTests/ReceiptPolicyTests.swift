import Minting
import SignedPayloads
import TestMinting
import Testing

/// The policy for receipts, in cases where mistakes are easy.
@Suite struct ReceiptPolicyTests {
    private static func verdict(
        on content: ReceiptContent, minter: ReceiptMinter? = nil, anchors: [[UInt8]]? = nil,
        _ configure: (inout VerificationPolicy) -> Void = { _ in }
    ) throws -> Result<VerifiedReceipt, PayloadError> {
        var policy = VerificationPolicy()
        configure(&policy)
        let roots = try anchors ?? [ReceiptPKI.standard().root.der()]
        let verifier = try ReceiptVerifier(anchors: roots.map { TrustAnchor(der: $0) }, policy: policy)
        let receipt = try (minter ?? ReceiptPKI.standard().minter()).receipt(content)
        return Result { () throws(PayloadError) in try verifier.verify(receipt) }
    }

    @Test(
        "a receipt without an app Apple ID passes for one only where it says that it is from elsewhere",
        arguments: [
            ("ProductionSandbox", true), ("Sandbox", true), ("Xcode", true), ("Production", false),
            ("ProductionVPP", false), ("", false),
        ])
    func absentAppIdentifier(environment: String, isAccepted: Bool) throws {
        var app = ReceiptContent.App()
        app.environment = environment
        let content = ReceiptContent(app).removing(ReceiptAttribute.App.appIdentifier)
        for expected in [42, -1, Int64.min] {
            let verdict = try Self.verdict(on: content) { $0.appAppleIdentifier = expected }
            #expect(verdict.error?.code == (isAccepted ? nil : .wrongAppAppleIdentifier))
        }
        let nowhere = content.removing(ReceiptAttribute.App.environment)
        let verdict = try Self.verdict(on: nowhere) { $0.appAppleIdentifier = 42 }
        #expect(verdict.error?.code == .wrongAppAppleIdentifier)
    }

    @Test func `a message about an environment names both sides`() throws {
        let identity = try XcodeReceiptIdentity()
        let anchors = [try identity.template.der()]
        let minter = try identity.minter()
        func message(_ content: ReceiptContent, _ accepted: Set<AppStoreEnvironment>) throws
            -> String?
        {
            try Self.verdict(on: content, minter: minter, anchors: anchors) { $0.environments = accepted }
                .error?.message
        }
        let xcode = ReceiptContent.xcode()
        #expect(
            try message(xcode, [.production])
                == "the payload's environment is \"Xcode\", not \"Production\"")
        let production = xcode.setting(ReceiptAttribute.App.environment, text: "Production")
        for accepted in [[], [.production]] as [Set<AppStoreEnvironment>] {
            #expect(
                try message(production, accepted)
                    == "the payload's environment is \"Production\", not \"LocalTesting\" or \"Xcode\"")
        }
    }

    @Test func `what a sender chooses does not make a message long`() throws {
        var pki = try ReceiptPKI.forged()
        pki.leaf.template.serialNumber = [UInt8](repeating: 0x41, count: 9_000)
        let receipt = try pki.minter().receipt(ReceiptContent(ReceiptContent.App()))
        let verifier = try ReceiptVerifier()
        let error = #expect(throws: PayloadError.self) { try verifier.verify(receipt) }
        #expect(error?.code == .invalidCertificateChain)
        #expect((error?.message.utf8.count ?? .max) < 2_000)
        pki.leaf.template.serialNumber = [UInt8](repeating: 0x41, count: 20_000)
        let huge = try pki.minter().receipt(ReceiptContent(ReceiptContent.App()))
        let refused = #expect(throws: PayloadError.self) { try verifier.verify(huge) }
        #expect(refused?.detail == "certificateTooLarge")
    }

    @Test(
        "an extension that restricts certificates is refused, critical or not",
        arguments: [[2, 5, 29, 30], [1, 3, 6, 1, 5, 5, 7, 1, 14]] as [[UInt]])
    func restrictingExtension(identifier: [UInt]) throws {
        var pki = try ReceiptPKI.standard()
        pki.leaf.template.extensions.append(
            CertificateExtension(identifier, critical: false, contents: DER.sequence()))
        let verdict = try Self.verdict(on: ReceiptContent(ReceiptContent.App()), minter: pki.minter())
        #expect(verdict.error?.detail == "restrictingExtension")
    }
}
