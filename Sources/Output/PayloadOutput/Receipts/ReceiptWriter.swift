internal import AppReceipts
package import Essentials
package import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

/// How verdicts on receipts are written to standard output.
package enum ReceiptOutput: String, CaseIterable {
    /// One JSON object for every file.
    case ndjson
    /// Only the content of verified receipts; failures go to standard error.
    case payload
    /// Nothing: the exit status gives the result.
    case none
}

/// Writes the results about receipts in a form. A result is one line at most.
package struct ReceiptWriter: Sendable {
    /// The part of a receipt that is written.
    package enum Form: Sendable {
        case verdict(ReceiptOutput)
        /// The verdict, with the receipt by StoreKit's names.
        case typed
        /// The answer of Apple's `verifyReceipt` endpoint to a request at this date.
        case response(requestDate: Date)
        /// The identifiers of its purchases.
        case transactionIDs
    }

    private let form: Form

    /// - Parameter form: the part of each receipt to write.
    package init(form: Form) { self.form = form }

    /// Whether a failure is not in the output, or only as a number. Then standard error reports it, too.
    package var leavesOutFailures: Bool {
        switch form {
        case .verdict(.none), .verdict(.ndjson), .typed: false
        case .verdict(.payload), .response, .transactionIDs: true
        }
    }

    /// The text about a verified receipt.
    ///
    /// - Parameters:
    ///   - content: the content of the receipt's file.
    ///   - file: the file's name, if the text names it.
    package func text(for receipt: VerifiedReceipt, content: [UInt8], file: String?) -> [UInt8] {
        switch form {
        case .verdict(.none): return []
        case .verdict(.payload): return receipt.receipt.json + [UInt8(ascii: "\n")]
        case .verdict(.ndjson), .typed:
            let writer = VerdictWriter(format: .ndjson, file: file)
            var output: [UInt8] = []
            if case .typed = form {
                writer.appendBeginning(line: nil, kind: .receipt, isTyped: true, to: &output)
                output += ObjectText(AppReceipt(receipt)).json.utf8
            } else {
                writer.appendBeginning(line: nil, kind: .receipt, to: &output)
                output += receipt.receipt.json
            }
            return output + "}\n".utf8
        case .response(let requestDate):
            let response = VerifyReceiptResponse(receipt, content: content, requestDate: requestDate)
            return Array((response.json(file: file) + "\n").utf8)
        case .transactionIDs:
            let lines = receipt.receipt.purchases.map { purchase in
                Self.line(
                    file, purchase.transactionID, purchase.originalTransactionID, purchase.productID,
                    isVerified: true)
            }
            return Array(lines.joined().utf8)
        }
    }

    /// The text about a receipt that is not verified.
    ///
    /// - Parameters:
    ///   - content: the file's content; `nil` if it was not kept.
    ///   - file: the file's name, if the text names it.
    package func text(for error: PayloadError, content: [UInt8]?, file: String?) -> [UInt8] {
        switch form {
        case .verdict(.none), .verdict(.payload): return []
        case .verdict(.ndjson), .typed:
            var output: [UInt8] = []
            VerdictWriter(format: .ndjson, file: file).append(error, line: nil, to: &output)
            return output + "\n".utf8
        case .response:
            let status = VerifyReceiptStatus(error)
            return Array((VerifyReceiptResponse.json(of: status, file: file) + "\n").utf8)
        case .transactionIDs:
            guard error.code == .invalidEncoding, let receipt = content.flatMap({ TransactionReceipt($0) })
            else { return [] }
            let line = Self.line(
                file, receipt.unverifiedTransactionID, receipt.unverifiedOriginalTransactionID,
                receipt.unverifiedProductID, isVerified: false)
            return Array(line.utf8)
        }
    }

    private static func line(
        _ file: String?, _ transactionID: String?, _ originalID: String?, _ productID: String?,
        isVerified: Bool
    ) -> String {
        var object = ObjectText()
        object.add("file", message: file)
        object.add("transactionId", transactionID)
        object.add("originalTransactionId", originalID)
        object.add("productId", productID)
        object.add("verified", isVerified)
        return object.json + "\n"
    }
}
