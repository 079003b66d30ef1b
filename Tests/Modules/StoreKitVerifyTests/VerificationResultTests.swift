import Foundation
import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Checks `VerificationResult` against StoreKit's rules.
@Suite struct VerificationResultTests {
    private let payload = Signed.transactionPayload(id: 7)

    @Test func `a verified value, and the token that it came in`() throws {
        let token = try Signed.token(payload)
        let result = try Signed.verifier().transaction(token)
        guard case .verified(let transaction) = result else {
            Issue.record("not verified")
            return
        }
        #expect(try result.payloadValue == transaction && result.unsafePayloadValue == transaction)
        #expect(result.underlyingError == nil)
        let segments = token.split(separator: ".")
        #expect(result.jwsRepresentation == token)
        #expect(
            result.payloadData == Data(payload.utf8) && transaction.jsonRepresentation == Data(payload.utf8))
        #expect(String(decoding: result.headerData, as: UTF8.self).hasPrefix(#"{"alg":"ES256","x5c":["#))
        #expect(result.signedData == Data("\(segments[0]).\(segments[1])".utf8))
        #expect(result.signatureData.count == 64)
        let signature = result.signature
        #expect(signature.rawRepresentation == result.signatureData)
        #expect(signature.derRepresentation.first == 0x30)
        #expect(signature.derRepresentation.count == Int(signature.derRepresentation[1]) + 2)
        #expect(result.signedDate == transaction.signedDate)
        #expect(result.deviceVerification.isEmpty)
        #expect(result.deviceVerificationNonce.uuidString.allSatisfy { $0 == "0" || $0 == "-" })
        #expect(result.debugDescription == "verified: \(payload)")
    }

    @Test func `a DER signature has numbers that are neither negative nor padded`() throws {
        for (first, prefix) in [
            (UInt8(0x80), [UInt8(2), 33, 0, 0x80]), (0x7f, [2, 32, 0x7f]), (0, [2, 31, 1]),
        ] {
            var raw = [UInt8](repeating: 1, count: 64)
            raw[0] = first
            let signature = try #require(ECDSASignature(rawRepresentation: Data(raw)))
            #expect(Array(signature.derRepresentation.dropFirst(2).prefix(prefix.count)) == prefix)
        }
        #expect(ECDSASignature(rawRepresentation: Data(repeating: 1, count: 63)) == nil)
        let zeros = ECDSASignature(rawRepresentation: Data(repeating: 0, count: 64))
        #expect(zeros?.derRepresentation == Data([0x30, 6, 2, 1, 0, 2, 1, 0]))
    }

    @Test func `a value that fails one of StoreKit's checks is unverified, and underlyingError says more`()
        throws
    {
        let result = try Signed.verifier().transaction(Signed.tampered(payload))
        guard case .unverified(let transaction, let error) = result else {
            Issue.record("verified")
            return
        }
        #expect(error == .invalidSignature && transaction.id == 7)
        #expect(result.underlyingError?.code == .invalidSignature)
        #expect(result.underlyingError?.message.contains("does not match") ?? false)
        #expect(throws: VerificationResult<Transaction>.VerificationError.invalidSignature) {
            try result.payloadValue
        }
        #expect(result.debugDescription.hasPrefix("UNVERIFIED (invalidSignature): {"))
        #expect(error.errorDescription?.isEmpty == false)
    }

    @Test func `a failed check of StoreKit's gives StoreKit's case`() throws {
        typealias Failure = VerificationResult<Transaction>.VerificationError
        func failure(_ jws: String, _ verifier: StoreKitVerifier) throws -> Failure? {
            guard case .unverified(_, let error) = try verifier.transaction(jws) else { return nil }
            return error
        }
        let token = try Signed.token(payload)
        let apple = StoreKitVerifier(try SignedPayloadVerifier())
        #expect(try failure(token, apple) == .invalidCertificateChain)
        #expect(try failure(Signed.tampered(payload), Signed.verifier()) == .invalidSignature)
        let device = try Signed.verifier { $0.deviceIdentifier = UUID() }
        #expect(try failure(token, device) == .invalidDeviceVerification)
        let old = payload.replacing(/,"signedDate":\d+/, with: #","signedDate":"x""#)
        #expect(throws: PayloadError.self) {
            try Signed.verifier().transaction(Signed.token(old))
        }
        let small = try Signed.verifier { $0.maximumTokenBytes = 100 }
        let tooLarge = #expect(throws: PayloadError.self) { try small.transaction(token) }
        #expect(tooLarge?.code == .tooLarge && tooLarge?.storeKitCase == .invalidEncoding)
    }

    @Test func `failures without a StoreKit case, and unreadable tokens, are thrown`() throws {
        let other = try Signed.verifier { $0.bundleIdentifiers = ["com.example.other"] }
        let error = #expect(throws: PayloadError.self) {
            try other.transaction(Signed.token(payload))
        }
        #expect(error?.code == .wrongBundleIdentifier && error?.storeKitCase == nil)
        for token in ["", "x", "a.b.c", try Signed.token("[]"), try Signed.token("{}")] {
            #expect(throws: PayloadError.self) {
                try Signed.verifier().transaction(token)
            }
        }
        // Renewal information cannot be read as a transaction.
        #expect(throws: PayloadError.self) {
            try Signed.verifier().transaction(Signed.token(Signed.renewalPayload(original: 7, signed: 1)))
        }
    }

    @Test func `values are equal if their signed payloads are`() throws {
        let one = try Signed.transaction(payload).payloadValue
        let other = try Signed.transaction(payload).payloadValue
        let later = try Signed.transaction(Signed.transactionPayload(id: 7, signed: 3)).payloadValue
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one != later)
        #expect(Set([one, other, later]).count == 2)
    }

    @Test(
        "periods are read and written in the form of ISO 8601",
        arguments: [
            ("P3D", 3, Product.SubscriptionPeriod.Unit.day), ("P1W", 1, .week), ("P6M", 6, .month),
            ("P1Y", 1, .year),
        ])
    func periods(text: String, value: Int, unit: Product.SubscriptionPeriod.Unit) {
        #expect(
            Product.SubscriptionPeriod(iso8601: text) == Product.SubscriptionPeriod(value: value, unit: unit))
        #expect(Product.SubscriptionPeriod(value: value, unit: unit).iso8601 == text)
    }

    @Test(
        "other forms of a period are refused",
        arguments: ["", "P", "P1", "1M", "PM", "P-1M", "P1.5M", "PT1M", "P1Y6M", "P１M"])
    func noPeriods(text: String) { #expect(Product.SubscriptionPeriod(iso8601: text) == nil) }
}
