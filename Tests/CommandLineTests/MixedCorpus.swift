import Foundation
import SeededRandom

/// Lines of every kind in a random order, and what the command must write of them, to the byte.
struct MixedCorpus: Sendable {
    /// The input; the last line ends as the others do.
    private(set) var input: [UInt8] = []
    /// The verdicts, one a line.
    private(set) var expected: [UInt8] = []
    private(set) var lines = 0
    /// The numbers of the lines that get a verdict.
    private var numbers: [Int] = []

    /// The anchors of the vectors that need no option.
    static let roots = ["root.pem", "p256-root.pem", "receipt-root.pem"].flatMap {
        ["--root", CommandProcess.vectors.appending(path: "pki/\($0)").path]
    }

    /// Mixes the vectors: most lines good ones of busy signers, one in eight anything, one in sixteen empty.
    ///
    /// - Parameter longest: how long a verdict may be.
    init(lines: Int, seed: UInt64, longest: Int = .max) throws {
        let vectors = try Self.vectors.get().filter { $0.verdict.count <= longest }
        let good = vectors.filter(\.isGood)
        var random = SplitMix64(seed: seed)
        for _ in 0..<lines {
            if random.next() % 16 == 0 {
                appendLine([], verdict: nil)
            } else {
                let pool = random.next() % 8 == 0 ? vectors : good
                let vector = pool[Int(random.next() % UInt64(pool.count))]
                appendLine(vector.line, verdict: vector.verdict)
            }
        }
    }

    private mutating func appendLine(_ line: [UInt8], verdict: [UInt8]?) {
        lines += 1
        input += line
        input.append(UInt8(ascii: "\n"))
        guard let verdict else { return }
        numbers.append(lines)
        expected += "{\"line\":\(lines),".utf8
        expected += verdict
        expected.append(UInt8(ascii: "\n"))
    }

    /// How many verdicts there are on the first lines.
    func verdictCount(ofFirst count: Int) -> Int { numbers.count { $0 <= count } }

    private struct Vector: Sendable {
        let line: [UInt8]
        /// The verdict without its beginning, which has the line's number.
        let verdict: [UInt8]
        var isGood: Bool { verdict.starts(with: "\"verified\":true".utf8) }
    }

    /// An error cannot leave a static initializer, so the outcome is what is kept.
    private static let vectors = Result { try makeVectors() }

    /// The committed lines, each with the verdict that libcrypto comes to on it, one after the other on one core.
    private static func makeVectors() throws -> [Vector] {
        let newline = UInt8(ascii: "\n")
        var lines: [[UInt8]] = []
        for folder in ["valid", "invalid"] {
            let url = CommandProcess.vectors.appending(path: folder)
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() {
                let content = [UInt8](try Data(contentsOf: url.appending(path: name)))
                lines += content.split(separator: newline).map { Array($0) }.filter { $0.count < 16_384 }
            }
        }
        let run = try CommandProcess(
            roots + ["--jobs", "1", "--engine", "libcrypto"], input: Array(lines.joined(separator: [newline]))
        )
        let verdicts = run.output.split(separator: newline).map { verdict in
            // Past `{"line":N,`; only ends of lines may be empty here, and they have no verdict.
            Array(verdict.drop { $0 != UInt8(ascii: ",") }.dropFirst())
        }
        let numbered = lines.filter { $0 != [UInt8(ascii: "\r")] }
        guard verdicts.count == numbered.count else { throw VerdictsMissing() }
        return zip(numbered, verdicts).map { Vector(line: $0, verdict: $1) }
    }

    /// Not every line got a verdict.
    private struct VerdictsMissing: Error {}
}

extension [UInt8] {
    /// Whether these are whole lines, and the beginning of the others.
    func areWholeLines(of expected: [UInt8]) -> Bool {
        (isEmpty || last == UInt8(ascii: "\n")) && expected.starts(with: self)
    }
}
