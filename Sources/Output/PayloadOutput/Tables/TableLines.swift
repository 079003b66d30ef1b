internal import Essentials
package import StoreKitVerify

extension Charge {
    /// The line of `storekit-verify charges`, which the page For analysts describes; without a charge, all of it is null.
    package static func line(_ charge: Charge?) -> TableLine {
        let sold = charge?.transaction
        let reason = charge?.kind == .refund ? charge?.evidence.revocationReason : nil
        let amounts: TableLine = [
            ("kind", TableValue(charge?.kind.rawValue)),
            ("date", TableValue(charge?.date)),
            ("amount", TableValue(charge?.amount)),
            ("estimate", TableValue(charge?.estimate)),
            ("currency", TableValue(sold?.currency?.identifier)),
        ]
        let details: TableLine = [
            ("quantity", TableValue(charge?.quantity)),
            ("item", TableValue(charge?.item)),
            ("storefront", TableValue(unlessEmpty: sold?.storefront.countryCode)),
            ("offerType", TableValue((sold?.offer?.type.rawValue).flatMap(Transaction.OfferType.name))),
            ("offerID", TableValue(sold?.offer?.id)),
            ("offerPaymentMode", TableValue(sold?.offer?.paymentMode?.rawValue)),
            ("revocationReason", TableValue((reason?.rawValue).flatMap(Transaction.RevocationReason.name))),
            ("counterpartTransactionID", TableValue(charge?.counterpart)),
            ("decidingTransactionID", TableValue(charge?.evidence.id)),
            ("decidingSignedDate", TableValue(charge?.evidence.signedDate)),
            ("source", source(charge?.evidence)),
        ]
        return amounts
            + purchaseColumns(
                charge?.purchase, first: charge?.firstOriginalTransactionID, charge?.customers ?? [])
            + productColumns(sold) + details
    }
}

extension AccessPeriod {
    /// The line of `storekit-verify periods`, which the page For analysts describes; without a period, all of it is null.
    package static func line(_ period: AccessPeriod?) -> TableLine {
        let state = (period?.state?.rawValue).flatMap(Product.SubscriptionInfo.RenewalState.name)
        let times: TableLine = [
            ("begins", TableValue(period?.begins)),
            ("ends", TableValue(period?.ends)),
            ("state", TableValue(state)),
            ("ending", TableValue(period?.ending?.rawValue)),
        ]
        let details: TableLine = [
            ("ownershipType", TableValue(unlessEmpty: period?.transaction.ownershipType.rawValue)),
            ("seats", TableValue(period?.seats)),
            ("source", source(period?.transaction)),
        ]
        return times
            + purchaseColumns(
                period?.purchase, first: period?.firstOriginalTransactionID, period?.customers ?? [])
            + productColumns(period?.transaction) + details
    }
}

/// Whether a signed payload or an app receipt has the transaction.
private func source(_ transaction: Transaction?) -> TableValue {
    TableValue((transaction?.isFromReceipt).map { $0 ? "receipt" : "payload" })
}
