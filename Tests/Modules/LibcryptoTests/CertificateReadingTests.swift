import Foundation
import Libcrypto
import Minting
import Testing

/// How libcrypto reads certificates and PEM, also malformed ones.
@Suite struct CertificateReadingTests {
    private static func pem(_ der: [UInt8], label: String = "CERTIFICATE") -> String {
        let text = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
    }

    @Test func `every certificate of a PEM text is read, and other blocks are skipped`() throws {
        let pki = try TestPKI.standard()
        let (root, leaf) = (try pki.root.der(), try pki.leaves[0].der())
        let text =
            "a comment\n" + Self.pem(root) + Self.pem([1, 2, 3], label: "PUBLIC KEY") + Self.pem(leaf)
        #expect(try PEM.certificates(in: Array(text.utf8)) == [root, leaf])
        #expect(try PEM.certificates(in: Array("no PEM".utf8)).isEmpty)
    }

    @Test func `an incomplete PEM block is an error with libcrypto's reason`() throws {
        let text = Self.pem(try TestPKI.standard().root.der())
        let error = #expect(throws: LibcryptoError.self) {
            try PEM.certificates(in: Array(text.utf8.prefix(text.utf8.count / 2)))
        }
        #expect(error?.operation == "reading PEM")
        #expect(error?.reasons.isEmpty == false)
    }

    /// libcrypto's error for bytes that are not a certificate.
    private static func error(about bytes: [UInt8]) -> LibcryptoError? {
        do throws(LibcryptoError) {
            _ = try X509Certificate.parse(bytes.span)
            return nil
        } catch {
            return error
        }
    }

    @Test func `an error leaves nothing behind for the next call`() throws {
        let first = try #require(Self.error(about: [0x31]))
        _ = Self.error(about: [0x30, 0x00])
        #expect(Self.error(about: [0x31]) == first)
        #expect(!first.reasons.isEmpty)
    }

    /// Whether the issuer's key signed the certificate.
    private static func signed(_ issuer: TestPKI.Entity, _ subject: TestPKI.Entity) throws -> Bool {
        let (subject, issuer) = (try subject.der(), try issuer.der())
        let certificate = try X509Certificate.parse(subject.span)
        let authority = try X509Certificate.parse(issuer.span)
        let key = try authority.publicKey()
        return key.verifies(certificate)
    }

    @Test func `a key verifies the certificates that it signed, and no others`() throws {
        let pki = try TestPKI.standard()
        #expect(try Self.signed(pki.root, pki.intermediate))
        #expect(try Self.signed(pki.intermediate, pki.leaves[0]))
        #expect(try !Self.signed(pki.root, pki.leaves[0]))
        #expect(try !Self.signed(pki.leaves[0], pki.intermediate))
    }

    @Test func `an ES256 signature verifies under its key, over its message and with its numbers alone`()
        throws
    {
        let entity = try TestPKI.standard().leaves[0]
        let der = try entity.der()
        func verifies(_ r: [UInt8], _ s: [UInt8], _ message: [UInt8]) throws -> Bool {
            let certificate = try X509Certificate.parse(der.span)
            let key = try certificate.publicKey()
            return try key.verifies(r: r.span, s: s.span, sha256Of: message.span)
        }
        let message = Array("header.payload".utf8)
        let signature = try entity.key.signature(of: message).raw
        let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(try verifies(r, s, message))
        #expect(try !verifies(s, r, message))
        #expect(try !verifies(r, s, message + [0]))
        #expect(try !verifies(zero, s, message))
        #expect(try !verifies(r, zero, message))
    }

    @Test func `each OCSP request has a nonce of its own`() throws {
        let pki = try TestPKI.standard()
        let (leaf, issuer) = (try pki.leaves[0].der(), try pki.intermediate.der())
        let first = try OCSPRequest(certificate: leaf, issuer: issuer)
        let second = try OCSPRequest(certificate: leaf, issuer: issuer)
        // RFC 8954, section 2.1: at most 32 bytes.
        #expect(first.nonce.count == 32 && first.nonce != second.nonce)
        #expect(Data(first.der).range(of: Data(first.nonce)) != nil)
    }
}
