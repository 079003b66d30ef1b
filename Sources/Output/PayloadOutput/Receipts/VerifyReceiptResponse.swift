internal import AppReceipts
package import Essentials
package import SignedPayloads
package import StoreKitVerify
internal import WireFormats

/// The answer of Apple's `verifyReceipt` endpoint, now deprecated, as far as a receipt and the known payloads about its
/// purchases have its members (App Store Receipts, `responseBody`).
///
/// A receipt lacks some members, which only Apple's servers or signed payloads have: renewals after the receipt
/// was made, `pending_renewal_info`, `subscription_group_identifier`, `in_app_ownership_type` and the like.
package struct VerifyReceiptResponse {
    private let receipt: VerifiedReceipt
    /// The bytes of the receipt itself.
    private let bytes: [UInt8]
    private let requestDate: Date
    /// Whether `latest_receipt_info` has only the latest transaction of each subscription.
    private let excludesOldTransactions: Bool

    /// - Parameters:
    ///   - receipt: the verified receipt.
    ///   - content: the receipt as it was given: DER, or base64.
    ///   - requestDate: the time of the request.
    ///   - excludesOldTransactions: whether `latest_receipt_info` has only the latest transaction of each subscription.
    package init(
        _ receipt: VerifiedReceipt, content: [UInt8], requestDate: Date, excludesOldTransactions: Bool = false
    ) {
        self.receipt = receipt
        bytes = (try? ReceiptText.decode(file: content)) ?? []
        self.requestDate = requestDate
        self.excludesOldTransactions = excludesOldTransactions
    }

    /// Whether the receipt has a subscription that renews. Then its caller must know the shared secret.
    package var hasSubscriptions: Bool {
        receipt.receipt.purchases.contains(where: EndpointPurchase.isAutoRenewable)
    }

    /// The purchases of the receipt, by which more may be known of them.
    package var customer: Customer {
        Customer(
            receipt.receipt.purchases.compactMap { purchase in
                (purchase.originalTransactionID ?? purchase.transactionID).flatMap { UInt64($0) }
                    .map { .originalTransactionID($0) }
            })
    }

    /// The receipt's app and environment: purchases of others are not the receipt's. `nil` if the receipt does not
    /// name them.
    package var selection: AppSelection? {
        guard let app = receipt.receipt.bundleID, let type = receipt.receipt.receiptType else { return nil }
        return .app(app, in: AppStoreEnvironment(rawValue: ReceiptVerifier.environment(ofType: type)))
    }

    /// The answer about the receipt.
    ///
    /// - Parameters:
    ///   - file: the file's name, if the text names it.
    ///   - known: other payloads about the receipt's purchases. If both have a transaction, these count: it may have been
    ///     refunded since.
    package func json(file: String? = nil, known: [PurchaseChain] = []) -> String {
        let content = receipt.receipt
        var response = ObjectText()
        response.add("file", message: file)
        response.add("status", 0)
        response.add("environment", content.receiptType.map(ReceiptVerifier.environment))
        response.add("receipt", object(for: content))
        if hasSubscriptions {
            let latest = latest(content.purchases.map { EndpointPurchase($0) }, known)
            response.add("latest_receipt_info", all: latest.map(\.object))
            response.add("latest_receipt", Data(bytes).base64EncodedString())
            let renewals = known.compactMap(\.renewalInfo).ordered {
                $0.originalTransactionID < $1.originalTransactionID
            }
            response.add("pending_renewal_info", renewals.map(\.endpointObject))
        }
        return response.json
    }

    /// The answer about an unverified receipt, or a request that is refused: only a status.
    package static func json(of status: VerifyReceiptStatus, file: String? = nil) -> String {
        var response = ObjectText()
        response.add("file", message: file)
        response.add("status", status.rawValue)
        return response.json
    }

    /// The purchases for `latest_receipt_info`, newest first. It has all purchases of a receipt that has
    /// subscriptions (App Store Receipts).
    private func latest(_ purchases: [EndpointPurchase], _ known: [PurchaseChain]) -> [EndpointPurchase] {
        let transactions = known.flatMap(\.transactions).map { EndpointPurchase($0) }
        let replaced = Set(transactions.map(\.transactionID))
        let all = purchases.filter { !replaced.contains($0.transactionID) } + transactions
        let sorted = all.enumerated().ordered { left, right in
            let (one, other) = (
                left.element.date ?? .distantPast, right.element.date ?? .distantPast
            )
            return one == other ? left.offset < right.offset : one > other
        }.map(\.element)
        guard excludesOldTransactions else { return sorted }
        var subscriptions: Set<String?> = []
        return sorted.filter { purchase in
            let subscription = purchase.originalTransactionID ?? purchase.transactionID
            return purchase.isAutoRenewable && subscriptions.insert(subscription).inserted
        }
    }

    private func object(for receipt: Receipt) -> ObjectText {
        var object = ObjectText()
        object.add("receipt_type", receipt.receiptType)
        object.add("adam_id", number: receipt.appID)
        object.add("app_item_id", number: receipt.appID)
        object.add("bundle_id", receipt.bundleID)
        object.add("application_version", receipt.appVersion)
        object.add("download_id", number: receipt.downloadID)
        object.add("version_external_identifier", number: receipt.appVersionID)
        object.add("receipt_creation_date", endpointForms: receipt.creationDate)
        object.add("request_date", endpointForms: requestDate)
        object.add("original_purchase_date", endpointForms: receipt.originalPurchaseDate)
        object.add("original_application_version", receipt.originalAppVersion)
        object.add("expiration_date", endpointForms: receipt.expirationDate)
        object.add("in_app", all: receipt.purchases.map(EndpointPurchase.object(for:)))
        return object
    }
}
