package import SignedPayloads
internal import WireFormats

/// Reads verdicts and verified payloads as rows of columns, one row after the other. It reuses its memory, and allocates
/// nothing for ordinary payloads.
///
/// ```
/// reader.begin(line: 7)
/// reader.read(json, of: .notification) { path, body in … }
/// reader.read(envelope: line, isVerified: true)
/// reader.forEachValue { column, cell in … }
/// ```
///
/// A payload that lacks a member, or has one of an unexpected type, has null in that column: no payload is refused for it.
package struct RowReader: Sendable {
    private var row = RowCells()
    private var parts = RowPart.allCases.map(RowPartReader.init)
    private var meanings = NotificationMeanings()
    private var failures = RowFailures()
    /// The bytes of the file's name, which stay at the beginning of `bytes`, and its cell.
    private var file: (cell: RowCell, count: Int)?
    private let places = RowPlaces()

    /// Makes a reader. The first one takes longest.
    package init() {
        precondition(RowColumn.all.count <= RowSet.capacity, "more columns than a set has bits")
    }

    /// The texts of the row's cells.
    package var bytes: [UInt8] { row.bytes }

    /// Names the file of the next rows; `nil` for standard input.
    package mutating func setFile(_ name: String?) {
        row.bytes.removeAll(keepingCapacity: true)
        file = nil
        guard let name else { return }
        file = (row.bytes.append(message: name), row.bytes.count)
    }

    /// Begins a row.
    ///
    /// - Parameter line: the line's number; `nil` for a file that holds one payload.
    package mutating func begin(line: Int?) {
        row.filled = RowSet()
        row.bytes.removeLast(row.bytes.count - (file?.count ?? 0))
        if let file { row.fill(places.file, file.cell) }
        if let line { row.fill(places.line, .integer(Int64(line))) }
    }

    /// The value of a column; `nil` for null.
    package subscript(column: Int) -> RowCell? { row.filled.contains(column) ? row.cells[column] : nil }

    /// Gives each value that is not null to a closure, in the order of the columns.
    @inline(__always)
    package func forEachValue(_ body: (_ column: Int, _ value: RowCell) -> Void) {
        row.filled.forEach { body($0, row.cells[$0]) }
    }

    // MARK: - Verdicts

    /// Reads a verified payload.
    ///
    /// - Parameters:
    ///   - json: the payload's JSON.
    ///   - inner: lends the JSON of the payload inside this one, at the path of a member, if there is one.
    package mutating func read(
        _ json: Span<UInt8>, of kind: SignedPayloadKind,
        inner: (_ path: String, _ body: (Span<UInt8>) -> Void) -> Void
    ) {
        read(kind)
        switch kind {
        case .transaction: read(.transaction, json, isOutermost: true)
        case .renewalInfo: read(.renewalInfo, json, isOutermost: true)
        case .appTransaction: read(.appTransaction, json, isOutermost: true)
        case .realtimeRequest: read(.realtimeRequest, json, isOutermost: true)
        case .notification: readNotification(json, inner)
        case .receipt, .unknown: break
        }
    }

    /// Reads a verified app receipt.
    ///
    /// - Parameter transactions: its purchases, as a JSON array.
    package mutating func read(_ receipt: AppReceipt, transactions: [UInt8]) {
        read(.receipt)
        for (column, source) in places.receipt {
            switch source.value(receipt) {
            case .text(let text): if let text { row.fill(column, row.bytes.append(message: text)) }
            case .date(let date):
                if let milliseconds = date?.calendarMilliseconds {
                    row.fill(column, .timestamp(milliseconds))
                }
            }
        }
        let start = row.bytes.count
        row.bytes.append(transactions.span)
        row.fill(places.receiptTransactions, row.bytes.endRawJSON(from: start))
    }

    /// Reads why a line is not verified.
    package mutating func read(_ error: VerificationError) {
        row.fill(places.verified, .boolean(false))
        failures.append(error, places, to: &row)
    }

    /// Reads the members of the JSON object that holds the token, if the line is one. Nobody has signed them.
    ///
    /// - Parameter isVerified: whether the line's token was verified.
    package mutating func read(envelope line: Span<UInt8>, isVerified: Bool) {
        let start = row.bytes.count
        guard TokenEnvelope.appendOtherMembers(of: line, isVerified: isVerified, to: &row.bytes) else {
            return
        }
        row.fill(places.envelope, row.bytes.endRawJSON(from: start))
    }

    private mutating func read(_ kind: SignedPayloadKind) {
        row.fill(places.verified, .boolean(true))
        row.fill(places.kind, row.bytes.append(plain: kind.rawValue))
    }

    // MARK: - Payloads

    /// The payloads inside a notification: the path of the member, and the payload's part.
    private static let signed: [(path: String, part: RowPart)] = [
        ("data.signedTransactionInfo", .transaction), ("data.signedRenewalInfo", .renewalInfo),
        ("appData.signedAppTransactionInfo", .appTransaction),
    ]

    private mutating func readNotification(
        _ json: Span<UInt8>, _ inner: (_ path: String, _ body: (Span<UInt8>) -> Void) -> Void
    ) {
        let notification = RowPart.notification.rawValue
        guard parts[notification].read(json, in: 0..<json.count) else { return }
        parts[notification].fill(&row, json, isOutermost: true)
        let type = parts[notification][places.notificationType]
        let meanings = meanings.row(type, parts[notification][places.subtype], of: json)
        row.fill(places.meaning, quoted: meanings.meaning)
        row.fill(places.accessChange, quoted: meanings.accessChange)
        // What the payloads inside say stands before what the parts around them say.
        for (path, part) in Self.signed {
            inner(path) { payload in read(part, payload, isOutermost: false) }
        }
        readChildren(of: notification, json)
    }

    /// Reads a payload that is a part by itself.
    private mutating func read(_ part: RowPart, _ json: Span<UInt8>, isOutermost: Bool) {
        guard parts[part.rawValue].read(json, in: 0..<json.count) else { return }
        parts[part.rawValue].fill(&row, json, isOutermost: isOutermost)
        readChildren(of: part.rawValue, json)
    }

    /// Reads the parts that are objects in a part that was read.
    private mutating func readChildren(of part: Int, _ json: Span<UInt8>) {
        for (member, child) in parts[part].children {
            guard case .object(let range)? = parts[part][member], parts[child].read(json, in: range) else {
                continue
            }
            parts[child].fill(&row, json, isOutermost: false)
        }
    }
}

/// The cells of a row, and their texts.
struct RowCells: Sendable {
    var bytes: [UInt8] = []
    private(set) var cells = RowColumn.all.map { _ in RowCell.boolean(false) }
    var filled = RowSet()

    @inline(__always)
    mutating func fill(_ column: Int, _ cell: RowCell) {
        cells[column] = cell
        filled.insert(column)
    }

    mutating func fill(_ column: Int, quoted text: [UInt8]) {
        let start = bytes.count
        bytes.append(text.span)
        fill(column, bytes.quotedText(from: start))
    }
}

/// The columns and members that the reader names.
struct RowPlaces: Sendable {
    let file = RowColumn.index(of: "file")
    let line = RowColumn.index(of: "line")
    let verified = RowColumn.index(of: "verified")
    let kind = RowColumn.index(of: "kind")
    let error = RowColumn.index(of: "error")
    let detail = RowColumn.index(of: "detail")
    let message = RowColumn.index(of: "message")
    let failedMember = RowColumn.index(of: "failedMember")
    let retryable = RowColumn.index(of: "retryable")
    let meaning = RowColumn.index(of: "meaning")
    let accessChange = RowColumn.index(of: "accessChange")
    let receiptTransactions = RowColumn.index(of: "receiptTransactions")
    let envelope = RowColumn.index(of: "envelope")
    /// Members of a notification.
    let notificationType = ServerNotification.form.number(of: "notificationType")
    let subtype = ServerNotification.form.number(of: "subtype")
    /// The columns of an app receipt.
    let receipt = RowColumn.all.enumerated().compactMap { index, column in
        column.receipt.map { (column: index, source: $0) }
    }
}

/// Finds the members of a part.
struct RowPartReader: Sendable {
    /// A member, and the column that it may fill.
    struct Source: Sendable {
        let member: Int
        let column: Int
        let rule: RowSource.Rule
        let isOutermost: Bool
        /// Whether an absent member leaves the column null.
        let needsValue: Bool
    }

    let sources: [Source]
    /// The objects in this part that are parts too.
    let children: [(member: Int, part: Int)]
    private var object: JSONObject

    init(_ part: RowPart) {
        let form = part.form
        object = JSONObject(wanted: form.names)
        sources = RowColumn.all.enumerated().flatMap { index, column in
            column.sources.filter { $0.part == part }.map { source in
                Source(
                    member: form.number(of: source.member), column: index, rule: source.rule,
                    isOutermost: source.isOutermost, needsValue: source.rule.needsValue)
            }
        }
        children = RowPart.allCases.compactMap { child in
            guard let place = child.place, place.part == part else { return nil }
            return (form.number(of: place.member), child.rawValue)
        }
    }

    /// The value of a member of the object that was read last.
    subscript(member: Int) -> JSONValue? {
        // Nothing changes; the compiler would copy a reader that it may not change.
        mutating get { object[member] }
    }

    /// Reads an object of a payload that was checked before; returns whether it is one.
    mutating func read(_ json: Span<UInt8>, in range: Range<Int>) -> Bool {
        (try? object.read(json, in: range, isChecked: true)) != nil
    }

    /// Fills the columns of the object that was read.
    mutating func fill(_ row: inout RowCells, _ json: Span<UInt8>, isOutermost: Bool) {
        // A local value, which the compiler knows to stay the same.
        let sources = sources
        for index in sources.indices {
            let source = sources[index]
            let value = object[source.member]
            if value == nil, source.needsValue { continue }
            if row.filled.contains(source.column) || source.isOutermost && !isOutermost { continue }
            guard let cell = row.bytes.append(value, by: source.rule, of: json) else { continue }
            row.fill(source.column, cell)
        }
    }
}

extension RowSource.Rule {
    /// Whether an absent member has no value.
    var needsValue: Bool {
        switch self {
        case .priceIncreaseStatus, .form(.flag), .form(.integerOrOne): false
        default: true
        }
    }
}

/// The cells of the last failures. The same failure often comes again, for instance with every line under the wrong root.
struct RowFailures: Sendable {
    private struct Cells: Sendable {
        let error: VerificationError
        var bytes: [UInt8] = []
        var cells: [(column: Int, cell: RowCell)] = []
    }

    private static let capacity = 8
    private var known: [Cells] = []
    private var next = 0

    /// Fills the columns of a failure.
    mutating func append(_ error: VerificationError, _ places: RowPlaces, to row: inout RowCells) {
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

    private static func cells(of error: VerificationError, _ places: RowPlaces) -> Cells {
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
