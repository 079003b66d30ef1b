import Minting
import TestMinting
import Testing

/// DER as X.690 requires it, and the encodings that it forbids.
struct DERBuilderTests {
    @Test(
        "a length takes the fewest bytes",
        arguments: [(0, [0]), (127, [127]), (128, [0x81, 128]), (255, [0x81, 255]), (256, [0x82, 1, 0])]
            as [(Int, [UInt8])])
    func lengths(count: Int, expected: [UInt8]) {
        let encoded = DER.octetString([UInt8](repeating: 7, count: count))
        #expect(Array(encoded.dropFirst().dropLast(count)) == expected)
    }

    @Test(
        "an unsigned integer has no needless zero byte and no sign",
        arguments: [
            ([], [2, 1, 0]), ([0, 0], [2, 1, 0]), ([0x7F], [2, 1, 0x7F]), ([0x80], [2, 2, 0, 0x80]),
            ([0, 0, 1, 2], [2, 2, 1, 2]),
        ] as [([UInt8], [UInt8])])
    func integers(bytes: [UInt8], expected: [UInt8]) {
        #expect(DER.unsignedInteger(bytes) == expected)
    }

    @Test("an object identifier is written in base 128")
    func objectIdentifiers() {
        #expect(DER.objectIdentifier([2, 5, 29, 19]) == [6, 3, 0x55, 0x1D, 0x13])
        #expect(DER.objectIdentifier([1, 2, 840, 113635]) == [6, 6, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63])
    }

    @Test("a key usage drops its trailing zero bits")
    func namedBitLists() {
        #expect(CertificateExtension.keyUsage(0x80).contents == [3, 2, 7, 0x80])
        #expect(CertificateExtension.keyUsage(0x06).contents == [3, 2, 1, 0x06])
    }

    @Test("what is not DER is not DER in the way its name says")
    func malformations() {
        let value = DER.sequence(DER.null)
        #expect(DER.indefiniteLength(value) == [0x30, 0x80, 5, 0, 0, 0])
        #expect(DER.longerLength(value) == [0x30, 0x81, 2, 5, 0])
        let long = DER.octetString([UInt8](repeating: 1, count: 200))
        #expect(DER.longerLength(long).prefix(4) == [4, 0x82, 0, 200])
        #expect(DER.constructedOctetString([1, 2, 3]) == [0x24, 7, 4, 1, 1, 4, 2, 2, 3])
    }

    @Test(
        "a time is written as its calendar date",
        arguments: [
            (CertificateTime(1970, 1, 1), 0, "19700101000000Z"),
            (CertificateTime(2000, 2, 29, 23, 59, 59), 951_868_799, "20000229235959Z"),
            (CertificateTime(2025, 9, 19, 19, 44, 51), 1_758_311_091, "20250919194451Z"),
            (CertificateTime(1969, 12, 31, 23, 59, 59), -1, "19691231235959Z"),
            (CertificateTime(9999, 12, 31, 23, 59, 59), 253_402_300_799, "99991231235959Z"),
        ])
    func times(time: CertificateTime, seconds: Int, digits: String) {
        #expect(time.secondsSince1970 == seconds)
        #expect(time.digits == digits)
    }

    @Test("years from 2050 on are in GeneralizedTime")
    func generalizedTime() {
        #expect(CertificateTime(2049, 12, 31).der.first == 0x17)
        #expect(CertificateTime(2050, 1, 1).der.first == 0x18)
        #expect(CertificateTime(2025, 9, 19, 1, 2, 3).iso8601 == "2025-09-19T01:02:03Z")
    }

    @Test(
        "base64 is that of RFC 4648, 10",
        arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func base64(text: String, expected: String) {
        #expect(Base64.encoded(Array(text.utf8)) == expected)
        #expect(Base64.urlEncoded(Array(text.utf8)) == expected.filter { $0 != "=" })
        #expect(Base64.decoded(expected) == Array(text.utf8))
    }

    @Test("base64url replaces the two characters")
    func base64url() {
        #expect(Base64.encoded([0xFB, 0xEF, 0xFF]) == "++//")
        #expect(Base64.urlEncoded([0xFB, 0xEF, 0xFF]) == "--__")
    }
}
