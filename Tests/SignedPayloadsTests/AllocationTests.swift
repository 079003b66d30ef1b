import CAllocationCounter
import Minting
import SignedPayloads
import Testing

/// The batch's allocations.
@Suite struct AllocationTests {
    @Test(
        "verifying plain payloads of a busy signer allocates nothing",
        .enabled(if: allocation_count_of_thread() >= 0, "allocations cannot be counted here"),
        arguments: [BatchVerifier.Engine.portable, .vector])
    func nothing(engine: BatchVerifier.Engine) throws {
        let minter = try TestPKI.p256().minter()
        var (buffer, lines): ([UInt8], [BatchLine]) = ([], [])
        for number in 0..<3_000 {
            let token = try minter.token(
                payload: #"{"transactionId":"\#(number)","signedDate":1760000000000}"#)
            let start = buffer.count
            buffer.append(contentsOf: token.utf8)
            lines.append(.content(start..<buffer.count))
        }
        var worker = BatchPipeline(BatchContext(try Minted.verifier(), receipts: nil, engine: engine))
        var verified = 0
        func run() -> Int64 {
            let before = allocation_count_of_thread()
            var next = 0
            while next < lines.count {
                next = worker.verify(lines, from: next, to: lines.count, of: buffer.span) { _, verdict, _ in
                    if case .batched = verdict { verified += 1 }
                }
            }
            return allocation_count_of_thread() - before
        }
        // The first run judges the signer, makes its tables (the last one after 4,096 payloads) and reserves
        // memory.
        #expect(run() > 0, "the counter counts")
        for _ in 0..<3 { _ = run() }
        verified = 0
        let allocations = run()
        #expect(verified == lines.count)
        #expect(allocations == 0)
    }
}
