import Foundation
import RepositoryFiles
import SignedPayloads
import Testing
import WireFormats

/// The batch gives the verdicts of single verification on whatever comes, under every kind of policy, with every
/// engine and on one core or more.
@Suite struct BatchEquivalenceTests {
    private static let mixedLines = TestScale.size(small: 4_000, usual: 5_000, large: 200_000)
    private static let chunk = 1_000

    /// A policy with one verifier for single lines and one batch for each engine and number of cores.
    private struct Subject {
        let name: String
        let alone: SignedPayloadVerifier
        let batches: [(engine: BatchVerifier.Engine, jobs: Int, verifier: BatchVerifier)]

        init(_ name: String, anchors: [TrustAnchor], _ configure: (inout VerificationPolicy) -> Void) throws {
            var policy = VerificationPolicy()
            configure(&policy)
            self.name = name
            alone = try SignedPayloadVerifier(anchors: anchors, policy: policy)
            var batches: [(engine: BatchVerifier.Engine, jobs: Int, verifier: BatchVerifier)] = []
            for engine in BatchVerifier.Engine.allCases {
                for jobs in 1...3 {
                    // Their caches are their own.
                    let verifier = try SignedPayloadVerifier(anchors: anchors, policy: policy)
                    batches.append((engine, jobs, BatchVerifier(verifier, engine: engine, jobs: jobs)))
                }
            }
            self.batches = batches
        }

        /// The verdicts on lines, each by itself.
        func verdicts(on lines: [[UInt8]]) -> [VerdictComparison.Verdict] {
            lines.map { line in
                Result { () throws(PayloadError) in try alone.verify(line: line.span) }
            }
        }

        /// The first difference from the expected verdicts, in a batch that is given the lines this many times.
        func difference(
            on lines: [[UInt8]], expected: [VerdictComparison.Verdict], batch number: Int, rounds: Int
        ) -> String? {
            var (buffer, places): ([UInt8], [BatchLine]) = ([], [])
            for line in lines {
                places.append(.content(buffer.count..<buffer.count + line.count))
                buffer += line
            }
            let batch = batches[number % batches.count]
            for round in 0..<rounds {
                let found = batch.verifier.verify(places, of: buffer)
                guard found.count == lines.count else { return "\(found.count) verdicts" }
                for index in lines.indices where !VerdictComparison.areSame(expected[index], found[index]) {
                    return """
                        \(name), \(batch.engine), \(batch.jobs) jobs, round \(round), line \(index): \
                        \(VerdictComparison.summary(found[index])) instead of \
                        \(VerdictComparison.summary(expected[index]))
                        \(String(decoding: lines[index], as: UTF8.self))
                        """
                }
            }
            return nil
        }
    }

    private static func subjects() throws -> [Subject] {
        let anchors = try MixedLines.anchors()
        return [
            try Subject("no policy", anchors: anchors) { _ in },
            try Subject("environments", anchors: anchors) { $0.environments = [.sandbox, .xcode] },
            try Subject("bundle identifiers", anchors: anchors) {
                $0.bundleIdentifiers = ["com.example.garden", "x"]
            },
            try Subject("app", anchors: anchors) { $0.appAppleIdentifier = 1_234_567_890 },
            try Subject("device", anchors: anchors) {
                $0.deviceIdentifier = UUID(uuidString: MixedLines.device)
            },
            try Subject("fixed date", anchors: anchors) {
                $0.effectiveDate = Date(timeIntervalSince1970: 1_700_000_000)
            },
            try Subject("everything", anchors: anchors) {
                $0.environments = [.sandbox, .production]
                $0.bundleIdentifiers = ["com.example.garden"]
                $0.appAppleIdentifier = 1_234_567_890
                $0.deviceIdentifier = UUID(uuidString: MixedLines.device)
                $0.effectiveDate = Date(timeIntervalSince1970: 1_760_000_000)
                $0.maximumTokenBytes = 9_000
            },
            try Subject("another root", anchors: [.appleRootCA]) { _ in },
        ]
    }

    /// The lines of the test vectors and of the genuine payloads.
    private static func knownLines() throws -> [[UInt8]] {
        var lines = try Manifest.load().filter { !$0.holdsReceipts }.flatMap { try $0.contents() }
        for folder in ["jws", "xcode"] {
            lines += try PrivateTestData.genuine.files(in: folder, extension: "jws").map {
                Array(try genuineText(of: $0).utf8)
            }
        }
        return lines.filter { $0.count < 100_000 }
    }

    @Test("vectors and genuine payloads, bare and wrapped, under every policy", arguments: 0..<8)
    func agreesOnKnownLines(place: Int) throws {
        let known = try Self.knownLines()
        #expect(known.count > 300)
        let lines = known.enumerated().flatMap { number, line -> [[UInt8]] in
            guard !line.isEmpty, line.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c })
            else {
                return [line]
            }
            let text = String(decoding: line, as: UTF8.self)
            let escaped = text.replacing(".", with: #"\u002e"#)
            let forms = [text, #"{"signedPayload":"\#(text)"}"#, #"{"signedPayload":"\#(escaped)"}"#]
            // One form of each, another one under another policy; all of them at a large `TestScale`.
            return (TestScale.isLarge ? forms : [forms[(number + place) % 3]]).map { Array($0.utf8) }
        }
        let subject = try Self.subjects()[place]
        let expected = subject.verdicts(on: lines)
        // Each engine once, on one to three cores in turn.
        for engine in BatchVerifier.Engine.allCases.indices {
            let number = engine * 3 + (place + engine) % 3
            let found = subject.difference(on: lines, expected: expected, batch: number, rounds: 2)
            #expect(found == nil)
        }
    }

    @Test("lines of every form, right and wrong, under every policy", arguments: 0..<2)
    func agreesOnMixedLines(half: Int) throws {
        let subjects = try Self.subjects()
        var source = try MixedLines(seed: UInt64(half), known: try Self.knownLines())
        var passed = [Int](repeating: 0, count: subjects.count)
        let chunks = max(1, Self.mixedLines / Self.chunk / 2)
        for chunk in 0..<chunks {
            var lines: [[UInt8]] = []
            for _ in 0..<Self.chunk { lines.append(try source.next()) }
            let place = chunk % subjects.count
            let expected = subjects[place].verdicts(on: lines)
            passed[place] += expected.count { (try? $0.get()) != nil }
            // Another engine or number of cores each time that it is a subject's turn.
            let number = chunk / subjects.count + half * 6
            let found = subjects[place].difference(on: lines, expected: expected, batch: number, rounds: 1)
            #expect(found == nil)
        }
        #expect(passed[0] > Self.chunk / 8, "\(passed)")
        guard chunks >= 2 * subjects.count else { return }
        // The last one has another root.
        #expect(passed.dropLast().allSatisfy { $0 > 0 }, "\(passed)")
    }
}
