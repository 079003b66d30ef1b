internal import StoreKitVerify
internal import WireFormats

/// The columns and members that the reader names. A name without a column would be `nil`; a test excludes it.
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
    let notificationType = ServerNotification.form.names.index(of: "notificationType")
    let subtype = ServerNotification.form.names.index(of: "subtype")
    /// The columns of an app receipt.
    let receipt = RowColumn.all.enumerated().compactMap { index, column in
        column.receipt.map { (column: index, source: $0) }
    }
}
