import SignedPayloads
import Testing

/// Errors: their stable names, and StoreKit's cases for them.
@Suite struct PayloadErrorTests {
    @Test func `the codes are those that the README promises`() {
        #expect(
            Set(PayloadError.Code.allCases.map(\.rawValue)) == [
                "tooLarge", "invalidEncoding", "invalidCertificateChain", "invalidSignature",
                "missingRequiredProperties", "wrongEnvironment", "wrongBundleIdentifier",
                "wrongAppAppleIdentifier", "invalidDeviceVerification", "revokedCertificate",
                "revocationUnknown",
            ])
    }

    @Test func `StoreKit's six cases are there, and ours map to them or to none`() throws {
        #expect(
            PayloadError.StoreKitCase.allCases.map(\.rawValue) == [
                "invalidCertificateChain", "invalidDeviceVerification", "invalidEncoding", "invalidSignature",
                "missingRequiredProperties", "revokedCertificate",
            ])
        #expect(PayloadError.tooLarge(bytes: 2, limit: 1).storeKitCase == .invalidEncoding)
        let wrong = try Minted.verify(#"{"transactionId":"1","signedDate":1760000000000}"#) {
            $0.environments = [.production]
        }
        #expect(try #require(wrong.error).storeKitCase == nil)
        #expect(try #require(Minted.verify("{}").error).storeKitCase == .missingRequiredProperties)
    }

    @Test func `the advice tells a person what to do, and is no reason`() {
        for (error, advice) in [
            (PayloadError.tooLarge(bytes: 2, limit: 1), "Give one payload by itself"),
            (PayloadError(.signatureLength(1)), "Ask for the original"),
            (PayloadError(.envelope(.noToken)), "begins with eyJ"),
            (PayloadError(.memberType("a", found: "b", expected: "c")), "Show it to the developers"),
            (PayloadError(.missingDate(member: "signedDate")), "Show it to the developers"),
            (PayloadError(.environment(found: "Sandbox", accepted: ["Production"])), "costs nothing"),
            (PayloadError(.bundleIdentifier(found: nil, accepted: ["a"])), "about another app"),
            (PayloadError(.deviceNonce("x")), "another device"),
            (
                PayloadError(.signatureLength(1), member: "data.signedTransactionInfo"),
                "A payload inside this one is not verified"
            ),
        ] {
            #expect(error.advice.contains(advice) && error.advice.hasSuffix("."), "\(error.advice)")
            #expect(!error.advice.contains(error.message) && !error.advice.contains(error.code.rawValue))
        }
    }

    @Test func `hostile text does not make a message long`() throws {
        let name = String(repeating: "n", count: 100_000)
        let error = try #require(
            try Minted.verify(#"{"transactionId":"1","bundleId":"\#(name)","signedDate":1760000000000}"#) {
                $0.bundleIdentifiers = ["a"]
            }.error)
        #expect(error.message.utf8.count < 400)
        let date = try #require(
            try Minted.verify(#"{"signedDate":1\#(String(repeating: "0", count: 100_000))}"#).error)
        #expect(date.message.utf8.count < 400)
    }
}
