/// How results are written to standard output.
package enum OutputFormat: String, CaseIterable {
    /// One JSON object a line, for every line of input that is not empty.
    case ndjson
    /// As `ndjson`, but with StoreKit's names and types in place of the payload.
    case typed
    /// One row a line, with every column always, for analysts.
    case rows
    /// Only the verified payloads; failures go to standard error.
    case payload
    /// Nothing: the exit status gives the result.
    case none
}

/// How rows are written.
package enum RowFormat: String, CaseIterable, Sendable {
    /// One JSON object a line.
    case ndjson
    /// Comma-separated values, with a line of names first.
    case csv
}
