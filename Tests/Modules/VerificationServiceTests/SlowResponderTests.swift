#if Service
    import Foundation
    import HTTPTypes
    import Minting
    import SignedPayloads
    import StoreKitFixtures
    import Synchronization
    import TestMinting
    import Testing
    import VerificationService
    import WireFormats

    /// An app whose OCSP responder does not answer.
    @Suite(.timeLimit(.minutes(10))) struct SlowResponderTests {
        /// A responder that answers when the test ends.
        private final class SilentResponder: OCSPTransport {
            private struct Ended: Error {}

            private let state = Mutex<(isEnded: Bool, waiting: [CheckedContinuation<Void, Never>])>(
                (false, []))

            var requests: Int { state.withLock(\.waiting.count) }

            func response(
                to request: [UInt8], from url: String, timeout: Duration, maximumBytes: Int
            ) async throws -> [UInt8] {
                await withCheckedContinuation { waiter in
                    let isEnded = state.withLock { state in
                        if !state.isEnded { state.waiting.append(waiter) }
                        return state.isEnded
                    }
                    if isEnded { waiter.resume() }
                }
                throw Ended()
            }

            func end() {
                let waiting = state.withLock { state in
                    defer { state = (true, []) }
                    return state.waiting
                }
                for waiter in waiting { waiter.resume() }
            }
        }

        private let pki: TestPKI
        private let responder = SilentResponder()

        init() throws {
            pki = try TestPKI.p256().naming(
                leafResponder: "http://leaf.example/", intermediateResponder: "http://intermediate.example/")
        }

        private func app() throws -> ServedApp {
            let checker = RevocationChecker(.hard, transport: responder, timeout: .seconds(60)) {
                Int64(Date().timeIntervalSince1970)
            }
            let anchors = [TrustAnchor(der: try pki.root.der())]
            return ServedApp(
                name: "slow", payloads: try SignedPayloadVerifier(anchors: anchors, revocation: checker),
                receipts: try ReceiptVerifier(anchors: anchors, revocation: checker))
        }

        @Test func `one app's slow responder delays no other app`() async throws {
            let service = TestedService([try app(), try Apps.garden()]) { $0.jobs = 1 }
            let waiting = try pki.minter().token(
                payload: #"{"transactionId":"1","environment":"Sandbox","signedDate":1760000000000}"#)
            let token = try Sent.subscription(1)
            try await service.asked { client in
                try await withThrowingTaskGroup(of: String.self) { group in
                    // Both wait for the responder: one holds the app's only thread, and one waits behind it.
                    for uri in ["/v1/verify?view=inspect", "/v1/verify/batch?answer=whole"] {
                        group.addTask { try await client.post("\(uri)&app=slow", waiting).text }
                    }
                    while responder.requests == 0 { try await Task.sleep(for: .milliseconds(1)) }
                    for uri in [
                        "/v1/verify?view=inspect", "/v1/verify/batch?answer=whole", "/v1/verify?view=typed",
                    ] {
                        let given = try await client.post("\(uri)&app=garden", token)
                        #expect(given.text.contains(#""verified":true"#), "\(given.text)")
                    }
                    responder.end()
                    for try await text in group { #expect(text.contains("revocationUnknown")) }
                }
            }
        }
    }
#endif
