internal import WireFormats

/// Columns, one bit each.
struct RowSet: Sendable {
    /// The most columns that a row can have.
    static let capacity = 128

    private var low: UInt64 = 0
    private var high: UInt64 = 0

    @inline(__always)
    mutating func insert(_ column: Int) {
        if column < 64 { low |= 1 << UInt64(column) } else { high |= 1 << UInt64(column - 64) }
    }

    @inline(__always)
    func contains(_ column: Int) -> Bool {
        (column < 64 ? low >> UInt64(column) : high >> UInt64(column - 64)) & 1 == 1
    }

    /// Gives each column to a closure, in their order.
    @inline(__always)
    func forEach(_ body: (Int) -> Void) {
        var rest = low
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
        rest = high
        while rest != 0 {
            body(64 + rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }
}

/// The cells of a row, and their texts.
struct RowCells: Sendable {
    var bytes: [UInt8] = []
    private(set) var cells = RowColumn.all.map { _ in FormCell.boolean(false) }
    var filled = RowSet()

    @inline(__always)
    mutating func fill(_ column: Int, _ cell: FormCell) {
        cells[column] = cell
        filled.insert(column)
    }

    /// Fills a column that the reader names, if there is one.
    @inline(__always)
    mutating func fill(_ column: Int?, _ cell: FormCell) {
        if let column { fill(column, cell) }
    }

    mutating func fill(_ column: Int?, quoted text: [UInt8]) {
        let start = bytes.count
        bytes.append(text.span)
        fill(column, bytes.quotedText(from: start))
    }
}
