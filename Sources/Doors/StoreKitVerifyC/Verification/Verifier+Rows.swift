internal import SignedPayloads
internal import StoreKitVerify
internal import VerificationReports
internal import WireFormats

/// What to keep of verdicts; the flags of the header.
struct ResultFlags: OptionSet, Sendable {
    let rawValue: UInt32

    static let withoutPayloads = ResultFlags(rawValue: 1)
    static let typed = ResultFlags(rawValue: 2)
    /// Of this call alone: it starts no threads.
    static let inOneThread = ResultFlags(rawValue: 4)
    static let all: ResultFlags = [.withoutPayloads, .typed, .inOneThread]
}

/// The rows for analysts that one thread has made, which then belong to another.
private final class ArrowRowsBox: @unchecked Sendable {
    var rows = ArrowRows()

    /// Gives the rows to the caller.
    func take() -> ArrowRows {
        var taken = ArrowRows()
        swap(&taken, &rows)
        return taken
    }
}

/// The rows that one thread has made, which then belong to another.
final class RowsBox: @unchecked Sendable {
    var rows: ResultRows

    init(_ rows: consuming ResultRows) { self.rows = rows }

    /// Gives the rows to the caller.
    func take() -> ResultRows {
        var taken = ResultRows([])
        swap(&taken, &rows)
        return taken
    }
}

extension Verifier {
    /// The verdicts on tokens in one buffer.
    func rows(of data: BorrowedBytes, at offsets: TokenOffsets, _ flags: ResultFlags) -> ResultRows {
        rows(
            between: offsets.shares(flags.contains(.inOneThread) ? 1 : jobs), flags,
            payloadBytes: { offsets.payloadBytes(of: $0, in: data, atMost: $1) }
        ) { share, rows in
            data.withSpan { buffer in
                self.forEachVerdict(on: share, of: buffer) {
                    offsets[$0]..<offsets[$0 + 1]
                } body: {
                    rows.append($1, $2)
                }
            }
        }
    }

    /// The verdicts on the tokens of an Arrow array. A token that is null gives a null row.
    func rows(of tokens: ArrowTokens, _ flags: ResultFlags) -> ResultRows {
        rows(between: tokens.shares(jobs), flags, payloadBytes: tokens.payloadBytes) { share, rows in
            tokens.forEachVerdict(by: self, on: share) { index, _, verdict, results in
                if tokens.isNull(index) { rows.appendNull() } else { rows.append(verdict, results) }
            }
        }
    }

    /// The rows for analysts about the tokens of an Arrow array.
    func arrowRows(of tokens: ArrowTokens) -> ArrowRows {
        let shares = inShares(between: tokens.shares(jobs)) { share in
            let box = ArrowRowsBox()
            tokens.forEachVerdict(by: self, on: share) { index, token, verdict, results in
                box.rows.append(tokens.isNull(index) ? nil : verdict, results, token: token)
            }
            return box
        }
        guard let first = shares.first else { return ArrowRows() }
        for share in shares.dropFirst() { first.rows.append(share.rows) }
        return first.take()
    }

    /// - Parameter payloadBytes: how many bytes the payloads of a share will have if all are verified; `nil` if that is not
    ///   known.
    private func rows(
        between bounds: [Int], _ flags: ResultFlags, payloadBytes: ((Range<Int>, _ isLast: Bool) -> Int)?,
        _ append: @escaping @Sendable (Range<Int>, inout ResultRows) -> Void
    ) -> ResultRows {
        // Nothing stands behind the last share's payloads: they need room, and no more.
        let lengths = zip(bounds, bounds.dropFirst()).map { payloadBytes?($0..<$1, $1 == bounds.last) ?? 0 }
        let region = flags.isDisjoint(with: [.withoutPayloads, .typed]) ? PayloadRegion(lengths) : nil
        let shares = inShares(between: bounds) { share in
            var part: GrowingBuffer<UInt8>?
            if let region, let index = bounds.firstIndex(of: share.lowerBound) { part = region.part(index) }
            var rows = ResultRows(flags, part: part.take())
            append(share, &rows)
            return RowsBox(rows)
        }
        guard let first = shares.first else { return ResultRows(flags) }
        guard let region else {
            for share in shares.dropFirst() { first.rows.append(share.rows) }
            return first.take()
        }
        var start = first.rows.payloads.bytes.count
        first.rows.payloads.bytes = region.joined(shares)
        for share in shares.dropFirst() {
            first.rows.append(share.rows, payloadsFrom: start)
            start += share.rows.payloads.bytes.count
        }
        return first.take()
    }

    /// The verdict on a receipt's file.
    func rows(ofReceipt content: BorrowedBytes, _ flags: ResultFlags) -> ResultRows {
        var rows = ResultRows(flags)
        do throws(PayloadError) {
            rows.append(try receipts.verify(file: content.array))
        } catch {
            rows.append(error)
        }
        return rows
    }

    /// What the command would write about lines of standard input, and how many of them are not verified.
    func text(about lines: BorrowedBytes, _ format: LineFormat) -> TextBox {
        let bounds = lines.withSpan { Self.shares(ofLines: $0, jobs) }
        let starts = bounds.map(\.start)
        let shares = inShares(between: Array(bounds.indices)) { share in
            let text = TextBox()
            if share.lowerBound == 0 { text.append(format.header) }
            lines.withSpan { buffer in
                let (start, end) = (starts[share.lowerBound], starts[share.upperBound])
                self.write(
                    LineScanner(from: start, after: bounds[share.lowerBound].linesBefore), of: buffer,
                    before: end, format, to: text)
            }
            return text
        }
        let text = shares.first ?? TextBox()
        if shares.isEmpty { text.append(format.header) }
        for share in shares.dropFirst() {
            text.text.append(share.text)
            text.failed += share.failed
        }
        return text
    }

    private func write(
        _ lines: LineScanner, of buffer: Span<UInt8>, before end: Int, _ format: LineFormat, to text: TextBox
    ) {
        var (scanner, failures) = (lines, FailureTexts())
        var typedWriter = format == .typed ? TypedWriter() : nil
        var rowWriter = format.rows.map { RowWriter($0) }
        let writer = VerdictWriter(format: format == .typed ? .typed : .ndjson, file: nil)
        var (ranges, numbers, output, diagnostics): ([Range<Int>], [Int], [UInt8], [UInt8]) = ([], [], [], [])
        while true {
            ranges.removeAll(keepingCapacity: true)
            numbers.removeAll(keepingCapacity: true)
            while ranges.count < BatchPipeline.maximumLines, let range = scanner.next(in: buffer, before: end)
            {
                ranges.append(range)
                numbers.append(scanner.number)
            }
            guard !ranges.isEmpty else { return }
            forEachVerdict(on: ranges.indices, of: buffer) {
                ranges[$0]
            } body: { index, verdict, results in
                var verdict = verdict
                let line = numbers[index]
                output.removeAll(keepingCapacity: true)
                rowWriter?.append(
                    verdict, results, line: line, text: buffer.extracting(ranges[index]), to: &output)
                let isTyped =
                    typedWriter?.append(&verdict, results, line: line, writer, to: &output) ?? false
                if verdict.failure != nil { text.failed += 1 }
                if rowWriter == nil, !isTyped {
                    writer.append(
                        verdict, results, line: line, to: &output, diagnostics: &diagnostics, &failures)
                }
                text.text.append(output.span)
            }
        }
    }

    /// Divides lines into shares of about the same number of bytes, each of whole lines.
    private static func shares(
        ofLines text: Span<UInt8>, _ wanted: Int
    ) -> [(start: Int, linesBefore: Int)] {
        guard text.count > 0 else { return [] }
        var bounds = [(start: 0, linesBefore: 0)]
        let shares = max(1, min(wanted, text.count >> 18))
        for share in 1..<max(1, shares) {
            let (start, linesBefore) = bounds[bounds.count - 1]
            let target = max(text.count / shares * share, start)
            guard let end = ByteScanning.firstIndex(of: UInt8(ascii: "\n"), in: text, from: target) else {
                break
            }
            var (lines, index) = (linesBefore, start)
            while let next = ByteScanning.firstIndex(of: UInt8(ascii: "\n"), in: text, from: index),
                next <= end
            {
                lines += 1
                index = next + 1
            }
            guard end + 1 < text.count else { break }
            bounds.append((end + 1, lines))
        }
        return bounds + [(text.count, 0)]
    }
}

/// What is written about lines, by the numbers of the header.
enum LineFormat: Int32 {
    case ndjson = 0
    case typed = 1
    case rows = 2
    case rowsAsCSV = 3

    /// What stands before all lines.
    var header: [UInt8] { rows.map { RowWriter.header($0) } ?? [] }

    /// How rows are written; `nil` for the other formats.
    var rows: RowFormat? {
        switch self {
        case .ndjson, .typed: nil
        case .rows: .ndjson
        case .rowsAsCSV: .csv
        }
    }
}

/// Text that one thread has made, which then belongs to another.
final class TextBox: @unchecked Sendable {
    var text = GrowingBuffer<UInt8>()
    /// The number of lines that are not verified.
    var failed = 0

    func append(_ bytes: [UInt8]) { text.append(bytes.span) }

    /// Gives the text's memory to the caller, who frees it.
    func take() -> UnsafeMutablePointer<UInt8>? {
        var taken = GrowingBuffer<UInt8>()
        swap(&taken, &text)
        return unsafe taken.take()
    }
}
