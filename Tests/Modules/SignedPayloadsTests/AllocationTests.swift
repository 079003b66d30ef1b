import CAllocationCounter
import Essentials
import Minting
import SignedPayloads
import TestMinting
import Testing
import WireFormats

/// The batch's allocations.
@Suite(.enabled(if: allocation_count_of_thread() >= 0, "allocations cannot be counted here"))
struct AllocationTests {
    private static let engines = [BatchVerifier.Engine.portable, .vector]
    private static let nonce = "0b8e4c2d-7a61-4f3b-95d8-c1e2f3a4b5c6"
    private static let device = "6f1c2b7e-0d3a-4e58-9b64-8a2f5c7d1e90"

    @Test("verifying plain payloads of a busy signer allocates nothing", arguments: engines)
    func nothing(engine: BatchVerifier.Engine) throws {
        let minter = try TestPKI.p256().minter()
        let lines = try (0..<3_000).map { number in
            try minter.token(payload: #"{"transactionId":"\#(number)","signedDate":1760000000000}"#)
        }
        try expectNone(lines, engine)
    }

    @Test("nor do payloads of a hundred busy signers, each with a table", arguments: engines)
    func manySigners(engine: BatchVerifier.Engine) throws {
        let pki = try TestPKI.p256()
        let lines = try (0..<100).flatMap { signer in
            let minter = try pki.minter(ofLeaf: signer)
            return try (0..<20).map { number in
                try minter.token(payload: #"{"transactionId":"\#(number)","signedDate":1760000000000}"#)
            }
        }
        try expectNone(lines, engine)
    }

    @Test("nor do payloads with members that are nested, null or written with escapes", arguments: engines)
    func unusualMembers(engine: BatchVerifier.Engine) throws {
        let minter = try TestPKI.p256().minter()
        let others = [
            #""advancedCommerceInfo":{"items":[{"SKU":"a","signedDate":1,"note":"\"\\"}],"taxCode":null}"#,
            #""offerDiscountType":null"#, #""name":"\u00e9\ud83d\ude00\n""#, #""storefront":"né😀""#,
            #""sign\u0065d":1"#, #""environm\u0065nt":"S\u0061ndbox""#, #""list":[[],{},[1.5e3,true,false]]"#,
        ]
        let lines = try (0..<1_000).map { number in
            let members = others.shuffled().prefix(number % 7 + 1).joined(separator: " , ")
            return try minter.token(
                payload: #"{ "transactionId":"\#(number)",\#(members),"signedDate":1760000000000 }"#)
        }
        try expectNone(lines, engine)
    }

    @Test("nor do lines that are objects around tokens", arguments: engines)
    func wrappedLines(engine: BatchVerifier.Engine) throws {
        let minter = try TestPKI.p256().minter()
        let forms = [
            #"{"signedPayload":"@"}"#,
            #"{"at":"2025","n":[1,{"signedPayload":"x"}],"signedTransactionInfo" : "@" } "#,
            #"{"signedPayload":null,"signed\u0054ransactionInfo":"@","é":"\n"}"#,
        ]
        let lines = try (0..<1_000).map { number in
            let token = try minter.token(
                payload: #"{"transactionId":"\#(number)","signedDate":1760000000000}"#)
            return forms[number % 3].replacing("@", with: token)
        }
        try expectNone(lines, engine)
    }

    @Test(
        "nor do notifications with two payloads inside, bare or wrapped, or other notifications",
        arguments: engines)
    func notifications(engine: BatchVerifier.Engine) throws {
        let minter = try TestPKI.p256().minter()
        let transaction = try minter.token(
            payload: #"{"transactionId":"1","bundleId":"com.example.garden","signedDate":1760000000000}"#)
        let renewal = try minter.token(
            payload: #"{"autoRenewStatus":1,"offer":null,"signedDate":1760000000000}"#)
        let around = try minter.token(
            payload: Self.notification(#""signedTransactionInfo":"\#(transaction)","signedRenewalInfo":null"#)
        )
        let lines = try (0..<700).map { number in
            let inside = [
                #""signedTransactionInfo":"\#(transaction)","signedRenewalInfo":"\#(renewal)""#,
                #""signedTransactionInfo":"\#(around)","n":\#(number)"#, #""n":\#(number)"#,
                #""signedTransactionInfo":"\#(transaction)","signedRenewalInfo":null,"n":\#(number)"#,
            ]
            let token = try minter.token(payload: Self.notification(inside[number % 4]))
            return number % 8 < 4 ? token : #"{"signedPayload":"\#(token)"}"#
        }
        try expectNone(lines, engine)
    }

    @Test("nor does any option of the policy but revocation, for any kind of payload", arguments: engines)
    func policies(engine: BatchVerifier.Engine) throws {
        let minter = try TestPKI.p256().minter()
        let hash = try DeviceHash.value(nonce: Self.nonce, deviceIdentifier: Self.device)
        let common = #"""
            "bundleId":"com.example.garden","appAppleId":1234567890,"deviceVerification":"\#(hash)",\#
            "deviceVerificationNonce":"\#(Self.nonce)","signedDate":1760000000000
            """#
        let kinds = [
            #""transactionId":"1","environment":"Sandbox""#, #""autoRenewStatus":1,"environment":"Sandbox""#,
            #""receiptType":"Sandbox","receiptCreationDate":1760000000000"#,
            #""other":1,"environment":"Production""#,
            #""requestIdentifier":"1","environment":"Sandbox""#,
        ]
        let lines = try (0..<1_000).map { number in
            try minter.token(payload: "{\(kinds[number % kinds.count]),\(common)}")
        }
        var policy = VerificationPolicy()
        policy.environments = [.sandbox, .production]
        policy.bundleIdentifiers = ["com.example.garden", "com.example.other"]
        policy.appAppleIdentifier = 1_234_567_890
        policy.deviceIdentifier = UUID(uuidString: Self.device)
        policy.effectiveDate = Date(timeIntervalSince1970: 1_760_000_000)
        policy.maximumTokenBytes = 100_000
        try expectNone(lines, engine, policy)
        // Each kind of option by itself, and the notifications that have no device.
        policy.deviceIdentifier = nil
        let inner = try minter.token(payload: "{\(kinds[0]),\(common)}")
        let notification = Self.notification(
            #""environment":"Sandbox","bundleId":"com.example.garden","appAppleId":1234567890,"#
                + #""signedTransactionInfo":"\#(inner)""#)
        let token = try minter.token(payload: notification)
        try expectNone([String](repeating: token, count: 500), engine, policy)
        policy.effectiveDate = nil
        try expectNone([String](repeating: token, count: 500), engine, policy)
    }

    @Test("nor do lines whose chain was refused before", arguments: engines)
    func refusedChains(engine: BatchVerifier.Engine) throws {
        let minter = try TestPKI.forged().minter()
        let lines = try (0..<500).map { number in
            try minter.token(payload: #"{"transactionId":"\#(number)","signedDate":1760000000000}"#)
        }
        let (verified, refused, allocations) = try counts(lines, engine, VerificationPolicy())
        #expect(verified == 0)
        #expect(refused == lines.count)
        #expect(allocations == 0)
    }

    // MARK: Counting

    private static func notification(_ members: String) -> String {
        #"{"notificationType":"DID_RENEW","data":{\#(members)},"signedDate":1760000000000}"#
    }

    private func expectNone(
        _ lines: [String], _ engine: BatchVerifier.Engine, _ policy: VerificationPolicy = VerificationPolicy()
    ) throws {
        let (verified, _, allocations) = try counts(lines, engine, policy)
        #expect(verified == lines.count)
        #expect(allocations == 0)
    }

    /// How many lines were verified and refused in the batch's memory, and the allocations that they took once the
    /// signer was known.
    private func counts(
        _ lines: [String], _ engine: BatchVerifier.Engine, _ policy: VerificationPolicy
    ) throws -> (verified: Int, refused: Int, allocations: Int64) {
        var (buffer, places): ([UInt8], [BatchLine]) = ([], [])
        for line in lines {
            let start = buffer.count
            buffer.append(contentsOf: line.utf8)
            places.append(.content(start..<buffer.count))
        }
        let verifier = try Minted.verifier { $0 = policy }
        var worker = BatchPipeline(BatchContext(verifier, receipts: nil, engine: engine))
        var (verified, refused) = (0, 0)
        func run() -> Int64 {
            let before = allocation_count_of_thread()
            var next = 0
            while next < places.count {
                next = worker.verify(places, from: next, to: places.count, of: buffer.span) { _, verdict, _ in
                    if case .batched = verdict { verified += 1 }
                    if case .refused = verdict { refused += 1 }
                }
            }
            return allocation_count_of_thread() - before
        }
        // The first run judges the signer and reserves memory. Its key may earn a wider table with every doubling.
        #expect(run() > 0, "the counter counts")
        for _ in 0..<(5_000 / lines.count + 2) { _ = run() }
        (verified, refused) = (0, 0)
        let allocations = run()
        return (verified, refused, allocations)
    }
}
