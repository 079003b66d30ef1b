/// A column of the rows for analysts: its name, its type, what it means, and where its value comes from.
///
/// `RowColumn.all` is the one list. The reader of payloads, the writers of JSON and CSV, the schema of Arrow and the
/// table in the documentation are made of it.
package struct RowColumn: Sendable {
    /// The type of a column's values.
    package enum ValueType: String, Sendable, CaseIterable {
        /// A text.
        case text
        /// A text of decimal digits: as a number, many readers would lose digits of it.
        case identifier
        /// A whole number of 64 bits.
        case integer
        /// True or false.
        case boolean
        /// An instant in UTC, in milliseconds, of the years 1 to 9999.
        case timestamp
        /// A decimal with three digits behind the point.
        case decimal
        /// A JSON text: an array or an object.
        case json
    }

    /// What a column is about.
    package enum Section: String, Sendable, CaseIterable {
        /// The line of input and its verdict.
        case line = "The line and its verdict"
        /// The event of a notification.
        case notification = "The notification"
        /// What most payloads have, under one name for all of them.
        case common = "App, customer and product"
        /// The transaction, alone or inside a notification.
        case transaction = "The transaction"
        /// The renewal information, alone or inside a notification.
        case renewalInfo = "The renewal information"
        /// The app transaction, alone or inside a notification, or the app receipt.
        case app = "The app transaction or app receipt"
        /// The other payloads.
        case others = "Other payloads"
        /// What is around the payload.
        case surroundings = "Around the payload"
    }

    /// The name, which is unique, also if upper and lower case are not told apart.
    package let name: String
    /// The type.
    package let type: ValueType
    /// What the column is about.
    package let section: Section
    /// What the column means, in a sentence.
    package let summary: String
    /// The members that may give the value, in the order in which they are asked.
    let sources: [RowSource]
    /// The property of an app receipt that gives the value.
    let receipt: ReceiptSource?

    init(
        _ name: String, _ type: ValueType, _ section: Section, _ summary: String, _ sources: [RowSource],
        _ receipt: ReceiptSource?
    ) {
        self.name = name
        self.type = type
        self.section = section
        self.summary = summary
        self.sources = sources
        self.receipt = receipt
    }

    /// A column that no payload's member gives.
    static func other(
        _ name: String, _ type: ValueType, _ section: Section, _ summary: String,
        receipt: ReceiptSource? = nil
    ) -> Self {
        Self(name, type, section, summary, [], receipt)
    }

    /// A column of members, whose rule gives the type.
    static func member(
        _ name: String, _ section: Section, _ summary: String, _ sources: RowSource...,
        receipt: ReceiptSource? = nil
    ) -> Self {
        Self(name, sources.first?.rule.type ?? .text, section, summary, sources, receipt)
    }

    /// A number that stands for a name, as two columns: the name, which is null for an unknown number, and the number.
    static func enumeration(
        _ name: String, _ section: Section, _ summary: String, _ names: NumberNames, _ part: RowPart,
        _ member: String
    ) -> [Self] {
        [
            .member(name, section, summary, RowSource(part, member, .name(names))),
            .member(
                name + "Number", section, "The number of `\(name)` in the payload.",
                RowSource(part, member, .form(.integer))),
        ]
    }

    /// All columns, in the order of a row.
    package static let all: [RowColumn] =
        line + notification + common + transaction + renewalInfo + app + others + surroundings

    /// The place of a column in a row. The names are constants of this package: no input reaches the trap.
    package static func index(of name: String) -> Int {
        guard let index = all.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("no column \(name)")
        }
        return index
    }

    /// Where the value comes from, as the documentation says it: the part of the payload and the member's name in Apple's
    /// JSON, one for each source.
    package var origins: [String] {
        sources.map(\.origin) + (receipt.map { ["`\($0.property)` of the app receipt"] } ?? [])
    }
}

/// A part of a payload that gives values: a payload, alone or inside a notification, or an object in one.
enum RowPart: Int, CaseIterable, Sendable {
    case transaction
    case commitment
    case renewalInfo
    case renewalCommitment
    case appTransaction
    case realtimeRequest
    case notification
    case data
    case summary
    case externalPurchaseToken
    case appData

    /// The members that StoreKit's type reads, and its rules for them.
    var form: PayloadForm {
        switch self {
        case .transaction: Transaction.form
        case .commitment: Transaction.CommitmentInfo.form
        case .renewalInfo: Product.SubscriptionInfo.RenewalInfo.form
        case .renewalCommitment: Product.SubscriptionInfo.RenewalInfo.CommitmentInfo.form
        case .appTransaction: AppTransaction.form
        case .realtimeRequest: RealtimeRequest.form
        case .notification: ServerNotification.form
        case .data: NotificationData.form
        case .summary: NotificationSummary.form
        case .externalPurchaseToken: ExternalPurchaseToken.form
        case .appData: NotificationAppData.form
        }
    }

    /// The part that holds this one, and its member; `nil` for a payload.
    var place: (part: RowPart, member: String)? {
        switch self {
        case .transaction, .renewalInfo, .appTransaction, .realtimeRequest, .notification: nil
        case .commitment: (.transaction, "commitmentInfo")
        case .renewalCommitment: (.renewalInfo, "commitmentInfo")
        case .data: (.notification, "data")
        case .summary: (.notification, "summary")
        case .externalPurchaseToken: (.notification, "externalPurchaseToken")
        case .appData: (.notification, "appData")
        }
    }

    /// The part, as the documentation names it.
    var title: String {
        switch self {
        case .transaction: "the transaction"
        case .commitment: "the transaction's `commitmentInfo`"
        case .renewalInfo: "the renewal information"
        case .renewalCommitment: "the renewal information's `commitmentInfo`"
        case .appTransaction: "the app transaction"
        case .realtimeRequest: "the realtime request"
        case .notification: "the notification"
        case .data: "the notification's `data`"
        case .summary: "the notification's `summary`"
        case .externalPurchaseToken: "the notification's `externalPurchaseToken`"
        case .appData: "the notification's `appData`"
        }
    }
}

/// A member that gives a column's value.
struct RowSource: Sendable {
    /// How a value is read. A value of an unexpected type counts as absent.
    enum Rule: Sendable {
        /// As the StoreKit type reads it.
        case form(PayloadForm.Form)
        /// The name of a number.
        case name(NumberNames)
        /// The name of a price increase's status, also if the member is absent.
        case priceIncreaseStatus
        /// The environment that an external purchase token's identifier tells.
        case impliedEnvironment

        /// The type of the values.
        var type: RowColumn.ValueType {
            switch self {
            case .name, .priceIncreaseStatus, .impliedEnvironment: .text
            case .form(let form):
                switch form {
                case .identifier, .identifierUnlessZero: .identifier
                case .count, .integer, .integerOrOne: .integer
                case .flag, .isOne: .boolean
                case .thousandths, .decimal: .decimal
                case .date, .dateUnlessEpoch: .timestamp
                case .texts, .object, .objects: .json
                case .text, .textUnlessEmpty, .textOrEmpty, .uuid, .uuidOrNil, .period, .bytes,
                    .priceIncreaseStatus, .group, .together:
                    .text
                }
            }
        }
    }

    let part: RowPart
    let member: String
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
        RowSource(part, member, .form(part.form.rule(of: member)))
    }

    /// A member that is read by this rule.
    static func of(_ part: RowPart, _ member: String, as form: PayloadForm.Form) -> Self {
        RowSource(part, member, .form(form))
    }

    /// A member that is read only of the line's own payload.
    static func outermost(_ part: RowPart, _ member: String) -> Self {
        RowSource(part, member, .form(part.form.rule(of: member)), isOutermost: true)
    }

    var origin: String { "`\(member)` of \(part.title)" }
}

extension PayloadForm {
    /// How a member's value is read. The members are constants of this module: no input reaches the trap.
    fileprivate func rule(of member: String) -> Form {
        let number = number(of: member)
        guard let row = rows.first(where: { $0.member == number && $0.groupCount == 0 }) else {
            preconditionFailure("\(type) has no rule for \(member)")
        }
        return row.form
    }
}
