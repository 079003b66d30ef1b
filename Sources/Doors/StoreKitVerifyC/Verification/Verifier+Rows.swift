internal import PayloadOutput
internal import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

/// The parts of verdicts to keep; the flags of the header.
struct ResultFlags: OptionSet, Sendable {
    let rawValue: UInt32

    static let withoutPayloads = ResultFlags(rawValue: 1)
    static let typed = ResultFlags(rawValue: 2)
    /// Of this call alone: it starts no threads.
    static let inOneThread = ResultFlags(rawValue: 4)
    static let all: ResultFlags = [.withoutPayloads, .typed, .inOneThread]
}

/// The rows for analysts that one thread has made, which then belong to another.
///
/// It is `Sendable`, because `inShares` waits for the threads before it returns their boxes: one thread has it at a time.
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
///
/// It is `Sendable`, because `inShares` waits for the threads before it returns their boxes: one thread has it at a time.
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
        ) { [limits] share, rows in
            data.withSpan { buffer in
                self.forEachVerdict(on: share, of: buffer) {
                    BatchLine(offsets[$0]..<offsets[$0 + 1], of: buffer, limits)
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

    /// The command's output about lines of standard input, and how many of them are not verified.
    func text(about lines: BorrowedBytes, _ format: LineFormat) -> TextBox {
        let parts = lines.withSpan {
            LineScanner.shares(of: $0, atMost: BatchLine(packed: $0) == nil ? jobs : 1, limits)
        }
        let shares = inShares(between: Array(0...parts.count)) { share in
            let text = TextBox()
            if share.lowerBound == 0 { text.append(format.header) }
            let part = parts[share.lowerBound]
            lines.withSpan { self.write(part.lines, of: $0, to: part.end, format, to: text) }
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
        _ scanner: LineScanner, of buffer: Span<UInt8>, to end: Int, _ format: LineFormat, to text: TextBox
    ) {
        var (scanner, writer) = (scanner, LineWriter(format.output, rows: format.rows))
        var (lines, numbers, output, diagnostics): ([BatchLine], [Int], [UInt8], [UInt8]) = ([], [], [], [])
        var isPacked = false
        while !isPacked {
            lines.removeAll(keepingCapacity: true)
            numbers.removeAll(keepingCapacity: true)
            if scanner.start == 0, scanner.number == 0, let packed = BatchLine(packed: buffer) {
                (lines, numbers, isPacked) = ([packed], [1], true)
            }
            while !isPacked, lines.count < BatchPipeline.maximumLines,
                let line = scanner.next(in: buffer, to: end, isAtEnd: true)
            {
                lines.append(line)
                numbers.append(scanner.number)
            }
            guard !lines.isEmpty else { return }
            forEachVerdict(on: lines.indices, of: buffer) {
                lines[$0]
            } body: { index, verdict, results in
                var verdict = verdict
                output.removeAll(keepingCapacity: true)
                writer.append(
                    &verdict, results, line: numbers[index],
                    text: buffer.extracting(lines[index].place), to: &output, diagnostics: &diagnostics)
                if verdict.failure != nil { text.failed += 1 }
                text.text.append(output.span)
            }
        }
    }
}

/// The forms of output about lines, by the numbers of the header.
enum LineFormat: Int32 {
    case ndjson = 0
    case typed = 1
    case rows = 2
    case rowsAsCSV = 3

    /// The text before all lines.
    var header: [UInt8] { LineWriter.header(output, rows: rows) }

    var output: OutputFormat {
        switch self {
        case .ndjson: .ndjson
        case .typed: .typed
        case .rows, .rowsAsCSV: .rows
        }
    }

    /// How rows are written, if the lines are rows.
    var rows: RowFormat { self == .rowsAsCSV ? .csv : .ndjson }
}

/// Text that one thread has made, which then belongs to another.
///
/// It is `Sendable`, because `inShares` waits for the threads before it returns their boxes: one thread has it at a time.
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
