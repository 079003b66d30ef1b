package import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

/// Writes verdicts as rows, one for every line of input that is not empty.
package struct RowWriter: Sendable {
    private var reader = RowReader()
    private let writer: Writer

    private enum Writer {
        case ndjson(RowJSONWriter)
        case csv(RowCSVWriter)
    }

    /// Makes a writer. The first one takes longest.
    package init(_ format: RowFormat) {
        writer =
            switch format {
            case .ndjson: .ndjson(RowJSONWriter())
            case .csv: .csv(RowCSVWriter())
            }
    }

    /// The text before all rows: the names of the columns in CSV, nothing in NDJSON.
    package static func header(_ format: RowFormat) -> [UInt8] {
        format == .csv ? RowCSVWriter.header : []
    }

    /// Names the file of the next rows; `nil` for standard input.
    package mutating func setFile(_ name: String?) { reader.setFile(name) }

    /// Appends the row of a line.
    ///
    /// - Parameters:
    ///   - results: the batch that the verdict refers to.
    ///   - text: the line's bytes; empty if they were not kept.
    package mutating func append(
        _ verdict: LineVerdict, _ results: borrowing BatchResults, line: Int?, text: Span<UInt8>,
        to output: inout [UInt8]
    ) {
        reader.begin(line: line)
        reader.read(verdict, results)
        reader.read(envelope: text, isVerified: verdict.failure == nil)
        switch writer {
        case .ndjson(let writer): writer.append(reader, to: &output)
        case .csv(let writer): writer.append(reader, to: &output)
        }
    }
}

extension RowReader {
    /// Reads a verdict into the row that was begun.
    ///
    /// - Parameter results: the batch that the verdict refers to.
    package mutating func read(_ verdict: LineVerdict, _ results: borrowing BatchResults) {
        switch verdict {
        case .batched(let payload):
            results.withJSON(of: payload) { json in
                read(json, of: payload.kind) { path, body in
                    results.withJSON(inside: payload, at: path, body)
                }
            }
        case .verified(let payload): read(payload)
        case .failed(let error): read(error)
        case .refused(let chain): read(chain.error)
        }
    }

    /// Reads a verified payload into the row that was begun.
    package mutating func read(_ payload: VerifiedPayload) {
        if let receipt = AppReceipt(payload) {
            return read(
                receipt, transactions: ObjectText.json(ObjectText.transactions(of: receipt)))
        }
        read(payload.json.span, of: payload.kind) { path, body in
            if let inner = payload.nested.first(where: { $0.member == path }) {
                body(inner.payload.json.span)
            }
        }
    }
}
