package import Minting
public import SignedPayloads
public import StoreKitVerify
internal import WireFormats

/// The keys and certificates that sign a session's payloads. They are worthless outside of tests: no verifier accepts
/// them unless it is given their root.
public struct TestAuthority: Sendable {
    /// The root certificate, in DER.
    public let rootCertificate: [UInt8]
    /// Signs with the leaf's key, under a header with all certificates.
    let signer: TokenSigner

    /// The root certificate, for a verifier's trust anchors.
    public var trustAnchor: TrustAnchor { TrustAnchor(der: rootCertificate) }

    /// The root certificate as PEM text.
    public var rootPEM: String { Base64.pem("CERTIFICATE", rootCertificate) }

    /// The keys and certificates in the form that an environment has.
    ///
    /// - Parameters:
    ///   - environment: in `xcode` and `localTesting`, one certificate signs.
    ///   - name: the keys are derived from it, so that the same name gives the same certificates.
    /// - Throws: `SigningFailure` if libcrypto fails.
    public static func of(
        _ environment: AppStore.Environment, _ name: String
    ) throws(SigningFailure) -> TestAuthority {
        try environment.isSelfSigned ? .xcode(name) : .appStore(name)
    }

    /// A hierarchy of three certificates in the form of Apple's, with Apple's markers and names that say "test".
    ///
    /// - Parameter name: the keys are derived from it, so that the same name gives the same certificates.
    /// - Throws: `SigningFailure` if libcrypto fails.
    public static func appStore(_ name: String) throws(SigningFailure) -> TestAuthority {
        do throws(MintingError) {
            let pki = try TestPKI.session(name)
            let x5c = try pki.x5c(leaf: 0)
            return TestAuthority(
                rootCertificate: try pki.root.der(),
                signer: TokenSigner(TokenMinter(key: pki.leaves[0].key, x5c: x5c)))
        } catch {
            throw SigningFailure(error)
        }
    }

    /// One self-signed certificate in the form of Xcode's.
    ///
    /// - Parameter name: the key is derived from it.
    /// - Throws: `SigningFailure` if libcrypto fails.
    public static func xcode(_ name: String) throws(SigningFailure) -> TestAuthority {
        do throws(MintingError) {
            var identity = try XcodeIdentity("session \(name)", notBefore: TestPKI.sessionStart)
            identity.template.notAfter = TestPKI.sessionEnd
            return TestAuthority(
                rootCertificate: try identity.template.der(), signer: TokenSigner(try identity.minter()))
        } catch {
            throw SigningFailure(error)
        }
    }
}

/// libcrypto could not make a key, a certificate or a signature.
public struct SigningFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure, in a sentence.
    public let description: String

    package init(_ error: MintingError) { description = "signing failed: \(error)" }

    package init(_ reason: String) { description = reason }

    package init(refusal: StoreRefusal) { description = refusal.message }
}
