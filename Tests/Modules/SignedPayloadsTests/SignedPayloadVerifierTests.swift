import Minting
import SignedPayloads
import TestMinting
import Testing

/// The whole path, from a token to a verdict.
@Suite struct SignedPayloadVerifierTests {
    @Test(
        "every kind is recognised by its members and verified",
        arguments: [
            (#"{"transactionId":"1","bundleId":"a","signedDate":1760000000000}"#, .transaction),
            (#"{"purchaseDate":1,"signedDate":1760000000000}"#, .transaction),
            (#"{"originalTransactionId":"1","autoRenewStatus":1,"signedDate":1760000000000}"#, .renewalInfo),
            (#"{"renewalDate":1,"signedDate":1760000000000}"#, .renewalInfo),
            (#"{"receiptType":"Production","receiptCreationDate":1760000000000}"#, .appTransaction),
            (#"{"notificationType":"TEST","signedDate":1760000000000,"data":{}}"#, .notification),
            (#"{"userLocale":"en-US","requestIdentifier":"x","signedDate":1760000000000}"#, .realtimeRequest),
            (#"{"signedDate":1760000000000}"#, .unknown),
        ] as [(String, SignedPayloadKind)])
    func recognisesKinds(payload: String, kind: SignedPayloadKind) throws {
        let verified = try Minted.verify(payload).get()
        #expect(verified.kind == kind)
        #expect(verified.json == Array(payload.utf8), "byte for byte")
        #expect(verified.effectiveDateMilliseconds == 1_760_000_000_000)
        #expect(verified.effectiveDateISO8601 == "2025-10-09T08:53:20.000Z")
        #expect(verified.certificates.count == 3)
    }

    @Test func `white space, unknown members and any numbers are handed on as they were signed`() throws {
        let payload =
            "{ \"signedDate\" :\r\n1.760000000000e12, \"big\": 1234567890123456789012345678901234567890.10e+5 }\n"
        #expect(try Minted.verify(payload).get().json == Array(payload.utf8))
    }

    @Test func `a token over the size limit is refused before anything is read, and one at it is not`() throws
    {
        let token = try Minted.token(#"{"signedDate":1760000000000}"#)
        let count = token.utf8.count
        #expect(throws: Never.self) { try Minted.verifier { $0.maximumTokenBytes = count }.verify(token) }
        let error = #expect(throws: PayloadError.self) {
            try Minted.verifier { $0.maximumTokenBytes = count - 1 }.verify(token)
        }
        #expect(error?.cause == .tooLarge(bytes: count, limit: count - 1))
        #expect(error?.code == .tooLarge)
        #expect(error?.check == .size)
    }

    @Test(
        "nothing may stand around a token",
        arguments: [" %", "% ", "%\n", "\u{feff}%", "%\r", "\"%\""])
    func refusesSurroundings(form: String) throws {
        let token = try Minted.token(#"{"signedDate":1760000000000}"#)
        let padded = form.split(separator: "%", omittingEmptySubsequences: false).joined(separator: token)
        let error = #expect(throws: PayloadError.self) { try Minted.verifier().verify(padded) }
        #expect(error?.code == .invalidEncoding)
    }

    @Test func `the default anchor is Apple's, so a minted payload is untrusted by default`() throws {
        let token = try Minted.token(#"{"signedDate":1760000000000}"#)
        let error = #expect(throws: PayloadError.self) { try SignedPayloadVerifier().verify(token) }
        #expect(error?.code == .invalidCertificateChain)
        #expect(error?.detail == "untrustedIssuer")
        #expect(error?.message.contains("Apple Root CA - G3") ?? false)
    }

    @Test func `nothing unsigned is believed: a bad signature is reported before a bad payload`() throws {
        var segments = try TestPKI.p256().minter().segments(payload: Array("null".utf8))
        let good = segments.compact
        segments.signature = try TestPKI.p256().minter().segments(payload: Array("{}".utf8)).signature
        let error = #expect(throws: PayloadError.self) { try Minted.verifier().verify(segments.compact) }
        #expect(error?.code == .invalidSignature)
        #expect(error?.detail == "signatureMismatch")
        let signed = #expect(throws: PayloadError.self) { try Minted.verifier().verify(good) }
        #expect(signed?.code == .invalidEncoding)
        #expect(signed?.check == .payload)
    }

    @Test(
        "a signature of another length than 64 bytes is a bad signature, not a bad encoding",
        arguments: [0, 1, 63, 65, 96, 128])
    func refusesSignatureLengths(length: Int) throws {
        var segments = try TestPKI.p256().minter().segments(
            payload: Array(#"{"signedDate":1760000000000}"#.utf8))
        segments.signature = Base64.urlEncoded([UInt8](repeating: 1, count: length))
        let error = #expect(throws: PayloadError.self) { try Minted.verifier().verify(segments.compact) }
        #expect(error?.cause == .signatureLength(length))
        #expect(error?.code == .invalidSignature)
    }

    @Test func `r and s outside 1…n−1 are refused by name`() throws {
        let order: [UInt8] = [
            0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6,
            0xfa,
            0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
        ]
        let one = [UInt8](repeating: 0, count: 31) + [1]
        let zero = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xff, count: 32)
        var segments = try TestPKI.p256().minter().segments(payload: Array("{}".utf8))
        for (r, s, name) in [
            (zero, one, "r"), (order, one, "r"), (ones, one, "r"), (one, zero, "s"), (one, order, "s"),
        ] {
            segments.signature = Base64.urlEncoded(r + s)
            let error = #expect(throws: PayloadError.self) {
                try Minted.verifier().verify(segments.compact)
            }
            #expect(error?.cause == .signatureNumber(name))
        }
    }

    @Test func `a high s is legal, and so is a low one`() throws {
        for form in [ECDSASignature.SForm.low, .high] {
            let token = try TestPKI.p256().minter().token(payload: #"{"signedDate":1760000000000}"#, form)
            #expect(throws: Never.self) { try Minted.verifier().verify(token) }
        }
    }

    @Test func `one judgement of a chain serves payloads of every date`() throws {
        let verifier = try Minted.verifier()
        let minter = try TestPKI.p256().minter(leaf: 1)
        let leaf = try TestPKI.p256().leaves[1].template
        let (first, last) = (leaf.notBefore.milliseconds, leaf.notAfter.milliseconds)
        for (date, isValid) in [
            (first, true), (last, true), (last + 999, true), (first - 1, false), (last + 1_000, false),
            (-1, false),
        ] {
            let token = try minter.token(payload: #"{"signedDate":\#(date)}"#)
            let verdict = Result { () throws(PayloadError) in try verifier.verify(token) }
            #expect((verdict.error == nil) == isValid, "\(date)")
            if !isValid { #expect(verdict.error?.code == .invalidCertificateChain) }
            if !isValid { #expect(verdict.error?.check == .validity) }
        }
    }

    @Test func `strings and bytes get the same verdict`() throws {
        let token = try Minted.token(#"{"signedDate":1760000000000}"#)
        let verifier = try Minted.verifier()
        let bytes = Array(token.utf8)
        #expect(try verifier.verify(token).json == verifier.verify(bytes.span).json)
    }

    @Test func `many tasks may share one verifier`() async throws {
        let verifier = try Minted.verifier()
        let tokens = try (0..<20).map {
            try Minted.token(#"{"transactionId":"\#($0)","signedDate":1760000000000}"#)
        }
        let verified = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { tokens.count { (try? verifier.verify($0)) != nil } }
            }
            return await group.reduce(0, +)
        }
        #expect(verified == 160)
    }
}
