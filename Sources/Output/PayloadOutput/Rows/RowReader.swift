package import SignedPayloads
package import StoreKitVerify
package import WireFormats

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
    private var file: (cell: FormCell, count: Int)?
    private let places = RowPlaces()

    /// Makes a reader. The first one takes longest.
    package init() {}

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

    /// Gives each value that is not null to a closure, in the order of the columns.
    @inline(__always)
    package func forEachValue(_ body: (_ column: Int, _ value: FormCell) -> Void) {
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
        if kind == .notification {
            readNotification(json, inner)
        } else if let part = RowPart(kind) {
            read(part, json, isOutermost: true)
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
    package mutating func read(_ error: PayloadError) {
        row.fill(places.verified, .boolean(false))
        failures.append(error, places, to: &row)
    }

    /// Reads the members of the JSON object that holds the token, if the line is one. They are not signed.
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

    private mutating func readNotification(
        _ json: Span<UInt8>, _ inner: (_ path: String, _ body: (Span<UInt8>) -> Void) -> Void
    ) {
        let notification = RowPart.notification.rawValue
        guard parts[notification].read(json, in: 0..<json.count) else { return }
        parts[notification].fill(&row, json, isOutermost: true)
        let type = parts[notification][places.notificationType]
        let meanings = meanings.row(type, parts[notification][places.subtype], of: json, inner: inner)
        row.fill(places.meaning, quoted: meanings.meaning)
        row.fill(places.accessChange, quoted: meanings.accessChange)
        // Members of the payloads inside come before those of the parts around them.
        for (_, path, kind) in ServerNotification.signed {
            guard let part = RowPart(kind) else { continue }
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
