internal import WireFormats

/// The body of a request to Apple's `verifyReceipt` endpoint (App Store Receipts, `requestBody`).
///
///     {"receipt-data":"MIIT…","password":"…","exclude-old-transactions":true}
package struct VerifyReceiptRequest: Hashable, Sendable {
    /// The receipt as it was sent, which should be base64.
    package let receipt: [UInt8]
    /// The app's shared secret, as the caller has it.
    package let password: String?
    /// Whether only the latest transaction of each subscription is wanted in `latest_receipt_info`.
    package let excludesOldTransactions: Bool

    /// Reads a body. Members of other names are passed over, as the endpoint did.
    ///
    /// - Throws: the status of the answer.
    package init(json: [UInt8]) throws(VerifyReceiptStatus) {
        guard let members = (try? JSONTree(json.span))?.members else { throw .malformedRequest }
        let body = JSONTree.object(members)
        switch body["exclude-old-transactions"] {
        case nil, .null: excludesOldTransactions = false
        case .bool(let value): excludesOldTransactions = value
        default: throw .malformedRequest
        }
        switch body["password"] {
        case nil, .null: password = nil
        case .string(let text): password = text
        default: throw .malformedRequest
        }
        guard let text = body["receipt-data"]?.stringValue, !text.isEmpty else { throw .malformedReceipt }
        receipt = Array(text.utf8)
    }
}
