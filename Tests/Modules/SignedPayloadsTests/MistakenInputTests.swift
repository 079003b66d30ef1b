import Minting
import SignedPayloads
import TestMinting
import Testing

/// Input that people send in the place of a token or a receipt.
@Suite struct MistakenInputTests {
    private static let version1 =
        #"{"notification_type":"DID_RENEW","unified_receipt":{"latest_receipt":"MIIUVQ","status":0}}"#
    private static let jwt =
        ["{\"alg\":\"ES256\",\"kid\":\"A\"}", "{\"iss\":\"i\",\"aud\":\"appstoreconnect-v1\"}"]
        .map { Base64.urlEncoded(Array($0.utf8)) }.joined(separator: ".")
        + "." + String(repeating: "A", count: 86)

    /// Inputs with a finer code for a token's door and for a receipt's.
    private static let mistakes: [(input: String, token: String, receipt: String)] = [
        (version1, "notificationV1", "notificationV1"),
        (#"{"signedTransactions":["eyJ.a.b"],"hasMore":false}"#, "serverAPIAnswer", "serverAPIAnswer"),
        (#"{"notificationHistory":[{"signedPayload":"eyJ.a.b"}]}"#, "serverAPIAnswer", "serverAPIAnswer"),
        (#"{"bundleId":"b","data":[{"lastTransactions":[]}]}"#, "serverAPIAnswer", "serverAPIAnswer"),
        (#"{"errorCode":4040010,"errorMessage":"not found"}"#, "serverAPIError", "serverAPIError"),
        (#"{"status":0,"receipt":{"in_app":[]}}"#, "verifyReceiptAnswer", "verifyReceiptAnswer"),
        (#"{"receipt-data":"MII","password":"x"}"#, "envelope", "receiptInJSON"),
        (#"{"status":0,"latest_receipt":"MII","latest_receipt_info":[]}"#, "envelope", "receiptInJSON"),
        (#"{"packageName":"p","purchaseToken":"t"}"#, "googlePlay", "googlePlay"),
        (#"{"notificationUUID":"u","data":{}}"#, "decodedPayload", "decodedPayload"),
        (#"{"transactionId":"1","originalTransactionId":"1"}"#, "decodedPayload", "decodedPayload"),
        (#"{"signedPayload":"eyJ"}"#, "segmentCount", "compactJWS"),
        (jwt, "jwt", "compactJWS"),
        (Base64.encoded(Array(jwt.utf8)), "encodedCompactJWS", "encodedCompactJWS"),
        ("[\"eyJ.a.b\"]", "jsonArray", "jsonArray"),
        ("Bearer eyJ.a.b", "authorizationHeader", "authorizationHeader"),
        ("-----BEGIN PRIVATE KEY-----", "privateKey", "privateKey"),
        (Base64.encoded(Array("-----BEGIN PRIVATE KEY-----\nMIGT".utf8)), "privateKey", "privateKey"),
        ("-----BEGIN CERTIFICATE-----", "certificate", "certificate"),
        ("<!DOCTYPE html><title>502 Bad Gateway</title>", "markup", "markup"),
        ("<html><p>a.b.c</html>", "markup", "markup"), ("https://example.com/receipt", "url", "url"),
        ("file:///var/mobile/Containers/Data/Application/0/StoreKit/sandboxReceipt", "path", "path"),
        ("/private/var/mobile/Containers/Data/Application/0/StoreKit/receipt", "path", "path"),
        ("PAR1\u{15}", "parquet", "parquet"), ("BZh91AY", "bzip2", "bzip2"),
        ("H4sIAAAAAAAAA0vMTU0FAPQKw0cEAAAA", "gzip", "gzip"),
    ]

    @Test func `what is sent to the wrong place is named, in each form and at each door`() throws {
        let verifier = try Minted.verifier()
        let receipts = try ReceiptVerifier(anchors: [TrustAnchor(der: TestPKI.p256().root.der())])
        let batch = BatchVerifier(verifier, jobs: 1)
        for (input, token, receipt) in Self.mistakes {
            let bytes = Array(input.utf8)
            let error = Result { () throws(PayloadError) in try verifier.verify(line: bytes.span) }.error
            #expect(
                error?.detail == token && error?.code == .invalidEncoding,
                "\(input): \(String(describing: error))")
            #expect((error?.message.count ?? 0) > 30, "\(input)")
            #expect(batch.verify([input]).first?.error == error, "\(input)")
            #expect(verifier.inspect(line: bytes.span).verdict.error == error, "\(input)")
            let refused = Result { () throws(PayloadError) in try receipts.verify(file: bytes) }.error
            #expect(
                refused?.detail == receipt && refused?.code == .invalidEncoding,
                "\(input): \(String(describing: refused))")
        }
    }

    @Test func `packed lines have one verdict, which shows the pipe to use`() throws {
        let batch = BatchVerifier(try Minted.verifier(), jobs: 1)
        for (name, beginning) in [
            ("gzip", [0x1f, 0x8b, 0x08]), ("zstd", [0x28, 0xb5, 0x2f, 0xfd]), ("parquet", Array("PAR1".utf8)),
            ("xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]), ("bzip2", Array("BZh9".utf8)),
            ("zip", Array("PK\u{3}\u{4}".utf8)),
        ] as [(String, [UInt8])] {
            let verdicts = batch.verify(lines: beginning + Array("\n\r\nx\n\ny".utf8))
            #expect(verdicts.map(\.line) == [1], "\(name)")
            let error = verdicts.first?.verdict.error
            #expect(error?.detail == name && error?.message.contains("'FILE'") == true, "\(name)")
        }
        #expect(batch.verify(lines: Array("BZ\nPAR\nPK".utf8)).map(\.line) == [1, 2, 3])
    }

    @Test func `a notification of version 1 is told where to choose version 2`() throws {
        let verifier = try Minted.verifier()
        let error = Result { () throws(PayloadError) in try verifier.verify(line: Self.version1) }.error
        #expect(error?.message.contains("version 2 in App Store Connect") == true)
    }

    @Test func `other texts keep the reason why they are no token`() throws {
        let verifier = try Minted.verifier()
        for (input, detail) in [
            ("eyJ.a.b", "base64url"), ("hello", "segmentCount"), ("a.b", "segmentCount"), ("{}", "envelope"),
            (#"{"notification_type":null}"#, "envelope"), (#"{"data":{}}"#, "envelope"),
        ] {
            let error = Result { () throws(PayloadError) in try verifier.verify(line: input) }.error
            #expect(error?.detail == detail, "\(input)")
        }
    }
}
