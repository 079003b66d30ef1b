import CertificateChain
import Minting
import Testing
import WireFormats

/// How a certificate is read, before its rules are checked.
@Suite struct CertificateTests {
    @Test func `DER that is not a certificate is refused with that reason`() throws {
        let error = #expect(throws: CertificateChainError.self) {
            try Certificate(der: [0x30, 0x03, 0x02, 0x01, 0x01], position: .intermediate)
        }
        guard case .unreadable? = error?.violation else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(error?.position == .intermediate)
    }

    @Test func `a key whose bits do not fill its last byte is refused`() throws {
        var template = try TestPKI.p256().leaves[0].template
        // The 65 bytes of an uncompressed point follow the number of unused bits.
        template.publicKeyInfo[template.publicKeyInfo.count - 66] = 1
        template.publicKeyInfo[template.publicKeyInfo.count - 1] &= 0xfe
        let der = try template.der()
        let error = #expect(throws: CertificateChainError.self) { try Certificate(der: der, position: .leaf) }
        guard case .malformed(let malformed)? = error?.violation else { return #expect(Bool(false)) }
        #expect(malformed.problem == .nonCanonicalValue(0x03))
    }

    @Test func `every truncation of a certificate is refused`() throws {
        let der = try TestPKI.p256().leaves[0].der()
        for length in 0..<der.count {
            #expect(throws: CertificateChainError.self, "\(length) bytes") {
                try Certificate(der: Array(der[..<length]), position: .leaf)
            }
        }
        #expect(throws: Never.self) { try Certificate(der: der, position: .leaf) }
    }
}
