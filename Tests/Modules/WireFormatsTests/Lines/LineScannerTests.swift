import SeededRandom
import Testing
import WireFormats

/// Lines that come in any parts are those of the whole text.
@Suite struct LineScannerTests {
    /// A line with its number: its bytes, or how many there were and the limit.
    struct Numbered: Equatable {
        let number: Int
        let text: String
    }

    private static let limits = LineLimits(maximumTokenBytes: 8)

    /// The lines by another way: the text is split at its line feeds.
    private static func expected(_ text: [UInt8]) -> [Numbered] {
        var parts = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        return parts.enumerated().compactMap { index, part in
            let line = part.last == UInt8(ascii: "\r") ? part.dropLast() : part
            let isLong = line.count > (line.first == UInt8(ascii: "{") ? 65_552 : 8)
            let text = isLong ? "\(line.count) bytes" : String(decoding: line, as: UTF8.self)
            return line.isEmpty ? nil : Numbered(number: index + 1, text: text)
        }
    }

    /// The lines of parts, as a door reads them: bytes that are not needed any more are not kept.
    private static func scanned(_ parts: [[UInt8]]) -> (lines: [Numbered], empty: Int, mostKept: Int) {
        var (scanner, buffer, lines, mostKept) = (LineScanner(limits), [UInt8](), [Numbered](), 0)
        for (index, part) in parts.enumerated() {
            buffer += part
            let isAtEnd = index == parts.count - 1
            while let line = scanner.next(in: buffer.span, to: buffer.count, isAtEnd: isAtEnd) {
                switch line {
                case .content(let range):
                    let text = String(decoding: buffer[range], as: UTF8.self)
                    lines.append(Numbered(number: scanner.number, text: text))
                case .oversized(let bytes, _):
                    lines.append(Numbered(number: scanner.number, text: "\(bytes) bytes"))
                }
            }
            _ = scanner.dropOversized(in: buffer.span, to: buffer.count)
            buffer.removeFirst(scanner.start)
            scanner.move(to: 0)
            mostKept = max(mostKept, buffer.count)
        }
        return (lines, scanner.emptyLines, mostKept)
    }

    /// Parts of random lengths: mostly short ones, empty ones too.
    private static func parts(
        _ text: [UInt8], longest: Int, using random: inout SplitMix64
    ) -> [[UInt8]] {
        var (parts, rest): ([[UInt8]], _) = ([], text[...])
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 0...longest, using: &random))
            parts.append(Array(part))
            rest = rest.dropFirst(part.count)
        }
        return parts + [[]]
    }

    @Test(arguments: [1, 2, 3, 7, 40])
    func `lines in random parts are those of the whole text`(longest: Int) {
        var random = SplitMix64(seed: UInt64(longest))
        let alphabet = Array("\r\n\r\n\nabc{".utf8)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...60, using: &random)
            let text = (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            let expected = Self.expected(text)
            #expect(Self.scanned([text]).lines == expected)
            let scanned = Self.scanned(Self.parts(text, longest: longest, using: &random))
            #expect(scanned.lines == expected)
            #expect(scanned.empty == Self.scanned([text]).empty)
        }
    }

    @Test
    func `an empty line counts once, with its carriage return in one part and its line feed in the next`() {
        let lines = Self.scanned([Array("GOOD\r\n\r".utf8), Array("\nBAD\r\nGOOD\r\n".utf8)]).lines
        #expect(lines.map(\.number) == [1, 3, 4])
    }

    @Test func `a line that is too long is not kept`() {
        let parts =
            Array(repeating: Array("12345".utf8), count: 1_000) + [Array("\r".utf8), Array("\na\n".utf8)]
        let scanned = Self.scanned(parts)
        #expect(scanned.lines == [Numbered(number: 1, text: "5000 bytes"), Numbered(number: 2, text: "a")])
        #expect(scanned.mostKept < 20)
    }

    @Test func `shares have the lines and numbers of the whole text`() {
        let line = String(repeating: "x", count: 700) + "\r\n\n"
        let text = Array((String(repeating: line, count: 3_000) + "last").utf8)
        let limits = LineLimits(maximumTokenBytes: 1_000)
        for wanted in [1, 2, 3, 8] {
            var numbers: [Int] = []
            let shares = LineScanner.shares(of: text.span, atMost: wanted, limits)
            for share in shares {
                var scanner = share.lines
                while scanner.next(in: text.span, to: share.end, isAtEnd: true) != nil {
                    numbers.append(scanner.number)
                }
            }
            #expect(shares.count == wanted)
            #expect(numbers == (0...3_000).map { $0 * 2 + 1 })
        }
        #expect(LineScanner.shares(of: [UInt8]().span, atMost: 2, limits).isEmpty)
    }
}
