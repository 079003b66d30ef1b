package import WireFormats

/// Lines that are verified together, and the bytes that they are in. Doors that read a stream fill it.
package struct LineChunk: Sendable {
    /// The bytes. They may have more than the lines: where a line is, the line says.
    package var buffer: [UInt8] = []
    /// The lines that are not empty.
    package private(set) var lines: [BatchLine] = []
    /// The number of each line, from 1. Empty lines have numbers too, so these may have gaps.
    package private(set) var numbers: [Int] = []
    /// Where JSON is taken apart: for each token, the path of the member that held it.
    private var members: [String?] = []

    package init() {}

    /// The one line that stands for packed data.
    package init(packed line: BatchLine, of buffer: [UInt8]) {
        (self.buffer, lines, numbers) = (buffer, [line], [1])
    }

    /// The path of the member that held a token, if JSON is taken apart.
    package func member(at index: Int) -> String? { members.isEmpty ? nil : members[index] }

    /// Forgets the lines, and keeps their memory for the next ones.
    package mutating func removeLines() {
        lines.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        members.removeAll(keepingCapacity: true)
    }

    /// Appends the next whole lines of the buffer.
    ///
    /// - Parameters:
    ///   - end: where the bytes end that have been read.
    ///   - isAtEnd: whether no bytes follow, so that the last line is whole without its end.
    ///   - maximum: how many lines there may be in all.
    package mutating func appendLines(
        by scanner: inout LineScanner, to end: Int, isAtEnd: Bool, atMost maximum: Int
    ) {
        while lines.count < maximum, let line = scanner.next(in: buffer.span, to: end, isAtEnd: isAtEnd) {
            lines.append(line)
            numbers.append(scanner.number)
        }
    }

    /// Appends a token that was taken out of JSON, as a line.
    package mutating func append(_ token: JSONTokens.Token, _ limits: LineLimits) {
        let start = buffer.count
        buffer.append(token.bytes.span)
        lines.append(BatchLine(start..<buffer.count, of: buffer.span, limits))
        numbers.append(token.line)
        members.append(token.member)
    }
}
