import AppReceipts
import Platform
import SignedPayloads
import VerificationReports

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How verdicts on receipts are written to standard output.
enum ReceiptOutput: String, CaseIterable {
    /// One JSON object for every file.
    case ndjson
    /// Only the content of verified receipts; failures go to standard error.
    case payload
    /// Nothing: the exit status gives the result.
    case none
}

/// Writes the results about receipts in the requested form.
struct ReceiptWriter {
    /// What to write of a receipt.
    enum Form {
        case verdict(ReceiptOutput)
        /// The answer of Apple's `verifyReceipt` endpoint to a request at this date.
        case response(requestDate: Date)
        /// The identifiers of its purchases.
        case transactionIDs
    }

    /// The text for each stream.
    struct Text {
        var output: [UInt8] = []
        /// A message for standard error, if there is one.
        var diagnostic: String?
    }

    let form: Form
    /// Whether each object names its file.
    let namesFiles: Bool

    /// The text for a file with a verified receipt.
    func text(for receipt: VerifiedReceipt, content: [UInt8], file: FileName) -> Text {
        Text(output: output(for: receipt, content: content, file: namesFiles ? file : nil))
    }

    private func output(for receipt: VerifiedReceipt, content: [UInt8], file: FileName?) -> [UInt8] {
        switch form {
        case .verdict(.none): return []
        case .verdict(.payload): return receipt.receipt.json + [UInt8(ascii: "\n")]
        case .verdict(.ndjson):
            var output: [UInt8] = []
            VerdictWriter(format: .ndjson, file: file?.text).appendBeginning(
                line: nil, kind: .receipt, to: &output)
            return output + receipt.receipt.json + "}\n".utf8
        case .response(let requestDate):
            let bytes = (try? ReceiptText.decode(file: content)) ?? []
            let json = VerifyReceiptResponse.json(
                of: receipt, bytes: bytes, requestDate: requestDate, file: file)
            return Array((json + "\n").utf8)
        case .transactionIDs:
            let lines = receipt.receipt.purchases.map { purchase in
                Self.line(
                    file, purchase.transactionID, purchase.originalTransactionID, purchase.productID,
                    isVerified: true)
            }
            return Array(lines.joined().utf8)
        }
    }

    /// The text for a file whose receipt is not verified.
    ///
    /// - Parameter content: the file's content; `nil` if it was not kept.
    func text(for error: PayloadError, content: [UInt8]?, file: FileName) -> Text {
        let name = namesFiles ? file : nil
        let sentence = "\(file == .standardInput ? "standard input" : file.text): \(error)"
        switch form {
        case .verdict(.none): return Text()
        case .verdict(.payload): return Text(diagnostic: sentence)
        case .verdict(.ndjson):
            var output: [UInt8] = []
            VerdictWriter(format: .ndjson, file: name?.text).append(error, line: nil, to: &output)
            return Text(output: output + "\n".utf8)
        case .response:
            let json = VerifyReceiptResponse.json(of: error, file: name)
            return Text(output: Array((json + "\n").utf8), diagnostic: sentence)
        case .transactionIDs:
            guard error.code == .invalidEncoding, let receipt = content.flatMap({ TransactionReceipt($0) })
            else {
                return Text(diagnostic: sentence)
            }
            let line = Self.line(
                name, receipt.unverifiedTransactionID, receipt.unverifiedOriginalTransactionID,
                receipt.unverifiedProductID, isVerified: false)
            return Text(output: Array(line.utf8), diagnostic: sentence)
        }
    }

    private static func line(
        _ file: FileName?, _ transactionID: String?, _ originalID: String?, _ productID: String?,
        isVerified: Bool
    ) -> String {
        var object = TypedObject()
        object.add(file: file?.text)
        object.add("transactionId", transactionID)
        object.add("originalTransactionId", originalID)
        object.add("productId", productID)
        object.add("verified", isVerified)
        return object.json + "\n"
    }
}
