import Minting
import SeededRandom
import SignedPayloads
import Testing

/// The batch in concurrent tasks: requests at the same time, and asynchronous sequences.
@Suite struct BatchConcurrencyTests {
    private typealias Verdict = Result<[UInt8], PayloadError>

    private let tokens: [String]
    private let expected: [Verdict]

    init() throws {
        tokens = try BatchVerifierTests.corpus()
        let alone = try Minted.verifier()
        expected = tokens.map { token in
            Result { () throws(PayloadError) in try alone.verify(line: token).json }
        }
    }

    @Test(arguments: [1, 2])
    func `requests at the same time get the verdicts of one payload alone`(jobs: Int) async throws {
        let verifier = BatchVerifier(try Minted.verifier(), jobs: jobs)
        let mismatches = await withTaskGroup(of: Int.self) { group in
            for client in 0..<50 {
                group.addTask {
                    var random = SplitMix64(seed: UInt64(client))
                    var mismatches = 0
                    for _ in 0..<200 {
                        let place = Int.random(in: tokens.indices, using: &random)
                        let found: Verdict
                        do throws(PayloadError) {
                            found = .success(try await verifier.verify(tokens[place]).json)
                        } catch {
                            found = .failure(error)
                        }
                        if found != expected[place] { mismatches += 1 }
                    }
                    return mismatches
                }
            }
            return await group.reduce(0, +)
        }
        #expect(mismatches == 0)
    }

    @Test func `a verifier of single payloads verifies concurrent ones together, with the same verdicts`()
        async throws
    {
        let verifier = try Minted.verifier()
        let tokens = tokens + [#"{"signedPayload":"\#(tokens[0])"}"#, ""]
        await withTaskGroup(of: Void.self) { group in
            for token in tokens {
                group.addTask {
                    let together: Verdict
                    do throws(PayloadError) {
                        together = .success(try await verifier.verifyTogether(token).json)
                    } catch {
                        together = .failure(error)
                    }
                    let alone: Verdict = Result { () throws(PayloadError) in try verifier.verify(token).json }
                    #expect(together == alone)
                }
            }
        }
    }

    @Test func `a request while others' chains are judged is answered before all of them are`() async throws {
        let verifier = BatchVerifier(try Minted.verifier(), jobs: 1)
        let good = tokens[0]
        _ = try await verifier.verify(good)
        // Chains under forged keys are never cached, so each is judged again.
        let forged = try TestPKI.forged().minter().token(payload: "{}")
        let answered = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask {
                    (try? await verifier.verify(number == 1 ? good : forged)) != nil
                }
            }
            var before = 0
            for await isGood in group {
                if isGood { break }
                before += 1
            }
            return before
        }
        #expect(answered < 399)
    }

    @Test func `a sequence's verdicts come in order, as many as there are payloads`() async throws {
        let verifier = BatchVerifier(try Minted.verifier())
        let places = (0..<20_000).map { ($0 &* 7919) % tokens.count }
        let stream = AsyncStream<String> { continuation in
            for place in places { continuation.yield(tokens[place]) }
            continuation.finish()
        }
        var count = 0
        for await verdict in verifier.verdicts(on: stream) {
            let found = verdict.map(\.json)
            #expect(found == expected[places[count]])
            count += 1
        }
        #expect(count == places.count)
    }

    @Test func `a payload's verdict does not wait for the next payload`() async throws {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        var verdicts = BatchVerifier(try Minted.verifier()).verdicts(on: stream).makeAsyncIterator()
        for place in [0, 1, tokens.count - 1] {
            continuation.yield(tokens[place])
            let verdict = await verdicts.next(isolation: nil)
            #expect(verdict?.map(\.json) == expected[place])
        }
        continuation.finish()
        #expect(await verdicts.next(isolation: nil) == nil)
        #expect(await verdicts.next(isolation: nil) == nil)
    }

    @Test func `a sequence's error comes after the verdicts before it`() async throws {
        struct Disconnected: Error {}
        let token = tokens[0]
        let stream = AsyncThrowingStream<String, any Error> { continuation in
            for _ in 0..<3 { continuation.yield(token) }
            continuation.finish(throwing: Disconnected())
        }
        var count = 0
        await #expect(throws: Disconnected.self) {
            for try await verdict in BatchVerifier(try Minted.verifier()).verdicts(on: stream) {
                #expect((try? verdict.get()) != nil)
                count += 1
            }
        }
        #expect(count == 3)
    }

    @Test func `a consumer that stops asking stops the reading`() async throws {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let endless = Endless(token: tokens[0], probe: Probe { end.finish() })
        for await _ in BatchVerifier(try Minted.verifier(), jobs: 1).verdicts(on: consume endless) { break }
        // The sequence ends only after the task that read it has released it.
        for await _ in ended {}
    }

    @Test func `cancelling the task ends a sequence that never would`() async throws {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        continuation.yield(tokens[0])
        let verifier = BatchVerifier(try Minted.verifier())
        let (first, gotFirst) = AsyncStream<Void>.makeStream()
        let task = Task {
            var count = 0
            for await _ in verifier.verdicts(on: stream) {
                count += 1
                gotFirst.yield()
            }
            return count
        }
        for await _ in first { break }
        task.cancel()
        #expect(await task.value == 1)
        continuation.finish()
    }
}

/// A sequence that never ends, even if its task is cancelled.
private struct Endless: AsyncSequence, Sendable {
    let token: String
    let probe: Probe

    func makeAsyncIterator() -> Iterator { Iterator(token: token, probe: probe) }

    struct Iterator: AsyncIteratorProtocol {
        let token: String
        let probe: Probe

        func next(isolation actor: isolated (any Actor)?) async -> String? { token }
    }
}

/// Reports when it is released.
private final class Probe: Sendable {
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

    deinit { tell() }
}
