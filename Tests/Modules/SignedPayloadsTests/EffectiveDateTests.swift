import Essentials
import Minting
import SignedPayloads
import TestMinting
import Testing

/// The effective date: which member counts, and which values it may have.
@Suite struct EffectiveDateTests {
    @Test(
        "a date may be an integer, a fraction or have an exponent, of any length",
        arguments: [
            ("1760000000000", 1_760_000_000_000), ("1760000000000.999", 1_760_000_000_000),
            ("1.76e12", 1_760_000_000_000), ("1.760000000000123E+12", 1_760_000_000_000),
            ("17600000000000e-1", 1_760_000_000_000), ("0.00176e15", 1_760_000_000_000),
            ("1760000000000.0000000000000000000000000000000000000000001", 1_760_000_000_000),
            ("1760000000000" + String(repeating: "0", count: 300) + "e-300", 1_760_000_000_000),
            ("0." + String(repeating: "0", count: 300) + "176e313", 1_760_000_000_000),
        ] as [(String, Int64)])
    func readsNumbers(written: String, milliseconds: Int64) throws {
        let verified = try Minted.verify(#"{"signedDate":\#(written)}"#).get()
        #expect(verified.effectiveDateMilliseconds == milliseconds)
    }

    @Test(
        "finite dates of the years 1 to 9999 are dates, valid or not",
        arguments: [
            ("0", "1970-01-01T00:00:00Z"), ("-0", "1970-01-01T00:00:00Z"), ("-1", "1969-12-31T23:59:59Z"),
            ("-0.001", "1969-12-31T23:59:59Z"), ("1e-400", "1970-01-01T00:00:00Z"),
            ("0e999999999999999999999", "1970-01-01T00:00:00Z"), ("-62135596800000", "0001-01-01T00:00:00Z"),
            ("253402300799999.9", "9999-12-31T23:59:59Z"), ("4102444800000", "2100-01-01T00:00:00Z"),
        ])
    func comparesEverySaneDate(written: String, shown: String) throws {
        let error = try #require(try Minted.verify(#"{"signedDate":\#(written)}"#).error)
        #expect(error.code == .invalidCertificateChain)
        #expect(error.message.contains("the effective date is \(shown)"), "\(error.message)")
    }

    @Test(
        "what is no finite date is missing",
        arguments: [
            "1e400", "-1e400", "1e18446744073709551616", "253402300800000", "-62135596800000.001",
            "99999999999999999999",
            "null", "true", "\"1760000000000\"", "{}", "[1760000000000]",
        ])
    func refusesOthers(written: String) throws {
        let error = try #require(try Minted.verify(#"{"signedDate":\#(written)}"#).error)
        #expect(error.code == .missingRequiredProperties)
        #expect(error.check == .effectiveDate)
        #expect(error.message.contains("signedDate"))
    }

    @Test func `a payload without its date is refused, unless the caller fixes one`() throws {
        let payload = #"{"notificationType":"TEST","version":"2.0"}"#
        #expect(try Minted.verify(payload).error?.cause == .missingDate(member: "signedDate"))
        let date = Date(timeIntervalSince1970: 1_760_000_000.25)
        let verified = try Minted.verify(payload) { $0.effectiveDate = date }.get()
        #expect(verified.effectiveDateMilliseconds == 1_760_000_000_250)
        #expect(verified.effectiveDate == date)
    }

    @Test func `an app transaction's date is its receipt's creation alone`() throws {
        let payload = #"{"receiptType":"Production","signedDate":1760000000000}"#
        #expect(try Minted.verify(payload).error?.cause == .missingDate(member: "receiptCreationDate"))
        let odd = #"{"receiptCreationDate":1760000000000,"signedDate":"whenever","signedDate":1}"#
        #expect(try Minted.verify(odd).error == nil)
    }

    @Test func `at a fixed date, each of many signers fails by its own certificate, however often it comes`()
        throws
    {
        let pki = try TestPKI.p256()
        // One leaf has ended by then, more leaves than a judge remembers have not begun, and one is valid.
        let date = Date(timeIntervalSince1970: 1_730_000_000)
        let minters =
            try [pki.minter(leaf: 0)] + (0..<12).map { try pki.minter(ofLeaf: $0) } + [pki.minter(leaf: 1)]
        let tokens = try minters.map { try $0.token(payload: #"{"signedDate":1760000000000}"#) }
        let alone = try tokens.map { token in
            let verifier = try Minted.verifier { $0.effectiveDate = date }
            return Result { () throws(PayloadError) in try verifier.verify(token) }.error?.message
        }
        #expect(Set(alone).count == minters.count, "each error names its certificate, and one token passes")
        #expect(alone.last == .some(nil))
        let verifier = try Minted.verifier { $0.effectiveDate = date }
        let order = (0..<600).map { $0 % 5 < 3 ? $0 % 3 : $0 % tokens.count }
        let verdicts = BatchVerifier(verifier).verify(order.map { tokens[$0] })
        for (index, verdict) in zip(order, verdicts) {
            #expect(verdict.error?.message == alone[index])
            #expect(
                Result { () throws(PayloadError) in try verifier.verify(tokens[index]) }.error?.message
                    == alone[index])
        }
    }

    @Test func `a fixed date is held against the certificates in place of the payload's own`() throws {
        let payload = #"{"signedDate":1760000000000}"#
        let early = try Minted.verify(payload) { $0.effectiveDate = Date(timeIntervalSince1970: 0) }
        #expect(early.error?.code == .invalidCertificateChain)
        #expect(early.error?.certificate != nil)
        let expired = #"{"signedDate":0}"#
        #expect(
            try Minted.verify(expired) { $0.effectiveDate = Date(timeIntervalSince1970: 1_760_000_000) }.error
                == nil)
    }

    @Test(
        "an invalid fixed date is refused",
        arguments: [Double.infinity, -.infinity, .nan, 1e300, 253_402_300_800])
    func refusesFixedDates(seconds: Double) throws {
        let verdict = try Minted.verify("{}") { $0.effectiveDate = Date(timeIntervalSince1970: seconds) }
        #expect(verdict.error?.cause == .fixedDateOutOfRange)
    }
}
