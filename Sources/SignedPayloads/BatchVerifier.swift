internal import CompactJWS
internal import Synchronization

#if canImport(Dispatch)
    internal import Dispatch
#endif

/// Verifies many payloads at a time, on all cores: the same verdicts as `SignedPayloadVerifier`, to the byte
/// of their messages, at a multiple of the speed.
///
/// The App Store signs with a handful of keys. From a key's 48th payload on, its signatures are verified
/// from tables of its multiples, many together; see `P256Verifier`. What is rare goes through libcrypto, one by
/// one. Memory is bounded: 24 MiB of tables, and what a batch of lines takes for each core.
public struct BatchVerifier: Sendable {
    /// The code that verifies the signatures of busy keys. All verdicts are the same.
    public enum Engine: String, Sendable, CaseIterable {
        /// The fastest of those that the machine can run.
        case auto
        /// Tables, in plain Swift.
        case portable
        /// Tables, with AVX-512 IFMA; in plain Swift where the processor has none.
        case vector
        /// libcrypto, one by one.
        case libcrypto
    }

    /// The verifier that decides what is out of the ordinary.
    public let verifier: SignedPayloadVerifier
    private let context: BatchContext
    private let jobs: Int

    /// Makes a batch verifier with the anchors and the policy of another verifier.
    ///
    /// - Parameters:
    ///   - verifier: the verifier; the signers that it met are shared.
    ///   - engine: what verifies the signatures of busy keys.
    ///   - jobs: how many cores to use at most; at least 1.
    public init(_ verifier: SignedPayloadVerifier, engine: Engine = .auto, jobs: Int = .max) {
        self.verifier = verifier
        self.jobs = max(1, jobs)
        context = BatchContext(verifier, engine: engine)
    }

    /// The memory of the tables that keys have earned, in bytes.
    package var tableBytes: Int { context.budget.usedBytes }

    /// Verifies compact JWS (RFC 7515, section 7.1), or JSON objects around them as `verify(line:)` takes them.
    ///
    /// - Parameter tokens: any number.
    /// - Returns: a verdict for each, in their order.
    public func verify(_ tokens: [String]) -> [Result<VerifiedPayload, VerificationError>] {
        var buffer: [UInt8] = []
        var lines: [BatchLine] = []
        buffer.reserveCapacity(tokens.reduce(0) { $0 + $1.utf8.count })
        for token in tokens {
            let start = buffer.count
            buffer.append(contentsOf: token.utf8)
            lines.append(.content(start..<buffer.count))
        }
        return verify(lines, of: buffer)
    }

    /// Verifies a buffer of lines, each a token or a JSON object around one, that end in LF or CRLF.
    ///
    /// - Parameter text: the lines; the last one with or without an end. Empty ones are skipped.
    /// - Returns: the number of each line that is not empty, from 1, and the verdict on it, in their order.
    public func verify(
        lines text: [UInt8]
    ) -> [(line: Int, verdict: Result<VerifiedPayload, VerificationError>)] {
        var (lines, numbers): ([BatchLine], [Int]) = ([], [])
        var (start, number) = (0, 0)
        while start < text.count {
            let end =
                ByteScanning.firstIndex(of: UInt8(ascii: "\n"), in: text.span, from: start) ?? text.count
            number += 1
            let endsInReturn = end > start && text[end - 1] == UInt8(ascii: "\r")
            let content = start..<(endsInReturn ? end - 1 : end)
            if !content.isEmpty {
                lines.append(.content(content))
                numbers.append(number)
            }
            start = end + 1
        }
        return zip(numbers, verify(lines, of: text)).map { ($0, $1) }
    }

    private func verify(
        _ lines: [BatchLine], of buffer: [UInt8]
    ) -> [Result<VerifiedPayload, VerificationError>] {
        let count = min(jobs, (lines.count + 31) / 32)
        guard count > 1 else { return Self.verdicts(on: lines, lines.indices, of: buffer, context) }
        let share = (lines.count + count - 1) / count
        let shares = Mutex([[Result<VerifiedPayload, VerificationError>]](repeating: [], count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let start = min(index * share, lines.count)
            let range = start..<min(start + share, lines.count)
            let verdicts = Self.verdicts(on: lines, range, of: buffer, context)
            shares.withLock { $0[index] = verdicts }
        }
        return shares.withLock { $0.flatMap(\.self) }
    }

    private static func verdicts(
        on lines: [BatchLine], _ range: Range<Int>, of buffer: [UInt8], _ context: BatchContext
    ) -> [Result<VerifiedPayload, VerificationError>] {
        var worker = BatchWorker(context)
        var verdicts: [Result<VerifiedPayload, VerificationError>] = []
        verdicts.reserveCapacity(range.count)
        var next = range.lowerBound
        while next < range.upperBound {
            next = worker.verify(lines, from: next, to: range.upperBound, of: buffer.span) {
                index, verdict, json in
                switch verdict {
                case .plain(let plain):
                    verdicts.append(
                        plain.verifiedPayload(json).map { .success($0) }
                            ?? alone(lines[index], of: buffer, context))
                case .verified(let payload): verdicts.append(.success(payload))
                case .failed(let error): verdicts.append(.failure(error))
                }
            }
        }
        return verdicts
    }

    /// The verdict on a line by itself.
    private static func alone(
        _ line: BatchLine, of buffer: [UInt8], _ context: BatchContext
    ) -> Result<VerifiedPayload, VerificationError> {
        switch line {
        case .oversized(let bytes, let limit): return .failure(.tooLarge(bytes: bytes, limit: limit))
        case .content(let range):
            let span = buffer.span.extracting(range)
            do throws(VerificationError) {
                return .success(try context.verifier.verify(line: span))
            } catch {
                return .failure(error)
            }
        }
    }
}
