internal import Essentials
package import StoreKitVerify

/// The columns of `storekit-verify charges`, which the page For analysts describes.
extension TableColumn<Charge> {
    package static let charges: [TableColumn<Charge>] =
        [
            TableColumn("kind") { .text($0.kind.rawValue) },
            TableColumn("date") { TableValue($0.date) },
            TableColumn("amount") { TableValue($0.amount) },
            TableColumn("estimate") { TableValue($0.estimate) },
            TableColumn("currency") { TableValue($0.transaction.currency?.identifier) },
        ] + purchase + product
        + [
            TableColumn("quantity") { .integer($0.quantity) },
            TableColumn("item") { TableValue($0.item) },
            TableColumn("storefront") { TableValue(unlessEmpty: $0.transaction.storefront.countryCode) },
            TableColumn("offerType") {
                TableValue($0.transaction.offer.flatMap { Transaction.OfferType.name(of: $0.type.rawValue) })
            },
            TableColumn("offerID") { TableValue($0.transaction.offer?.id) },
            TableColumn("offerPaymentMode") { TableValue($0.transaction.offer?.paymentMode?.rawValue) },
            TableColumn("revocationReason") {
                let reason = $0.kind == .refund ? $0.evidence.revocationReason : nil
                return TableValue(reason.flatMap { Transaction.RevocationReason.name(of: $0.rawValue) })
            },
            TableColumn("counterpartTransactionID") { TableValue($0.counterpart) },
            TableColumn("decidingTransactionID") { .identifier($0.evidence.id) },
            TableColumn("decidingSignedDate") { TableValue($0.evidence.signedDate) },
        ]
}

extension Charge: PurchaseLine {}
