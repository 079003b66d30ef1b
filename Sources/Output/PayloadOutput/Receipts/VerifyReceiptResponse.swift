internal import AppReceipts
internal import SignedPayloads
internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What Apple's `verifyReceipt` endpoint, now deprecated, would have answered, as far as a receipt can tell
/// (App Store Receipts, `responseBody`).
///
/// Only Apple's servers know some members, so these are left out: renewals after the receipt was made,
/// `pending_renewal_info`, `subscription_group_identifier`, `in_app_ownership_type` and the like.
enum VerifyReceiptResponse {
    /// The answer about a verified receipt.
    ///
    /// - Parameter bytes: the bytes of the receipt itself.
    static func json(
        of receipt: VerifiedReceipt, bytes: [UInt8], requestDate: Date, file: String?
    ) -> String {
        let content = receipt.receipt
        var response = ObjectText()
        response.add("file", message: file)
        response.add("status", 0)
        response.add("environment", content.receiptType.map(ReceiptVerifier.environment))
        response.add("receipt", object(for: content, requestDate: requestDate))
        if content.purchases.contains(where: isSubscription) {
            response.add("latest_receipt_info", newestFirst(content.purchases).map(Self.object))
            response.add("latest_receipt", Data(bytes).base64EncodedString())
        }
        return response.json
    }

    /// The answer about an unverified receipt: only a status.
    static func json(of error: PayloadError, file: String?) -> String {
        var response = ObjectText()
        response.add("file", message: file)
        response.add("status", status(of: error))
        return response.json
    }

    /// The endpoint's status for a failure (App Store Receipts, `status`).
    static func status(of error: PayloadError) -> Int {
        switch error.code {
        // The data is malformed or missing.
        case .tooLarge, .invalidEncoding, .missingRequiredProperties: return 21002
        case .wrongEnvironment:
            guard case .environment(let found?, let accepted) = error.cause else { return 21003 }
            let (sandbox, production) = (
                AppStoreEnvironment.sandbox.rawValue,
                AppStoreEnvironment.production.rawValue
            )
            switch ReceiptVerifier.environment(ofType: found) {
            // The receipt is from the test environment, but was sent to production.
            case sandbox where accepted.contains(production): return 21007
            // The receipt is from production, but was sent to the test environment.
            case production where accepted.contains(sandbox): return 21008
            default: return 21003
            }
        // There is no answer at the moment; the caller should try again.
        case .revocationUnknown: return 21005
        // The receipt could not be authenticated.
        case .invalidCertificateChain, .revokedCertificate, .invalidSignature, .wrongBundleIdentifier,
            .wrongAppAppleIdentifier, .invalidDeviceVerification:
            return 21003
        }
    }

    /// Whether a purchase is a subscription. If the receipt has no product type, an expiration date tells.
    private static func isSubscription(_ purchase: InAppPurchase) -> Bool {
        purchase.productType.map { $0 == .autoRenewable } ?? (purchase.expirationDate != nil)
    }

    /// The purchases for `latest_receipt_info`, newest first. It has all purchases of a receipt that has
    /// subscriptions (App Store Receipts).
    private static func newestFirst(_ purchases: [InAppPurchase]) -> [InAppPurchase] {
        purchases.map { (purchase: $0, date: $0.purchaseDate ?? .distantPast) }
            .enumerated()
            .sorted { left, right in
                let (one, other) = (left.element.date, right.element.date)
                return one == other ? left.offset < right.offset : one > other
            }
            .map(\.element.purchase)
    }

    private static func object(for receipt: Receipt, requestDate: Date) -> ObjectText {
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
        object.add("in_app", all: receipt.purchases.map(Self.object))
        return object
    }

    private static func object(for purchase: InAppPurchase) -> ObjectText {
        var object = ObjectText()
        object.add("quantity", purchase.quantity.map { String($0) })
        object.add("product_id", purchase.productID)
        object.add("transaction_id", purchase.transactionID)
        object.add("original_transaction_id", purchase.originalTransactionID)
        object.add("purchase_date", endpointForms: purchase.purchaseDate)
        object.add("original_purchase_date", endpointForms: purchase.originalPurchaseDate)
        object.add("expires_date", endpointForms: purchase.expirationDate)
        object.add("cancellation_date", endpointForms: purchase.cancellationDate)
        object.add("web_order_line_item_id", id: purchase.webOrderLineItemID.flatMap { $0 == 0 ? nil : $0 })
        object.add("is_trial_period", purchase.isTrialPeriod.map { String($0) })
        object.add("is_in_intro_offer_period", purchase.isInIntroOfferPeriod.map { String($0) })
        object.add("promotional_offer_id", purchase.promotionalOfferID)
        return object
    }
}

extension ObjectText {
    /// Adds a date in the endpoint's three forms: in UTC, as milliseconds since 1970, and in Los Angeles.
    fileprivate mutating func add(_ name: String, endpointForms date: Date?) {
        guard let date else { return }
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let whole = Int64(exactly: milliseconds) else { return }
        let second = Int64((milliseconds / 1000).rounded(.down))
        add(name, Self.text(second, zone: "Etc/GMT"))
        add(name + "_ms", "\(whole)")
        add(name + "_pst", Self.text(second + PacificTime.offset(at: second), zone: "America/Los_Angeles"))
    }

    /// A time in the form `2025-12-26 18:39:47 Etc/GMT`.
    private static func text(_ second: Int64, zone: String) -> String {
        let iso8601 = CalendarTime.iso8601(second)
        guard iso8601.hasSuffix("Z") else { return iso8601 }
        return iso8601.dropLast().replacing("T", with: " ") + " " + zone
    }
}
