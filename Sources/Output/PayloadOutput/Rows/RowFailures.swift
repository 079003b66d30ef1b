internal import SignedPayloads
internal import WireFormats

/// The cells of the last failures. The same failure often comes again, for instance with every line under the wrong root.
struct RowFailures: Sendable {
    private struct Cells: Sendable {
        let error: PayloadError
        var bytes: [UInt8] = []
        var cells: [(column: Int?, cell: FormCell)] = []
    }

    private static let capacity = 8
    private var known: [Cells] = []
    private var next = 0

    /// Fills the columns of a failure.
    mutating func append(_ error: PayloadError, _ places: RowPlaces, to row: inout RowCells) {
        if let index = known.firstIndex(where: { $0.error == error }) {
            return Self.append(known[index], to: &row)
        }
        let cells = Self.cells(of: error, places)
        Self.append(cells, to: &row)
        if known.count < Self.capacity { known.append(cells) } else { known[next] = cells }
        next = (next + 1) % Self.capacity
    }

    private static func append(_ cells: Cells, to row: inout RowCells) {
        let start = row.bytes.count
        row.bytes.append(cells.bytes.span)
        for (column, cell) in cells.cells { row.fill(column, cell.moved(by: start)) }
    }

    private static func cells(of error: PayloadError, _ places: RowPlaces) -> Cells {
        var cells = Cells(error: error)
        for (column, text) in [
            (places.error, error.code.rawValue), (places.detail, error.detail),
            (places.message, error.message), (places.failedMember, error.member),
        ] {
            if let text { cells.cells.append((column, cells.bytes.append(message: text))) }
        }
        cells.cells.append((places.retryable, .boolean(error.isRetryable)))
        return cells
    }
}
