#if PLANTED_FAULTS
    import CLibcrypto
    import Foundation
    import Minting
    import SignedPayloads
    import Synchronization
    import Testing
    import WireFormats

    /// Planted faults, each of which a sanitizer must find. They are compiled only if `PLANTED_FAULTS` is
    /// set.
    @Suite(.serialized) struct PlantedFaults {
        /// Unfinished JSON that ends exactly where its memory ends.
        private static func unfinishedJSON() -> UnsafeMutableBufferPointer<UInt8> {
            let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 24)
            unsafe text.initialize(repeating: UInt8(ascii: "["))
            return unsafe text
        }

        // MARK: Address

        @Test func readPastTheEnd() {
            let text = unsafe Self.unfinishedJSON()
            defer { unsafe text.deallocate() }
            // The reader relies on the given length, so that the bad read happens in the product's own code.
            guard let start = text.baseAddress else { return }
            let span = unsafe Span(_unsafeStart: start, count: text.count + 1)
            #expect(throws: JSONError.self) { try JSONObject(span, wanted: MemberNames([])) }
        }

        @Test func useAfterFree() {
            let text = unsafe Self.unfinishedJSON()
            guard let start = text.baseAddress else { return }
            let span = unsafe Span(_unsafeStart: start, count: text.count)
            unsafe text.deallocate()
            #expect(throws: JSONError.self) { try JSONObject(span, wanted: MemberNames([])) }
        }

        // MARK: Thread

        /// Runs the body on two threads, the second after the first.
        ///
        /// Only a relaxed atomic says when the first has ended. That orders nothing (C11, 7.17.3), so that the
        /// sanitizer sees a race each time. But the accesses never overlap: data torn by a real race may trap
        /// before the sanitizer has written its report.
        private static func onTwoThreads(_ body: @escaping @Sendable () -> Void) {
            let done = DispatchSemaphore(value: 0)
            let turn = Turn()
            for number in 0..<2 {
                Thread.detachNewThread {
                    while turn.number.load(ordering: .relaxed) != number {
                        Thread.sleep(forTimeInterval: 0.001)
                    }
                    body()
                    turn.number.store(number + 1, ordering: .relaxed)
                    done.signal()
                }
            }
            for _ in 0..<2 { done.wait() }
        }

        private final class Turn: Sendable {
            let number = Atomic(0)
        }

        /// A counter without a lock.
        private final class Counter: @unchecked Sendable {
            var count = 0
        }

        @Test func unguardedCounter() {
            let counter = Counter()
            Self.onTwoThreads { for _ in 0..<1_000 { counter.count += 1 } }
            #expect(counter.count > 0)
        }

        /// A worker of the batch, without the lock that gives it to one thread at a time.
        @safe private struct SharedWorker: @unchecked Sendable {
            let worker: UnsafeMutablePointer<BatchPipeline>

            init(_ context: BatchContext) {
                unsafe worker = UnsafeMutablePointer<BatchPipeline>.allocate(capacity: 1)
                unsafe worker.initialize(to: BatchPipeline(context))
            }
        }

        @Test func unguardedWorker() throws {
            let pki = try TestPKI.p256()
            let verifier = try SignedPayloadVerifier(anchors: [TrustAnchor(der: pki.root.der())])
            let token = Array(try pki.minter().token(payload: #"{"signedDate":1760000000000}"#).utf8)
            let shared = SharedWorker(BatchContext(verifier, receipts: nil, engine: .libcrypto))
            Self.onTwoThreads {
                for _ in 0..<200 {
                    _ = unsafe shared.worker.pointee.verify(
                        [.content(0..<token.count)], from: 0, to: 1, of: token.span
                    ) { _, _, _ in }
                }
            }
        }

        // MARK: Leaks

        @Test func leakedCertificate() throws {
            let der = try TestPKI.p256().root.der()
            let parsed = unsafe der.withUnsafeBufferPointer { buffer in
                var next = buffer.baseAddress
                return unsafe d2i_X509(nil, &next, buffer.count) != nil
            }
            #expect(parsed)
        }

        @Test func leakedKey() {
            #expect(unsafe EVP_PKEY_new() != nil)
        }
    }
#endif
