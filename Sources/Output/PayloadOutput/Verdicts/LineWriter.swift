package import SignedPayloads

/// Writes verdicts in a format, as every door gives them: one line of text for each line of input that is not empty.
///
/// A door makes one for each of its threads. It reuses its memory.
package struct LineWriter: Sendable {
    private var verdicts: VerdictWriter
    /// Each of the two is there if the format needs it.
    private var typed: TypedWriter?
    private var rows: RowWriter?
    private var failures = FailureTexts()

    /// Makes a writer. The first one of a format takes longest.
    ///
    /// - Parameters:
    ///   - rowFormat: how rows are written.
    ///   - file: the file's name, if verdicts give it.
    package init(_ format: OutputFormat, rows rowFormat: RowFormat = .ndjson, file: String? = nil) {
        verdicts = VerdictWriter(format: format, file: file)
        if format == .typed { typed = TypedWriter() }
        if format == .rows {
            rows = RowWriter(rowFormat)
            rows?.setFile(file)
        }
    }

    /// The text before all lines: the names of the columns for rows in CSV, otherwise nothing.
    package static func header(_ format: OutputFormat, rows rowFormat: RowFormat = .ndjson) -> [UInt8] {
        format == .rows ? RowWriter.header(rowFormat) : []
    }

    /// Appends the text about a line: to the output, or where failures are written apart, to the diagnostics.
    ///
    /// - Parameters:
    ///   - verdict: becomes the failure if the format needs a member that the payload lacks.
    ///   - results: the batch that the verdict refers to.
    ///   - line: the line's number; `nil` for an input that is one payload.
    ///   - text: the line's bytes, for rows; empty if they were not kept.
    ///   - member: the path of the member that held the token, if the line was taken out of JSON.
    package mutating func append(
        _ verdict: inout LineVerdict, _ results: borrowing BatchResults, line: Int?, text: Span<UInt8>,
        member: String? = nil, to output: inout [UInt8], diagnostics: inout [UInt8]
    ) {
        if let member, let error = verdict.failure { verdict = .failed(error.inside(member)) }
        verdicts.member = verdict.failure == nil ? member : nil
        if rows != nil {
            rows?.append(verdict, results, line: line, text: text, to: &output)
            return
        }
        if typed != nil, typed?.append(&verdict, results, line: line, verdicts, to: &output) == true {
            return
        }
        verdicts.append(
            verdict, results, line: line, to: &output, diagnostics: &diagnostics, &failures)
    }

    /// Appends why a line is not verified, for a door that keeps verified payloads instead of writing them.
    package mutating func append(
        _ error: PayloadError, line: Int, to output: inout [UInt8], diagnostics: inout [UInt8]
    ) {
        guard verdicts.format != .none else { return }
        verdicts.append(error, line: line, to: &output, diagnostics: &diagnostics, &failures)
    }
}
