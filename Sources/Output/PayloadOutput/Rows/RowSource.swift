internal import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

/// A part of a payload that gives values: a payload, alone or inside a notification, or an object in one.
package enum RowPart: Int, CaseIterable, Sendable {
    case transaction
    case commitment
    case seats
    case renewalInfo
    case renewalCommitment
    case renewalSeats
    case appTransaction
    case realtimeRequest
    case notification
    case data
    case summary
    case externalPurchaseToken
    case appData
    case unclaimInfo

    /// The payload of a kind; `nil` for kinds without a StoreKit type, and for app receipts.
    init?(_ kind: SignedPayloadKind) {
        switch kind {
        case .transaction: self = .transaction
        case .renewalInfo: self = .renewalInfo
        case .appTransaction: self = .appTransaction
        case .realtimeRequest: self = .realtimeRequest
        case .notification: self = .notification
        case .receipt, .unknown: return nil
        }
    }

    /// The members that StoreKit's type reads, and its rules for them.
    var form: PayloadForm { facts.form }

    /// The part that holds this one, and its member; `nil` for a payload.
    var place: (part: RowPart, member: String)? { facts.place }

    private typealias Facts = (form: PayloadForm, place: (part: RowPart, member: String)?)

    private var facts: Facts {
        typealias Renewal = Product.SubscriptionInfo.RenewalInfo
        return switch self {
        case .transaction: (Transaction.form, nil)
        case .renewalInfo: (Renewal.form, nil)
        case .appTransaction: (AppTransaction.form, nil)
        case .realtimeRequest: (RealtimeRequest.form, nil)
        case .notification: (ServerNotification.form, nil)
        case .commitment: part("commitmentInfo", of: .transaction, Transaction.CommitmentInfo.form)
        case .renewalCommitment: part("commitmentInfo", of: .renewalInfo, Renewal.CommitmentInfo.form)
        case .seats: part("multiSeatInfo", of: .transaction, Transaction.MultiSeatInfo.form)
        case .renewalSeats: part("multiSeatInfo", of: .renewalInfo, Renewal.MultiSeatInfo.form)
        case .data: part("data", of: .notification, NotificationData.form)
        case .summary: part("summary", of: .notification, NotificationSummary.form)
        case .externalPurchaseToken:
            part("externalPurchaseToken", of: .notification, ExternalPurchaseToken.form)
        case .appData: part("appData", of: .notification, NotificationAppData.form)
        case .unclaimInfo: part("unclaimInfo", of: .notification, NotificationUnclaimInfo.form)
        }
    }

    private func part(_ member: String, of part: RowPart, _ form: PayloadForm) -> Facts {
        (form, (part, member))
    }
}

/// A member that gives a column's value.
package struct RowSource: Sendable {
    /// How a value is read. A value of an unexpected type counts as absent.
    enum Rule: Sendable {
        /// As the StoreKit type reads it.
        case form(PayloadForm.Form)
        /// The name of a number.
        case name(NumberNames)
        /// The name of a price increase's status, also if the member is absent.
        case priceIncreaseStatus
        /// The sum of the price tiers of seats.
        case seatCharge
        /// The environment in an external purchase token's identifier.
        case impliedEnvironment

        var type: RowColumn.ValueType {
            switch self {
            case .name, .priceIncreaseStatus, .impliedEnvironment: .text
            case .seatCharge: .decimal
            case .form(let form):
                switch form {
                case .identifier, .identifierUnlessZero: .identifier
                case .count, .integer, .integerOrOne: .integer
                case .flag, .isOne: .boolean
                case .thousandths, .decimal: .decimal
                case .date, .dateUnlessEpoch, .revocation: .timestamp
                case .texts, .uuids, .object, .objects: .json
                case .text, .textUnlessEmpty, .textOrEmpty, .uuid, .uuidOrNil, .period, .bytes,
                    .word, .group, .together:
                    .text
                }
            }
        }
    }

    package let part: RowPart
    package let member: String
    let rule: Rule
    /// Whether only the line's own payload is asked, and no payload inside it.
    let isOutermost: Bool

    init(_ part: RowPart, _ member: String, _ rule: Rule, isOutermost: Bool = false) {
        self.part = part
        self.member = member
        self.rule = rule
        self.isOutermost = isOutermost
    }

    /// A member that is read by the StoreKit type's rule.
    static func of(_ part: RowPart, _ member: String) -> Self {
        RowSource(part, member, .form(part.form.rule(of: member) ?? .text))
    }

    /// A member that is read by this rule.
    static func of(_ part: RowPart, _ member: String, as form: PayloadForm.Form) -> Self {
        RowSource(part, member, .form(form))
    }

    /// A member that is read only of the line's own payload.
    static func outermost(_ part: RowPart, _ member: String) -> Self {
        RowSource(part, member, .form(part.form.rule(of: member) ?? .text), isOutermost: true)
    }
}
