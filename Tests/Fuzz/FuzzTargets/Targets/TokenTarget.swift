import CertificateChain
import Essentials
import Minting
import SignedPayloads

/// A whole token in the verifier of single payloads. If it verifies, independent code must find that it was
/// signed. Cached signers must not change any verdict.
package struct TokenTarget: FuzzTarget {
    package static let name = "token"

    private let anchors: [TrustAnchor]
    private let oracle: VerdictOracle
    private let verifier: SignedPayloadVerifier
    /// A verifier that requires one app and accepts Xcode's form.
    private let exacting: SignedPayloadVerifier
    /// A verifier that requires the device of the test vectors.
    private let forDevice: SignedPayloadVerifier
    private let mutator: TokenMutator

    package init() throws {
        let roots = try [TestPKI.p256().root.der(), TestPKI.standard().root.der()]
        let xcode = try XcodeIdentity().template.der()
        oracle = VerdictOracle(roots: roots, pinned: [xcode])
        anchors = roots.map { TrustAnchor(der: $0) }
        verifier = try SignedPayloadVerifier(anchors: anchors)
        var policy = VerificationPolicy()
        policy.bundleIdentifiers = ["com.example.garden"]
        policy.environments = [.sandbox, .xcode]
        policy.appAppleIdentifier = 1_234_567_890
        exacting = try SignedPayloadVerifier(anchors: anchors + [TrustAnchor(der: xcode)], policy: policy)
        var devicePolicy = VerificationPolicy()
        devicePolicy.deviceIdentifier = UUID(uuidString: "6F1C2B7E-0D3A-4E58-9B64-8A2F5C7D1E90")
        forDevice = try SignedPayloadVerifier(anchors: anchors, policy: devicePolicy)
        mutator = try TokenMutator()
    }

    package func check(_ input: [UInt8]) throws(Violation) {
        let verdict = Self.verdict(on: input, verifier)
        let outcome = Outcome(verdict)
        switch verdict {
        case .success(let payload):
            try oracle.check(payload, of: input)
            if case .failure(let error) = Self.verdict(on: input, forDevice) {
                try expect(
                    error.check >= .deviceVerification, "asks for a device, and fails at \(error.check)")
            }
            // Two more verdicts: by a verifier with an empty cache, and again after it has met the signer. A
            // new chain takes some milliseconds, so this is done for a random quarter of the inputs.
            guard (input.last ?? 0) & 3 == 0, let fresh = try? SignedPayloadVerifier(anchors: anchors) else {
                break
            }
            for _ in 0..<2 {
                try expect(Outcome(Self.verdict(on: input, fresh)) == outcome, "a second verdict")
            }
        case .failure(let error): try Self.check(error)
        }
        try expect(Outcome(verifier.inspect(input.span).verdict) == outcome, "inspects to another verdict")
        switch Self.verdict(on: input, exacting) {
        case .success(let payload):
            try oracle.check(payload, of: input)
            let isPinned = payload.certificates.count == 1
            try expect(isPinned || (try? verdict.get()) != nil, "asks for more and accepts more")
        case .failure(let error): try Self.check(error)
        }
    }

    /// Checks that an error names the failure, in a sentence of bounded length.
    private static func check(_ error: PayloadError) throws(Violation) {
        try expect((20..<8192).contains(error.message.utf8.count), "a message of \(error.message.utf8.count)")
    }

    static func verdict(
        on token: [UInt8], _ verifier: SignedPayloadVerifier
    ) -> Result<VerifiedPayload, PayloadError> {
        Result { () throws(PayloadError) in try verifier.verify(token.span) }
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] { [line] }

    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        mutator.changed(input, &tools)
    }
}
