internal import CStoreKitVerify
internal import SignedPayloads
internal import StoreKitVerify
internal import VerificationReports
internal import WireFormats

/// The rows for analysts as columns of Arrow's, with the types of `RowColumn`.
struct ArrowRows: ~Copyable {
    /// The values of one column.
    private final class Values {
        var validity = Bitmap()
        var texts = TextRows()
        var bits = Bitmap()
        var numbers = GrowingBuffer<Int64>()

        var isExhausted: Bool { texts.isExhausted || numbers.isExhausted }

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

    private var reader = RowReader()
    private let values: [Values] = RowColumn.all.map { _ in Values() }
    private(set) var validity = Bitmap()
    private let types = RowColumn.all.map(\.type)

    /// Appends the row of a token; `nil` for a null one.
    mutating func append(_ verdict: LineVerdict?, _ results: borrowing BatchResults, token: Span<UInt8>) {
        reader.begin(line: nil)
        if let verdict {
            reader.read(verdict, results)
            reader.read(envelope: token, isVerified: verdict.failure == nil)
        }
        validity.append(verdict != nil)
        for column in types.indices {
            append(verdict == nil ? nil : reader[column], to: values[column], types[column])
        }
    }

    @inline(__always)
    private func append(_ cell: RowCell?, to column: Values, _ type: RowColumn.ValueType) {
        column.validity.append(cell != nil)
        switch type {
        case .text, .identifier, .json:
            if case .text(let place, _)? = cell {
                column.texts.bytes.append(reader.bytes.span.extracting(place))
            }
            column.texts.endRow()
        case .boolean:
            if case .boolean(let value)? = cell {
                column.bits.append(value)
            } else {
                column.bits.append(false)
            }
        case .integer, .timestamp:
            switch cell {
            case .integer(let number)?, .timestamp(let number)?: column.numbers.append(number)
            default: column.numbers.append(0)
            }
        case .decimal:
            // 128 bits, little-endian: the number, and its sign in the upper half.
            guard case .decimal(let thousandths)? = cell else {
                column.numbers.append(0)
                column.numbers.append(0)
                return
            }
            column.numbers.append(thousandths)
            column.numbers.append(thousandths < 0 ? -1 : 0)
        }
    }

    /// Appends another share's rows.
    mutating func append(_ other: borrowing ArrowRows) {
        validity.append(other.validity)
        for (column, added) in zip(values, other.values) {
            column.validity.append(added.validity)
            column.texts.append(added.texts)
            column.bits.append(added.bits)
            column.numbers.append(added.numbers)
        }
    }

    /// Gives the columns.
    ///
    /// - Throws: that there is not enough memory.
    consuming func table() throws(CallFailure) -> ArrowTable {
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

/// What an Arrow array of verdicts has, by the numbers of the header.
enum ArrowForm: Int32 {
    case verdicts = 0
    case typed = 1
    case rows = 2
}
