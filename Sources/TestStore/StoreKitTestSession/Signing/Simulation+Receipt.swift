internal import Minting
internal import StoreKitVerify
internal import WireFormats

/// The app receipt of before StoreKit 2, which old apps still send to their servers.
extension Simulation {
    /// A customer's receipt, in base64: all purchases but finished consumables.
    func receipt(of customer: CustomerPlace) throws(StoreRefusal) -> String {
        let places = purchases[customer].transactions.filter {
            purchases[$0].product.type != .consumable || !purchases[$0].isFinished
        }
        do throws(MintingError) {
            guard !signer.isXcode else {
                let content = ReceiptContent.xcode(
                    creationDate: Self.text(now, zone: "+0000"),
                    purchases: places.map { .xcode(purchase: receiptPurchase($0, zone: "+0000")) }
                ).setting(ReceiptAttribute.App.bundleIdentifier, text: signer.app.bundleID)
                return try XcodeReceiptIdentity().minter().receipt(content)
            }
            let content = ReceiptContent(receiptApp(customer), purchases: places.map { inAppPurchase($0) })
            return try ReceiptPKI.session().minter(leaf: 0).receipt(content)
        } catch {
            throw .signing(error)
        }
    }

    /// The certificate that a verifier of the session's receipts has to trust, in DER.
    static func receiptRoot(isXcode: Bool) throws(MintingError) -> [UInt8] {
        isXcode ? try XcodeReceiptIdentity().template.der() : try ReceiptPKI.session().root.der()
    }

    /// Outside of production, receipts have 0 in place of the app's number.
    private func receiptApp(_ customer: CustomerPlace) -> ReceiptContent.App {
        let isProduction = signer.environment == .production
        var app = ReceiptContent.App()
        app.environment = isProduction ? "Production" : "ProductionSandbox"
        app.identifier = isProduction ? signer.app.appleID : 0
        // Receipts have another number of the download, of eighteen digits too.
        app.downloadIdentifier = Int(customers[customer].appTransactionID) - 202_000_000_000_000_000
        app.bundleIdentifier = signer.app.bundleID
        app.version = signer.app.version
        app.originalVersion = signer.app.version
        app.creationDate = Self.text(now)
        app.requestDate = Self.text(now)
        app.originalPurchaseDate = Self.text(customers[customer].downloadDate)
        return app
    }

    private func inAppPurchase(_ place: TransactionPlace) -> ReceiptContent {
        typealias Types = ReceiptAttribute.InApp
        let transaction = purchases[place]
        let isTrial = transaction.offer?.paymentMode == .freeTrial
        let isIntroductory = transaction.offer?.type == .introductory
        var content = ReceiptContent(receiptPurchase(place))
            .setting(Types.quantity, number: transaction.quantity)
            .setting(Types.isTrialPeriod, number: isTrial ? 1 : 0)
            // A free trial is told by its own attribute alone.
            .setting(Types.isIntroductoryOfferPeriod, number: isIntroductory && !isTrial ? 1 : 0)
        if let revocation = transaction.revocation {
            content = content.setting(Types.cancellationDate, date: Self.text(revocation.date))
        }
        if transaction.offer?.type == .promotional, let id = transaction.offer?.id {
            content = content.setting(Types.promotionalOfferIdentifier, text: id)
        }
        return content
    }

    private func receiptPurchase(_ place: TransactionPlace, zone: String = "Z") -> ReceiptContent.Purchase {
        let transaction = purchases[place]
        var purchase = ReceiptContent.Purchase()
        purchase.productIdentifier = transaction.product.id
        purchase.productType =
            switch transaction.product.type {
            case .consumable: .consumable
            case .nonConsumable: .nonConsumable
            case .nonRenewable: .nonRenewing
            default: .autoRenewable
            }
        purchase.transactionIdentifier = String(transaction.id)
        purchase.originalTransactionIdentifier = String(transaction.originalID)
        purchase.purchaseDate = Self.text(transaction.purchaseDate, zone: zone)
        purchase.originalPurchaseDate = Self.text(transaction.originalPurchaseDate, zone: zone)
        purchase.expiresDate = transaction.expiresDate.map { Self.text($0, zone: zone) } ?? ""
        purchase.webOrderLineItemIdentifier = Int(clamping: transaction.webOrderLineItemID ?? 0)
        return purchase
    }

    /// A date in a receipt's form, to the second.
    private static func text(_ milliseconds: Int, zone: String = "Z") -> String {
        CalendarTime.iso8601(Int64(milliseconds / 1000)).dropLast() + zone
    }
}
