internal import Essentials
internal import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

extension PayloadSummary {
    /// Adds the content of a notification, and that of the payloads inside it about the purchase.
    mutating func addNotification(_ inspection: Inspection) {
        let form = ServerNotification.form
        guard let fields = inspection.payload.flatMap({ PurchaseFields($0, form) }) else { return }
        let data = fields.object("data", NotificationData.form)
        let transaction = Self.inner("data.signedTransactionInfo", Transaction.form, of: inspection)
        let renewal = Self.inner(
            "data.signedRenewalInfo", Product.SubscriptionInfo.RenewalInfo.form, of: inspection)
        addEvent(fields, data, transaction, renewal)
        if let transaction {
            addTransaction(transaction, access: rows.last { $0.label == "Access" }?.value)
        } else if let renewal {
            add("Product", renewal.identifier("productId"))
        }
        if let renewal { addRenewal(renewal) }
        if transaction == nil { addCustomer(renewal) }
        let summary = fields.object("summary", NotificationSummary.form)
        if let summary { addMassExtension(summary) }
        let token = fields.object("externalPurchaseToken", ExternalPurchaseToken.form)
        if let token { addExternalPurchase(token) }
        let unclaimed = fields.object("unclaimInfo", NotificationUnclaimInfo.form)
        if let unclaimed { addUnclaimedSeats(unclaimed, hasPurchase: transaction ?? renewal != nil) }
        let appTransaction = Self.inner(
            "appData.signedAppTransactionInfo", AppTransaction.form, of: inspection)
        addDownload(appTransaction)
        for nested in inspection.nested where nested.inspection.kind == nil {
            add("Unreadable", ShownText.text(nested.member))
        }
        let part = data ?? fields.object("appData", NotificationAppData.form) ?? summary ?? unclaimed
        addApp(part ?? token ?? transaction)
        // An external purchase token has no member for the environment: its identifier has it.
        let implied = token?.text("externalPurchaseId").map {
            ExternalPurchaseToken.environment(ofIdentifier: $0).rawValue
        }
        addEnvironment(part?.text("environment") ?? implied)
    }

    /// A payload inside, read as the type that its member should have.
    private static func inner(
        _ member: String, _ form: PayloadForm, of inspection: Inspection
    ) -> PurchaseFields? {
        inspection.nested.first { $0.member == member }?.inspection.payload.flatMap {
            PurchaseFields($0, form)
        }
    }

    private mutating func addEvent(
        _ fields: PurchaseFields, _ data: PurchaseFields?, _ transaction: PurchaseFields?,
        _ renewal: PurchaseFields?
    ) {
        let (type, subtype) = (fields.fields.string("notificationType"), fields.fields.string("subtype"))
        guard let type else { return add("Event", "not named") }
        add("Event", [type, subtype].compactMap(\.self).map(ShownText.text).joined(separator: ", "))
        let (meaning, access) = ServerNotification.tableRow(
            ServerNotification.NotificationType(rawValue: type),
            subtype.map(ServerNotification.Subtype.init(rawValue:)))
        let evidence = AccessEvidence(fields, data, transaction, renewal)
        let change = evidence.change(meaning, access)
        add("Meaning", meaning.sentence(with: change))
        let dates = AccessDates(
            end: transaction?.dateText("expiresDate"), grace: renewal?.dateText("gracePeriodExpiresDate"),
            announcedGrace: evidence.announcedGrace, revocation: transaction?.revocationText,
            hasTransaction: transaction != nil)
        add("Access", meaning.isAboutAccess ? change.sentence(meaning, dates) : nil)
        if let status = data?.fields.integer("status") {
            let text = Product.SubscriptionInfo.RenewalState.text(of: status) ?? "unknown"
            add("Status", "\(text) (\(status))")
        }
        add("Reason", data?.text("consumptionRequestReason"))
    }

    private mutating func addMassExtension(_ summary: PurchaseFields) {
        add("Product", summary.identifier("productId"))
        if let succeeded = summary.fields.integer("succeededCount") {
            let failed = summary.fields.integer("failedCount") ?? 0
            add("Result", "\(succeeded) renewal dates moved, \(failed) failed")
        }
        add("Request", summary.identifier("requestIdentifier"))
    }

    private mutating func addUnclaimedSeats(_ unclaimed: PurchaseFields, hasPurchase: Bool) {
        let claims = unclaimed.fields.strings("unclaimSeatIds") ?? []
        add("Claims", claims.isEmpty ? "none named" : "\(claims.count) ended")
        for claim in claims.prefix(3) { add("Claim", Identifier(text: claim)) }
        guard !hasPurchase else { return }
        add("Customer", unclaimed.identifier("originalTransactionId"), name: "originalTransactionId")
        addOriginalTransaction(unclaimed.fields.identifier("originalTransactionId"))
    }

    private mutating func addExternalPurchase(_ token: PurchaseFields) {
        add("Token", token.identifier("externalPurchaseId"))
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
    /// Until when a grace period counts whose end is not given.
    let announcedGrace: String?
    /// When the App Store revoked the purchase.
    let revocation: String?
    /// Whether there is a transaction. If so, a missing end means that access has no end.
    let hasTransaction: Bool

    fileprivate var graceSentence: String? {
        grace.map { "kept until \($0), the end of the grace period" }
            ?? announcedGrace.map {
                "kept until \($0), three days: the end of the grace period is not given"
            }
    }
}

extension AccessEvidence {
    fileprivate init(
        _ notification: PurchaseFields, _ data: PurchaseFields?, _ transaction: PurchaseFields?,
        _ renewal: PurchaseFields?
    ) {
        self.init()
        isCommitment = Transaction.isCommitment(
            plan: transaction?.fields.string("billingPlanType"),
            hasInfo: transaction?.object("commitmentInfo", Transaction.CommitmentInfo.form) != nil)
        renews = renewal.map { $0.fields.integer("autoRenewStatus") == 1 }
        graceEnd = renewal?.fields.date("gracePeriodExpiresDate")
        status = data?.fields.integer("status").map(Product.SubscriptionInfo.RenewalState.init(rawValue:))
        signedDate = notification.fields.date("signedDate")
    }

    /// Until when a grace period counts whose end is not given (`AnnouncedGrace`), as text.
    fileprivate var announcedGrace: String? {
        guard status == .inGracePeriod, graceEnd == nil, renews != false else { return nil }
        return signedDate.map { TextLayout.date(AnnouncedGrace.end(signedAt: $0)) }
    }
}

extension ServerNotification.AccessChange {
    /// The change for the customer, with its date.
    func sentence(_ meaning: ServerNotification.Meaning, _ dates: AccessDates) -> String {
        switch self {
        case .grants:
            guard let end = dates.end else {
                return dates.hasTransaction ? "granted, without an end" : "granted"
            }
            return "granted until \(end)"
        case .keeps:
            if case .billingFailed = meaning, let sentence = dates.graceSentence { return sentence }
            if meaning == .renewalTurnedOff { return "kept to the end of the commitment" }
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
        case .endsForClaims: return "ended for these claims; the purchaser keeps it"
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
}
