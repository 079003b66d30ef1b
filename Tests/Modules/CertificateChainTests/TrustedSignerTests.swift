import CertificateChain
import CompactJWS
import Essentials
import Minting
import RepositoryFiles
import TestMinting
import Testing
import WireFormats

/// Validity, pinned certificates and anchors.
@Suite struct TrustedSignerTests {
    @Test func `validity includes its first and its last second, of every certificate`() throws {
        let pki = try TestPKI.p256()
        let leaf = pki.leaves[1].template
        let signer = try Chain(pki, leaf: 1).judge()
        let (first, last) = (Int64(leaf.notBefore.secondsSince1970), Int64(leaf.notAfter.secondsSince1970))
        #expect(throws: Never.self) { try signer.certificates(validAt: first) }
        #expect(throws: Never.self) { try signer.certificates(validAt: last) }
        let early = #expect(throws: CertificateChainError.self) {
            try signer.certificates(validAt: first - 1)
        }
        #expect(early?.position == .leaf)
        #expect(early?.violation == .notYetValid(at: first - 1, notBefore: first))
        let late = #expect(throws: CertificateChainError.self) { try signer.certificates(validAt: last + 1) }
        #expect(late?.violation == .expired(at: last + 1, notAfter: last))
    }

    @Test func `an intermediate or an anchor that has expired is named`() throws {
        let second = Int64(try TestPKI.p256().leaves[0].template.notBefore.secondsSince1970)
        for position in [CertificateChainError.Position.intermediate, .anchor] {
            var chain = try Chain(TestPKI.p256())
            let end = CertificateTime(secondsSince1970: Int(second) - 1)
            if position == .anchor {
                chain.root.template.notAfter = end
            } else {
                chain.intermediate.template.notAfter = end
            }
            let signer = try chain.judge()
            let error = #expect(throws: CertificateChainError.self) {
                try signer.certificates(validAt: second)
            }
            #expect(error?.position == position)
        }
    }

    @Test func `a root issued twice with one name and key is accepted in either copy, in any order`() throws {
        let pki = try TestPKI.p256()
        var old = pki.root
        old.template.notAfter = CertificateTime(secondsSince1970: 1_700_000_000)
        let chain = try Chain(pki).presented()
        let copies = [try TrustAnchor(der: old.der()), TrustAnchor(der: try pki.root.der())]
        for anchors in [copies, copies.reversed()] {
            let signer = try TrustAnchors(anchors).judge(chain)
            let second = Int64(pki.leaves[0].template.notAfter.secondsSince1970)
            let certificates = try signer.certificates(validAt: min(second, 1_700_000_001))
            #expect(certificates.count == 3)
        }
        let late = try TrustAnchors([copies[0]]).judge(try Chain(pki, leaf: 2).presented())
        let error = #expect(throws: CertificateChainError.self) {
            try late.certificates(validAt: 1_760_000_000)
        }
        #expect(error?.position == .anchor)
        let both = try TrustAnchors(copies).judge(try Chain(pki, leaf: 2).presented())
        #expect(try both.certificates(validAt: 1_760_000_000).last?.notAfter != 1_700_000_000)
    }

    @Test func `a single certificate is trusted only if it is an anchor, byte for byte`() throws {
        let identity = try XcodeIdentity()
        let der = try identity.template.der()
        let pinned = try TrustAnchors([TrustAnchor(der: der)])
        #expect(try pinned.judge(PresentedChain(.single(.der(der)))).isPinned)
        let others = try TrustAnchors([TrustAnchor(der: TestPKI.p256().root.der()), .appleRootCAG3])
        let error = #expect(throws: CertificateChainError.self) {
            try others.judge(PresentedChain(.single(.der(der))))
        }
        #expect(error?.violation == .notPinned)
    }

    @Test func `an anchor on P-384 presented alone cannot have made an ES256 signature`() throws {
        let root = try TestPKI.standard().root.der()
        let anchors = try TrustAnchors([TrustAnchor(der: root)])
        let error = #expect(throws: CertificateChainError.self) {
            try anchors.judge(PresentedChain(.single(.der(root))))
        }
        #expect(error?.violation == .publicKey(found: "secp384r1", expected: "P-256"))
    }

    @Test func `anchors are read from DER, from PEM, and from PEM with several and with other text`() throws {
        let roots = [try TestPKI.p256().root.der(), try TestPKI.standard().root.der()]
        #expect(try TrustAnchor.certificates(in: roots[0]).map(\.der) == [roots[0]])
        let pem = roots.map { "Some words\n" + TestMinting.Base64.pem("CERTIFICATE", $0) }.joined(
            separator: "\n# more\n")
        #expect(try TrustAnchor.certificates(in: Array(pem.utf8)).map(\.der) == roots)
        let withKey = TestMinting.Base64.pem("PUBLIC KEY", [0x30, 0x00]) + pem
        #expect(try TrustAnchor.certificates(in: Array(withKey.utf8)).map(\.der) == roots)
    }

    @Test func `anchors are read from a file, and an unreadable file is another failure than a bad one`()
        throws
    {
        let pem = "TestVectors/pki/root.pem"
        let roots = try TrustAnchor.certificates(inFile: Repository.file(pem).path)
        #expect(
            try roots == TrustAnchor.certificates(in: Array(Repository.text(pem).utf8)) && roots.count == 1)
        let missing = #expect(throws: TrustAnchorError.self) {
            try TrustAnchor.certificates(inFile: "/nonexistent/root.pem")
        }
        guard case .unreadableFile? = missing else {
            return #expect(Bool(false), "\(String(describing: missing))")
        }
        #expect(throws: TrustAnchorError.noCertificate) {
            try TrustAnchor.certificates(inFile: Repository.file("LICENSE").path)
        }
    }

    @Test func `a file without a certificate, or with half of one, is refused`() throws {
        #expect(throws: TrustAnchorError.noCertificate) { try TrustAnchor.certificates(in: []) }
        #expect(throws: TrustAnchorError.noCertificate) {
            try TrustAnchor.certificates(in: Array("hello".utf8))
        }
        let pem = TestMinting.Base64.pem("CERTIFICATE", try TestPKI.p256().root.der())
        let error = #expect(throws: TrustAnchorError.self) {
            try TrustAnchor.certificates(in: Array(pem.utf8.dropLast(40)))
        }
        guard case .unreadable? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(throws: TrustAnchorError.self) {
            try TrustAnchor.certificates(in: Array(TestMinting.Base64.pem("CERTIFICATE", [0x30, 0x00]).utf8))
        }
        #expect(throws: TrustAnchorError.noCertificate) { try TrustAnchors([]) }
    }

    @Test func `the embedded root is Apple Root CA - G3`() throws {
        let root = try Certificate(der: TrustAnchor.appleRootCAG3.der, position: .anchor).description
        // The fingerprint is Apple's: https://www.apple.com/certificateauthority/
        #expect(root.sha256Fingerprint == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
        #expect(root.subject == "C=US,O=Apple Inc.,OU=Apple Certification Authority,CN=Apple Root CA - G3")
        #expect(root.notBeforeISO8601 == "2014-04-30T18:19:06Z")
        #expect(root.notAfterISO8601 == "2039-04-30T18:19:06Z")
    }
}
