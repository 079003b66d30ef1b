/// The verdicts on an asynchronous sequence of payloads, in their order; see `BatchVerifier.verdicts(on:)`.
public struct VerdictSequence<Tokens: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Tokens.Element == String {
    /// The verdict on a payload.
    public typealias Element = Result<VerifiedPayload, PayloadError>
    /// The error of the sequence of payloads.
    public typealias Failure = Tokens.Failure

    /// The maximum number of waiting payloads for each job: as many as are verified together. With tokens of
    /// 5.4 KB, that is 2.8 MB.
    private static var waitingPerJob: Int { BatchPipeline.maximumLines }

    private let tokens: Tokens
    private let verifier: BatchVerifier

    init(_ tokens: Tokens, _ verifier: BatchVerifier) {
        self.tokens = tokens
        self.verifier = verifier
    }

    /// Starts to read the payloads.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            Reader(tokens, capacity: Self.waitingPerJob * verifier.jobs), verifier)
    }

    /// Reads payloads ahead, until the consumer stops.
    fileprivate final class Reader: Sendable {
        let buffer: TokenBuffer<String, Failure>
        let task: Task<Void, Never>

        init(_ tokens: Tokens, capacity: Int) {
            let buffer = TokenBuffer<String, Failure>(capacity: capacity)
            self.buffer = buffer
            task = Task {
                do throws(Failure) {
                    var iterator = tokens.makeAsyncIterator()
                    while !Task.isCancelled, let token = try await iterator.next(isolation: nil) {
                        await buffer.add(token)
                    }
                    buffer.finish(.success(()))
                } catch {
                    buffer.finish(.failure(error))
                }
            }
        }

        deinit {
            task.cancel()
            buffer.close()
        }

        /// Waits for payloads; the result is empty at the sequence's end.
        func take() async -> Result<[String], Failure> {
            do throws(Failure) {
                return .success(try await buffer.take())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Gives the verdicts one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let reader: Reader
        private let verifier: BatchVerifier
        private var verdicts: [Element] = []
        private var next = 0

        fileprivate init(_ reader: Reader, _ verifier: BatchVerifier) {
            self.reader = reader
            self.verifier = verifier
        }

        /// The verdict on the next payload; `nil` at the end of the sequence of payloads, or if the task is
        /// cancelled.
        ///
        /// - Throws: the error of the sequence of payloads, after the verdicts on the payloads before it.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            if next == verdicts.count {
                let reader = reader
                let taken = await withTaskCancellationHandler {
                    await reader.take()
                } onCancel: {
                    reader.task.cancel()
                }
                let tokens = try taken.get()
                guard !tokens.isEmpty else { return nil }
                verdicts = await verifier.verdicts(on: tokens)
                next = 0
            }
            defer { next += 1 }
            return verdicts[next]
        }
    }
}
