/// Finds the lines of bytes that come in any parts. It is the only place that defines a line, so that numbers and
/// verdicts do not depend on the door, nor on how the bytes arrive.
///
/// A line ends in LF. A carriage return before that, or at the end of the input, is part of the end. The last line may
/// lack its end. Lines are numbered from 1; empty ones are counted and passed over. A line that is too long is counted
/// as well, while its bytes need not stay in memory.
///
/// The caller holds the bytes in a buffer, appends to them, and may move them: the scanner knows where in the buffer the
/// unfinished line begins, and up to where its end was searched for. So each byte is searched once.
package struct LineScanner: Sendable {
    /// The number of the last line that ended, and so of lines so far.
    package private(set) var number: Int
    /// How many of them were empty.
    package private(set) var emptyLines = 0
    /// Where the unfinished line begins in the buffer. The bytes before it are not needed any more.
    package private(set) var start: Int
    private var searched: Int
    private let limits: LineLimits
    /// The oversized line that is being skipped: its bytes so far, its limit, and whether the last byte was a carriage
    /// return.
    private var skipped: (bytes: Int, limit: Int, endsInReturn: Bool)?

    /// - Parameters:
    ///   - limits: how long lines may be.
    ///   - start: where the first line begins in the buffer.
    ///   - number: the number of lines before it.
    package init(_ limits: LineLimits, from start: Int = 0, after number: Int = 0) {
        self.limits = limits
        (self.start, self.searched, self.number) = (start, start, number)
    }

    /// Whether a line is being skipped whose end has not come.
    package var isSkipping: Bool { skipped != nil }

    /// The next line that is not empty; `nil` if the buffer has no whole one.
    ///
    /// - Parameters:
    ///   - text: the buffer.
    ///   - end: where its bytes end.
    ///   - isAtEnd: whether no bytes follow, so that the last line is whole without its end.
    package mutating func next(in text: Span<UInt8>, to end: Int, isAtEnd: Bool) -> BatchLine? {
        while true {
            let found = lineFeed(in: text, to: end)
            guard found != nil || isAtEnd && (start < end || isSkipping) else { return nil }
            let line = start..<(found ?? end)
            start = found.map { $0 + 1 } ?? end
            searched = start
            if let line = finish(line, of: text) { return line }
        }
    }

    /// Drops the bytes of the unfinished line, if it is too long already or is being skipped.
    ///
    /// - Returns: whether they were dropped, so that the buffer's bytes are not needed any more.
    package mutating func dropOversized(in text: Span<UInt8>, to end: Int) -> Bool {
        // With its end in the buffer, the line is a whole one.
        if let found = lineFeed(in: text, to: end) {
            searched = found
            return false
        }
        let line = start..<end
        let limit = skipped?.limit ?? limits.maximumBytes(of: text.extracting(line))
        // The last byte may be the carriage return of the line's end, which is not counted.
        guard isSkipping || line.count - 1 > limit else { return false }
        skipped = ((skipped?.bytes ?? 0) + line.count, limit, endsInReturn(line, of: text))
        start = end
        return true
    }

    /// Follows the unfinished line, whose bytes were moved in the buffer.
    package mutating func move(to start: Int) {
        searched += start - self.start
        self.start = start
    }

    private mutating func lineFeed(in text: Span<UInt8>, to end: Int) -> Int? {
        let found = ByteScanning.firstIndex(
            of: UInt8(ascii: "\n"), in: text.extracting(..<end), from: searched)
        if found == nil { searched = end }
        return found
    }

    /// Counts a line; `nil` if it is empty.
    private mutating func finish(_ line: Range<Int>, of text: Span<UInt8>) -> BatchLine? {
        number += 1
        let endsInReturn = endsInReturn(line, of: text)
        if let gone = skipped {
            skipped = nil
            let bytes = gone.bytes + line.count - (endsInReturn ? 1 : 0)
            return .oversized(bytes: bytes, limit: gone.limit)
        }
        let content = endsInReturn ? line.dropLast() : line
        guard !content.isEmpty else {
            emptyLines += 1
            return nil
        }
        // A whole line is measured too: a verdict must not depend on how many bytes came at a time.
        return BatchLine(content, of: text, limits)
    }

    /// Whether the line so far ends in a carriage return, even one that was dropped.
    private func endsInReturn(_ line: Range<Int>, of text: Span<UInt8>) -> Bool {
        guard let last = line.last else { return skipped?.endsInReturn ?? false }
        return text[last] == UInt8(ascii: "\r")
    }
}

extension LineScanner {
    /// Divides lines into shares of about the same number of bytes, each of whole lines.
    ///
    /// - Parameters:
    ///   - text: the lines.
    ///   - wanted: how many shares at most. A share of less than 256 KiB is not worth a thread.
    /// - Returns: for each share its scanner and its end; empty if there are no bytes.
    package static func shares(
        of text: Span<UInt8>, atMost wanted: Int, _ limits: LineLimits
    ) -> [(lines: LineScanner, end: Int)] {
        var shares: [(lines: LineScanner, end: Int)] = []
        let count = max(1, min(wanted, text.count >> 18))
        var scanner = LineScanner(limits)
        for share in 1..<max(1, count) {
            let target = max(text.count / count * share, scanner.start)
            let lineFeed = UInt8(ascii: "\n")
            guard let end = ByteScanning.firstIndex(of: lineFeed, in: text, from: target),
                end + 1 < text.count
            else { break }
            let first = scanner
            while scanner.start <= end, let next = scanner.lineFeed(in: text, to: end + 1) {
                scanner = LineScanner(limits, from: next + 1, after: scanner.number + 1)
            }
            shares.append((first, scanner.start))
        }
        if scanner.start < text.count { shares.append((scanner, text.count)) }
        return shares
    }
}
