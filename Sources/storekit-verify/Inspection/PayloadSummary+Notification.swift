import SignedPayloads
import StoreKitVerify

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PayloadSummary {
    /// Adds what a notification says, and what the payloads inside it say about the purchase.
    mutating func addNotification(_ inspection: Inspection) {
        guard let fields = inspection.payload.flatMap({ PurchaseFields($0) }) else { return }
        let data = fields.object("data")
        let transaction = Self.inner("data.signedTransactionInfo", of: inspection)
        let renewal = Self.inner("data.signedRenewalInfo", of: inspection)
        addEvent(fields, data, transaction, renewal)
        if let transaction {
            addTransaction(transaction, access: rows.last { $0.label == "Access" }?.value)
        } else if let renewal {
            add("Product", renewal.text("productId"))
        }
        if let renewal { addRenewal(renewal) }
        addCustomer(transaction ?? renewal)
        if let summary = fields.object("summary") { addMassExtension(summary) }
        if let token = fields.object("externalPurchaseToken") { addExternalPurchase(token) }
        let appTransaction = Self.inner("appData.signedAppTransactionInfo", of: inspection)
        add("Customer", appTransaction?.text("appTransactionId").map { "appTransactionId \($0)" })
        for nested in inspection.nested where nested.inspection.kind == nil {
            add("Unreadable", TextLayout.shown(nested.member))
        }
        let part = data ?? fields.object("appData") ?? fields.object("summary")
        addApp(part ?? fields.object("externalPurchaseToken") ?? transaction)
        add("Environment", part?.text("environment") ?? Self.environment(fields))
    }

    private static func inner(_ member: String, of inspection: Inspection) -> PurchaseFields? {
        inspection.nested.first { $0.member == member }?.inspection.payload.flatMap { PurchaseFields($0) }
    }

    /// The environment of an external purchase token. Its identifier tells it, because it has no member for
    /// it.
    private static func environment(_ fields: PurchaseFields) -> String? {
        fields.object("externalPurchaseToken")?.text("externalPurchaseId").map {
            ImpliedEnvironment(externalPurchaseIdentifier: $0).environment.rawValue
        }
    }

    private mutating func addEvent(
        _ fields: PurchaseFields, _ data: PurchaseFields?, _ transaction: PurchaseFields?,
        _ renewal: PurchaseFields?
    ) {
        let (type, subtype) = (fields.fields.string("notificationType"), fields.fields.string("subtype"))
        guard let type else { return add("Event", "not named") }
        add("Event", [type, subtype].compactMap(\.self).map(TextLayout.shown).joined(separator: ", "))
        let (meaning, access) = ServerNotification.tableRow(
            ServerNotification.NotificationType(rawValue: type),
            subtype.map(ServerNotification.Subtype.init(rawValue:)))
        add("Meaning", meaning.sentence)
        let dates = AccessDates(
            end: transaction?.dateText("expiresDate"), grace: renewal?.dateText("gracePeriodExpiresDate"),
            revocation: transaction?.dateText("revocationDate"), hasTransaction: transaction != nil)
        add("Access", meaning.isAboutAccess ? access.sentence(meaning, dates) : nil)
        if let status = data?.fields.integer("status") {
            let name = Product.SubscriptionInfo.RenewalState(rawValue: status).localizedDescription
            add("Status", "\(name.lowercased()) (\(status))")
        }
        add("Reason", data?.text("consumptionRequestReason"))
    }

    private mutating func addMassExtension(_ summary: PurchaseFields) {
        add("Product", summary.text("productId"))
        if let succeeded = summary.fields.integer("succeededCount") {
            let failed = summary.fields.integer("failedCount") ?? 0
            add("Result", "\(succeeded) renewal dates moved, \(failed) failed")
        }
        add("Request", summary.text("requestIdentifier"))
    }

    private mutating func addExternalPurchase(_ token: PurchaseFields) {
        add("Token", token.text("externalPurchaseId"))
        add("Token", token.text("tokenType"))
        add("Created", token.dateText("tokenCreationDate"))
        add("Expires", token.dateText("tokenExpirationDate"))
    }
}

/// The dates on which access depends, as texts; `nil` for a date that is not given.
struct AccessDates {
    /// The end of the period that the transaction covers.
    let end: String?
    /// The end of the grace period.
    let grace: String?
    /// When the App Store revoked the purchase.
    let revocation: String?
    /// Whether there is a transaction. If so, a missing end means that access has no end.
    let hasTransaction: Bool
}

extension ServerNotification.AccessChange {
    /// What changes for the customer, and until when.
    func sentence(_ meaning: ServerNotification.Meaning, _ dates: AccessDates) -> String {
        switch self {
        case .grants:
            guard let end = dates.end else {
                return dates.hasTransaction ? "granted, without an end" : "granted"
            }
            return "granted until \(end)"
        case .keeps:
            if meaning == .billingFailed(.gracePeriod), let grace = dates.grace {
                return "kept until \(grace), the end of the grace period"
            }
            return "not changed" + (dates.end.map { "; the transaction covers until \($0)" } ?? "")
        case .endsWithPeriod: return "ends with the period" + (dates.end.map { ", on \($0)" } ?? "")
        case .ends:
            if meaning == .refunded || meaning == .familySharingRevoked {
                let parts = [
                    dates.revocation.map { " on \($0)" }, dates.end.map { ", for the time until \($0)" },
                ]
                return "taken back" + parts.compactMap(\.self).joined()
            }
            let date = meaning == .gracePeriodOver ? dates.grace ?? dates.end : dates.end
            return "ended" + (date.map { " on \($0)" } ?? "")
        case .unknown: return "not known: see status and dates"
        }
    }
}

extension ServerNotification.Meaning {
    /// Whether the notification is about a customer's access to a product.
    fileprivate var isAboutAccess: Bool {
        switch self {
        case .test, .externalPurchaseToken, .massExtension(.done): false
        default: true
        }
    }

    /// What happened, for people.
    fileprivate var sentence: String {
        switch self {
        case .subscribed(let occasion): Self.subscribed(occasion)
        case .renewed: "The subscription renewed."
        case .recovered: "The subscription renewed, after a charge that had failed."
        case .renewalTurnedOn: "Renewal was turned on: the subscription will renew."
        case .renewalTurnedOff: "Renewal was turned off: the subscription will not renew."
        case .planChanged(let change): Self.planChanged(change)
        case .offerRedeemed(let redemption): Self.redeemed(redemption)
        case .billingFailed(.gracePeriod): "A charge failed; the customer is in a grace period."
        case .billingFailed(.noGracePeriod): "A charge failed, and there is no grace period."
        case .gracePeriodOver: "The grace period is over; the App Store still tries to charge."
        case .expired(let cause): Self.expired(cause)
        case .priceIncreasePending: "The customer was asked to agree to a higher price."
        case .priceIncreaseSettled: "The price will rise: the customer agreed, or need not."
        case .oneTimeCharge: "The customer bought a product that is no renewing subscription."
        case .consumptionDataRequested: "The customer asks for a refund; Apple asks for consumption data."
        case .refunded: "The App Store refunded the transaction."
        case .refundDeclined: "The App Store declined a refund."
        case .refundReversed: "The App Store took a refund back."
        case .familySharingRevoked: "The family no longer shares the purchase with the customer."
        case .renewalDateExtended: "The renewal date was moved, at the app's request."
        case .massExtension(.done): "The renewal dates of all subscribers were moved."
        case .massExtension(.failedForOne): "The renewal date of this subscription could not be moved."
        case .externalPurchaseToken(.created): "A token for external purchases was made."
        case .externalPurchaseToken(.unreported): "The app has not reported on an external purchase token."
        case .externalPurchaseToken(.stillActive): "A token for external purchases is still active."
        case .consentRescinded: "A parent withdrew the consent to a child's use of the app."
        case .metadataUpdated: "The app's server changed the subscription's metadata."
        case .migrated: "The subscription moved to the Advanced Commerce API."
        case .priceChanged: "The app's server changed the subscription's price."
        case .test: "A test: the app's server asked for it."
        case .unknown: "Not known: this type and subtype are not documented here."
        }
    }

    private static func subscribed(_ occasion: Occasion) -> String {
        switch occasion {
        case .first: "The customer subscribed, for the first time in this group."
        case .again: "The customer subscribed again."
        }
    }

    private static func planChanged(_ change: PlanChange) -> String {
        switch change {
        case .upgraded: "The customer upgraded: a period of another product began."
        case .willDowngrade: "The customer chose another product, from the next renewal on."
        case .reverted: "The customer keeps the present product after all."
        }
    }

    private static func redeemed(_ redemption: OfferRedemption) -> String {
        switch redemption {
        case .samePlan: "The customer redeemed an offer for the present product."
        case .upgraded: "The customer upgraded with an offer."
        case .willDowngrade: "The customer redeemed an offer for another product, from renewal on."
        case .subscribed(.first): "The customer subscribed with an offer, for the first time."
        case .subscribed(.again): "The customer subscribed again, with an offer."
        }
    }

    private static func expired(_ cause: ExpirationCause) -> String {
        switch cause {
        case .voluntary: "The subscription ended: the customer had turned renewal off."
        case .billing: "The subscription ended: the customer could not be charged."
        case .priceIncreaseNotAccepted: "The subscription ended: no consent to a higher price."
        case .productNotForSale: "The subscription ended: the product was no longer for sale."
        case .other: "The subscription ended, for a reason that is not given."
        }
    }
}
