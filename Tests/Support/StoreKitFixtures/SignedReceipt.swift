package import Foundation
package import Minting
package import SignedPayloads
package import StoreKitVerify
internal import TestMinting

/// App receipts that the tests mint.
package enum SignedReceipt {
    package static func anchors() throws -> [TrustAnchor] {
        [TrustAnchor(der: try ReceiptPKI.standard().root.der())]
    }

    package static func verifier(deviceIdentifier: [UInt8]? = nil) throws -> ReceiptVerifier {
        try ReceiptVerifier(anchors: anchors(), deviceIdentifier: deviceIdentifier)
    }

    package static func base64(_ content: ReceiptContent) throws -> String {
        try ReceiptPKI.standard().minter().receipt(content)
    }

    /// A minted receipt, verified.
    package static func appReceipt(_ content: ReceiptContent) throws -> AppReceipt {
        try verifier().appReceipt(base64(content))
    }

    /// The one purchase of a minted receipt, verified.
    package static func transaction(_ purchase: ReceiptContent) throws -> ReceiptTransaction? {
        try appReceipt(ReceiptContent(ReceiptContent.App(), purchases: [purchase])).transactions.first
    }

    /// A date in the form that receipts use.
    package static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }

    /// An attribute of a given kind, with a value that is not empty.
    package static func attribute(_ type: Int, _ kind: String) -> Minting.ReceiptAttribute? {
        switch kind {
        case "text": Minting.ReceiptAttribute(type, Minting.ReceiptAttribute.text("1"))
        case "number": Minting.ReceiptAttribute(type, Minting.ReceiptAttribute.number(1))
        case "date": Minting.ReceiptAttribute(type, Minting.ReceiptAttribute.date("2025-12-06T05:46:40Z"))
        case "bytes": Minting.ReceiptAttribute(type, [1, 2, 3])
        default: nil
        }
    }
}
