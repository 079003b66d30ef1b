import CertificateChain
import Minting
import StrictDER
import Testing

/// The Distinguished Encoding Rules (X.690), seen through the certificates that break them.
@Suite struct StrictDERTests {
    @Test(
        "certificates that are not one element of DER are refused, with the place",
        arguments: [
            ([], .truncated, 0),
            ([0x30], .truncated, 0),
            ([0x30, 0x05, 0x02, 0x01, 0x01], .truncated, 0),
            ([0x30, 0x00, 0x00], .trailingBytes(1), 2),
            ([0x30, 0x80, 0x00, 0x00], .indefiniteLength, 0),
            ([0x30, 0x81, 0x03, 0x02, 0x01, 0x01], .nonMinimalLength, 0),
            ([0x30, 0x82, 0x00, 0x80] + [UInt8](repeating: 0, count: 128), .nonMinimalLength, 0),
            ([0x30, 0x85, 0, 0, 0, 0, 1, 0], .truncated, 0),
            ([0x30, 0x04, 0x24, 0x02, 0x04, 0x00], .constructedString(0x24), 2),
            ([0x10, 0x00], .unsupportedTag(0x10), 0),
            ([0x1f, 0x81, 0x00, 0x00], .unsupportedTag(0x1f), 0),
            ([0x30, 0x03, 0x01, 0x01, 0x00], .nonCanonicalValue(0x01), 2),
            ([0x30, 0x03, 0x01, 0x01, 0x01], .nonCanonicalValue(0x01), 2),
            ([0x30, 0x02, 0x02, 0x00], .nonCanonicalValue(0x02), 2),
            ([0x30, 0x04, 0x02, 0x02, 0x00, 0x7f], .nonCanonicalValue(0x02), 2),
            ([0x30, 0x04, 0x02, 0x02, 0xff, 0x80], .nonCanonicalValue(0x02), 2),
            ([0x30, 0x02, 0x03, 0x00], .nonCanonicalValue(0x03), 2),
            ([0x30, 0x03, 0x03, 0x01, 0x01], .nonCanonicalValue(0x03), 2),
            ([0x30, 0x04, 0x03, 0x02, 0x08, 0x00], .nonCanonicalValue(0x03), 2),
            ([0x30, 0x04, 0x03, 0x02, 0x04, 0x08], .nonCanonicalValue(0x03), 2),
            ([0x30, 0x03, 0x05, 0x01, 0x00], .nonCanonicalValue(0x05), 2),
            ([0x30, 0x02, 0x06, 0x00], .nonCanonicalValue(0x06), 2),
            ([0x30, 0x03, 0x06, 0x01, 0x80], .nonCanonicalValue(0x06), 2),
            ([0x30, 0x04, 0x06, 0x02, 0x80, 0x01], .nonCanonicalValue(0x06), 2),
            ([0x30, 0x03, 0x17, 0x01, 0x5a], .nonCanonicalValue(0x17), 2),
            ([0x31, 0x06, 0x02, 0x01, 0x02, 0x02, 0x01, 0x01], .unorderedSet, 5),
            ([0x30, 0x02, 0x08, 0x00], .unsupportedTag(0x08), 2),
            ([0x30, 0x02, 0x00, 0x00], .unsupportedTag(0x00), 2),
            // What only a certificate's structure shows: version 1, no extension, no name in a name; unique identifiers, key and signature.
            ([0x30, 0x07, 0x30, 0x05, 0xa0, 0x03, 0x02, 0x01, 0x00], .nonCanonicalValue(0xa0), 4),
            ([0x30, 0x06, 0x30, 0x04, 0xa3, 0x02, 0x30, 0x00], .nonCanonicalValue(0xa3), 4),
            ([0x30, 0x06, 0x30, 0x04, 0x30, 0x02, 0x31, 0x00], .nonCanonicalValue(0x31), 6),
            ([0x30, 0x08, 0x30, 0x06, 0xa1, 0x04, 0x03, 0x02, 0x00, 0x01], .constructedString(0xa1), 4),
            ([0x30, 0x08, 0x30, 0x06, 0xa2, 0x04, 0x03, 0x02, 0x00, 0x01], .constructedString(0xa2), 4),
            ([0x30, 0x06, 0x30, 0x04, 0x81, 0x02, 0x01, 0x01], .nonCanonicalValue(0x81), 4),
            ([0x30, 0x04, 0x03, 0x02, 0x01, 0x02], .nonCanonicalValue(0x03), 2),
        ] as [([UInt8], DERError.Problem, Int)])
    func refuses(der: [UInt8], problem: DERError.Problem, offset: Int) throws {
        let error = #expect(throws: CertificateChainError.self) { try Certificate(der: der, position: .leaf) }
        guard case .malformed(let malformed)? = error?.violation else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(malformed.problem == problem)
        #expect(malformed.offset == offset)
    }

    @Test func `DER that is no certificate is refused as that`() throws {
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
        // An uncompressed point's 65 bytes follow the count of unused bits.
        template.publicKeyInfo[template.publicKeyInfo.count - 66] = 1
        template.publicKeyInfo[template.publicKeyInfo.count - 1] &= 0xfe
        let der = try template.der()
        let error = #expect(throws: CertificateChainError.self) { try Certificate(der: der, position: .leaf) }
        guard case .malformed(let malformed)? = error?.violation else { return #expect(Bool(false)) }
        #expect(malformed.problem == .nonCanonicalValue(0x03))
    }

    @Test func `nesting is bounded, so that hostile bytes cannot exhaust the stack`() throws {
        var der: [UInt8] = []
        for _ in 0..<5_000 { der = DER.sequence(der) }
        let error = #expect(throws: CertificateChainError.self) { try Certificate(der: der, position: .leaf) }
        guard case .malformed(let malformed)? = error?.violation else { return #expect(Bool(false)) }
        #expect(malformed.problem == .nestingTooDeep)
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
