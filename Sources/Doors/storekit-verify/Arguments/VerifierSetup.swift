import ArgumentParser
import CommandSupport
import Libcrypto
import Platform
import SignedPayloads

/// The roots, the policy and the mode of revocation for verifiers, from options or from a configuration file.
///
/// It can be compared: a configuration file excludes options of a policy, and equality with the default shows
/// that no such option was given.
struct VerifierSetup: Equatable {
    var roots: [FileName] = []
    var policy = VerificationPolicy()
    var revocation = RevocationMode.off

    /// The checker that all verifiers of a run share; `nil` if revocation is not checked.
    func makeRevocationChecker() -> RevocationChecker? {
        // Only here does a clock decide: answers are valid for a limited time.
        revocation == .off ? nil : RevocationChecker(overHTTP: revocation)
    }

    /// A verifier of signed payloads with these options.
    ///
    /// - Parameter revocation: the run's checker, from `makeRevocationChecker()`.
    /// - Throws: the exit status, after a message on standard error about an unusable root.
    func makeVerifier(_ revocation: RevocationChecker?) throws(ExitCode) -> SignedPayloadVerifier {
        try make(default: .appleRootCAG3) { anchors throws(TrustAnchorError) in
            try SignedPayloadVerifier(anchors: anchors, policy: policy, revocation: revocation)
        }
    }

    /// A verifier of app receipts with these options.
    ///
    /// - Parameters:
    ///   - revocation: the run's checker, from `makeRevocationChecker()`.
    ///   - deviceIdentifier: the device's bytes, in place of `--device-id`.
    ///   - remembersSigners: whether libcrypto's CMS decides only a signer's first receipt, or all of them.
    /// - Throws: the exit status, after a message on standard error about an unusable root.
    func makeReceiptVerifier(
        _ revocation: RevocationChecker?, deviceIdentifier: [UInt8]? = nil, remembersSigners: Bool = true
    ) throws(ExitCode) -> ReceiptVerifier {
        try make(default: .appleRootCA) { anchors throws(TrustAnchorError) in
            try ReceiptVerifier(
                anchors: anchors, policy: policy, deviceIdentifier: deviceIdentifier, revocation: revocation,
                remembersSigners: remembersSigners)
        }
    }

    /// Reads the files of roots anew for each verifier: a run makes one or two.
    private func make<Verifier>(
        default anchor: TrustAnchor, _ make: ([TrustAnchor]) throws(TrustAnchorError) -> Verifier
    ) throws(ExitCode) -> Verifier {
        var anchors: [TrustAnchor] = []
        for path in roots {
            do throws(TrustAnchorError) {
                anchors.append(contentsOf: try TrustAnchor.certificates(inFile: path))
            } catch {
                StandardError.say("--root \(path.text): \(error)")
                if case .unreadableFile = error { throw .unreadableInput }
                throw .usage
            }
        }
        return try StandardError.sayingWhy(status: .usage) { () throws(TrustAnchorError) in
            try make(roots.isEmpty ? [anchor] : anchors)
        }
    }
}
