import CommandProcesses
import Foundation
import SeededRandom

/// Lines of every kind in a random order, and the command's exact output for them.
struct MixedCorpus: Sendable {
    /// The input. Its last line has a line break, as the others do.
    private(set) var input: [UInt8] = []
    /// The verdicts, one a line.
    private(set) var expected: [UInt8] = []
    private(set) var lines = 0
    /// The numbers of the lines that get a verdict.
    private var numbers: [Int] = []

    /// The anchors of the vectors that are verified without options.
    static let roots = ["root.pem", "p256-root.pem", "receipt-root.pem"].flatMap {
        ["--root", CommandProcess.vectors.appending(path: "pki/\($0)").path]
    }

    /// Mixes the vectors. Most lines are good ones of frequent signers, one in eight is of any kind, and one
    /// in sixteen is empty.
    ///
    /// - Parameter longest: the maximum length of a verdict.
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

    /// The number of verdicts on the first lines.
    func verdictCount(ofFirst count: Int) -> Int { numbers.count { $0 <= count } }

    private struct Vector: Sendable {
        let line: [UInt8]
        /// The verdict without its beginning, which holds the line's number.
        let verdict: [UInt8]
        var isGood: Bool { verdict.starts(with: "\"verified\":true".utf8) }
    }

    /// A static initializer cannot throw, so the outcome is kept as a result.
    private static let vectors = Result { try makeVectors() }

    /// The committed lines, each with libcrypto's verdict on it. They are judged one after another on one
    /// core.
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
            // Skips `{"line":N,`. Only empty lines have no verdict here.
            Array(verdict.drop { $0 != UInt8(ascii: ",") }.dropFirst())
        }
        let numbered = lines.filter { $0 != [UInt8(ascii: "\r")] }
        guard verdicts.count == numbered.count else { throw VerdictsMissing() }
        return zip(numbered, verdicts).map { Vector(line: $0, verdict: $1) }
    }

    /// A line got no verdict.
    private struct VerdictsMissing: Error {}
}

extension [UInt8] {
    /// Whether these are whole lines, and the beginning of the expected verdicts.
    func areWholeLines(of expected: [UInt8]) -> Bool {
        (isEmpty || last == UInt8(ascii: "\n")) && expected.starts(with: self)
    }
}
