internal import CStoreKitVerify
internal import PayloadOutput
internal import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

/// The rows for analysts as columns of Arrow's, with the types of `RowColumn`.
///
/// Nulls are written when the next value of their column comes, many at once: most columns are null in most
/// rows.
struct ArrowRows: ~Copyable {
    /// The values of one column.
    ///
    /// A class, because the columns are changed in a loop over a constant list. Its type decides which of the
    /// buffers are used.
    private final class Values {
        private let type: RowColumn.ValueType
        var validity = Bitmap()
        var texts = TextRows()
        var bits = Bitmap()
        var numbers = GrowingBuffer<Int64>()

        /// The number of rows.
        private(set) var count = 0

        /// Whether values were lost, because the system had no more memory.
        var isExhausted: Bool {
            texts.isExhausted || numbers.isExhausted || validity.bytes.isExhausted || bits.bytes.isExhausted
        }

        init(_ type: RowColumn.ValueType) { self.type = type }

        /// Appends nulls until there is this number of rows.
        @inline(__always)
        func appendNulls(to rows: Int) {
            let missing = rows - count
            guard missing > 0 else { return }
            count = rows
            validity.append(repeating: false, count: missing)
            switch type {
            case .text, .identifier, .json: texts.endRows(missing)
            case .boolean: bits.append(repeating: false, count: missing)
            case .integer, .timestamp: numbers.append(repeating: 0, count: missing)
            case .decimal: numbers.append(repeating: 0, count: 2 * missing)
            }
        }

        /// - Parameters:
        ///   - cell: a value of the column's type.
        ///   - bytes: the bytes that the places of texts refer to.
        @inline(__always)
        func append(_ cell: FormCell, _ bytes: Span<UInt8>) {
            count += 1
            validity.append(true)
            switch cell {
            case .text(let place, _):
                texts.bytes.append(bytes.extracting(place))
                texts.endRow()
            case .boolean(let value): bits.append(value)
            case .integer(let number), .timestamp(let number): numbers.append(number)
            case .decimal(let thousandths):
                // 128 bits, little-endian: the number, and its sign in the upper half.
                numbers.append(thousandths)
                numbers.append(thousandths < 0 ? -1 : 0)
            }
        }

        /// Appends another share's values. Both have all their rows.
        func append(_ other: Values) {
            count += other.count
            validity.append(other.validity)
            texts.append(other.texts)
            bits.append(other.bits)
            numbers.append(other.numbers)
        }

        /// Gives the values as a column.
        func take(_ column: RowColumn) -> ArrowColumn {
            var validity = Bitmap()
            swap(&validity, &self.validity)
            let nullCount = validity.clearCount
            switch column.type {
            case .text, .identifier, .json:
                var texts = TextRows()
                swap(&texts, &self.texts)
                return .texts(column.name, texts, validity)
            case .boolean:
                var bits = Bitmap()
                swap(&bits, &self.bits)
                return .booleans(column.name, bits, validity)
            case .integer, .timestamp, .decimal:
                var numbers = GrowingBuffer<Int64>()
                swap(&numbers, &self.numbers)
                return unsafe ArrowColumn(
                    column.name, column.type.format, nullCount: nullCount, validity: validity.take(),
                    [UnsafeMutableRawPointer(numbers.take())])
            }
        }
    }

    /// Keeps its memory from row to row.
    private var reader = RowReader()
    private let values: [Values] = RowColumn.all.map { Values($0.type) }
    private(set) var validity = Bitmap()

    /// Appends the row of a token; `nil` for a null one.
    ///
    /// - Parameters:
    ///   - results: the batch that the verdict refers to, while its wave lasts.
    ///   - token: the line, from which the members of an unverified row are read.
    mutating func append(_ verdict: LineVerdict?, _ results: borrowing BatchResults, token: Span<UInt8>) {
        reader.begin(line: nil)
        if let verdict {
            reader.read(verdict, results)
            reader.read(envelope: token, isVerified: verdict.failure == nil)
        }
        if verdict != nil {
            reader.forEachValue { column, cell in
                values[column].appendNulls(to: validity.count)
                values[column].append(cell, reader.bytes.span)
            }
        }
        validity.append(verdict != nil)
    }

    /// Gives every column all rows. Until then it ends with its last value.
    private func appendNulls() {
        for column in values { column.appendNulls(to: validity.count) }
    }

    /// Appends another share's rows.
    mutating func append(_ other: borrowing ArrowRows) {
        appendNulls()
        other.appendNulls()
        validity.append(other.validity)
        for (column, added) in zip(values, other.values) {
            column.append(added)
        }
    }

    /// Gives the columns.
    ///
    /// Each column is checked once at the end, not at each value: a buffer that is exhausted only ignores
    /// further values.
    ///
    /// - Throws: that there is not enough memory.
    consuming func table() throws(CallFailure) -> ArrowTable {
        appendNulls()
        guard values.allSatisfy({ !$0.isExhausted }) else { throw CallFailure(.outOfMemory) }
        let columns = zip(RowColumn.all, values).map { $1.take($0) }
        return ArrowTable(columns: columns, count: validity.count, validity: validity)
    }
}

extension RowColumn.ValueType {
    /// The type, as the Arrow C data interface writes it.
    fileprivate var format: String {
        switch self {
        case .text, .identifier, .json: "U"
        case .integer: "l"
        case .boolean: "b"
        case .timestamp: "tsm:UTC"
        // Thousandths of 64 bits have nineteen digits.
        case .decimal: "d:19,3"
        }
    }
}

/// The content of an Arrow array of verdicts, by the numbers of the header.
enum ArrowForm: Int32 {
    case verdicts = 0
    case typed = 1
    case rows = 2
}
