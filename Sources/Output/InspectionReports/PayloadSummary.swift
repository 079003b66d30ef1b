internal import Essentials
internal import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

/// A payload's content, in the words and the order that support staff need.
///
/// It is read member by member, because an unverified payload may lack members that StoreKit's types require.
/// It does not say whether the payload is verified: the text around it does.
struct PayloadSummary {
    /// A line of the summary. Lines with one label follow each other.
    struct Row {
        let label: String
        /// Safe for a terminal.
        let value: String
        /// The amounts of money in the value.
        var amounts: [Amount] = []
        /// The identifier in the value, to be copied; `nil` if the value has no identifier. It is not made safe.
        var identifier: String?
    }

    /// An amount of money: as the value has it, and for programs.
    struct Amount {
        let text: String
        let number: Decimal
        /// Apple's name of the currency (ISO 4217).
        let currency: String
    }

    private(set) var rows: [Row] = []

    /// The names of the customer that the payload gives, the one that the app gave first.
    private(set) var customers: [Customer.Name] = []

    /// Where the purchase was made, as the payload says it.
    private(set) var environment: String?

    /// Whether the payload could be read. If not, the rows are about the input.
    private(set) var isReadable = true

    /// - Parameter inspection: the inspection of a token.
    init(_ inspection: Inspection) {
        guard let kind = inspection.kind,
            let payload = inspection.payload.flatMap({ PurchaseFields($0, kind.form) })
        else {
            isReadable = false
            addUnreadable(inspection)
            return
        }
        switch kind {
        case .notification: addNotification(inspection)
        case .transaction:
            addTransaction(payload)
            addApp(payload)
        case .renewalInfo:
            add("Product", payload.identifier("productId"))
            addRenewal(payload)
            addCustomer(payload)
            add("App", "not named: renewal info never names one")
        case .appTransaction: addAppTransaction(payload)
        case .realtimeRequest: addRealtimeRequest(payload)
        case .receipt, .unknown: addUnknown(payload)
        }
        addEnvironment(payload.text(kind == .appTransaction ? "receiptType" : "environment"))
        addSignedDate(kind.dateMember, inspection.dates)
    }

    /// A summary without rows.
    init(isReadable: Bool = true) { self.isReadable = isReadable }

    // MARK: - Rows

    /// Adds a row, unless the value is `nil`. The value must be safe for a terminal.
    mutating func add(_ label: String, _ value: String?, _ amounts: [Amount] = []) {
        guard let value, !value.isEmpty else { return }
        rows.append(Row(label: label, value: value, amounts: amounts))
    }

    /// Adds a row with an identifier.
    ///
    /// - Parameters:
    ///   - identifier: `nil` adds nothing.
    ///   - name: Apple's name of it, which stands before it.
    ///   - note: the words behind it.
    mutating func add(_ label: String, _ identifier: Identifier?, name: String? = nil, note: String = "") {
        guard let identifier else { return }
        let value = [name, identifier.shown + note].compactMap(\.self).joined(separator: " ")
        rows.append(Row(label: label, value: value, identifier: identifier.text))
    }

    mutating func addEnvironment(_ value: String?) {
        environment = value
        add("Environment", value)
    }

    private mutating func add(_ customer: Customer.Name?) {
        guard let customer, !customers.contains(customer) else { return }
        customers.append(customer)
    }

    /// Adds when the payload was signed, with the number that the payload has.
    mutating func addSignedDate(_ member: String, _ dates: [DateMember], label: String = "Signed") {
        guard let date = dates.first(where: { $0.path == member }) else {
            return add(label, "the payload has no date (\(member))")
        }
        let written = ShownText.text(date.written)
        add(label, (date.iso8601 ?? "outside the years 1 to 9999") + " (\(written))")
    }

    /// Adds the app, by its bundle identifier, its Apple ID, or both.
    mutating func addApp(_ fields: PurchaseFields?) {
        guard let fields else { return }
        let bundle = fields.text("bundleId")
        // 0 stands for an app that is not in the App Store.
        let number = fields.text("appAppleId").flatMap { $0 == "0" ? nil : "Apple ID \($0)" }
        add("App", [bundle, number].compactMap(\.self).joined(separator: ", "))
    }

    /// Adds the identifiers that an app's server may know its customer by.
    mutating func addCustomer(_ fields: PurchaseFields?) {
        guard let fields else { return }
        add("Customer", fields.identifier("appAccountToken"), name: "appAccountToken")
        add(
            fields.fields.string("appAccountToken").flatMap(UUID.init(canonicalForm:)).map {
                .appAccountToken($0)
            })
        addDownload(fields)
        let (original, id) = (fields.identifier("originalTransactionId"), fields.identifier("transactionId"))
        add("Customer", original, name: "originalTransactionId")
        addOriginalTransaction(fields.fields.identifier("originalTransactionId"))
        add("Transaction", id, note: id?.text == original?.text ? " (the original one)" : "")
    }

    /// Adds the identifier of the app's download.
    mutating func addDownload(_ fields: PurchaseFields?) {
        guard let fields else { return }
        add("Customer", fields.identifier("appTransactionId"), name: "appTransactionId")
        let download = fields.fields.string("appTransactionId").flatMap { $0.isEmpty ? nil : $0 }
        add(download.map { .appTransactionID($0) })
    }

    /// Adds a purchase as a customer's name. Xcode writes 0 for every purchase.
    mutating func addOriginalTransaction(_ identifier: UInt64?) {
        add(identifier.flatMap { $0 == 0 ? nil : .originalTransactionID($0) })
    }

    // MARK: - Kinds

    private mutating func addAppTransaction(_ fields: PurchaseFields) {
        addApp(fields)
        add("Version", fields.text("applicationVersion"))
        add("First version", fields.text("originalApplicationVersion"))
        add("First bought", fields.dateText("originalPurchaseDate"))
        add("Platform", fields.text("originalPlatform"))
        add("Store", fields.text("storeType"))
        add("Preordered", fields.dateText("preorderDate"))
        add("Revoked", fields.revocationText)
        addDownload(fields)
        add(
            "Device",
            fields.has("deviceVerification")
                ? "tied to one (--device-id checks which)" : "not tied to one: made for a server")
    }

    private mutating func addRealtimeRequest(_ fields: PurchaseFields) {
        add("Meaning", "The App Store asks what to show a customer who may cancel.")
        add("Product", fields.identifier("productId"))
        add("Locale", fields.text("userLocale"))
        addCustomer(fields)
        addApp(fields)
        add("Request", fields.identifier("requestIdentifier"))
    }

    private mutating func addUnknown(_ fields: PurchaseFields) {
        add("Kind", "not known: the members that identify a kind are missing")
        add("Product", fields.identifier("productId"))
        addCustomer(fields)
        addApp(fields)
    }

    /// Adds the parts of a token whose payload is not one JSON object.
    private mutating func addUnreadable(_ inspection: Inspection) {
        add("Token", TextLayout.bytes(inspection.tokenBytes))
        add("Header", inspection.header == nil ? "not readable" : "readable, see below")
        if let payload = inspection.payload {
            let text = String(decoding: payload.prefix(256), as: UTF8.self)
            add(
                "Payload",
                "\(TextLayout.bytes(payload.count)), not one JSON object: "
                    + ShownText.text(text))
            return add("Meaning", "It names no purchase, app or date.")
        }
        add("Payload", "not readable")
        guard case .failure(let error) = inspection.verdict, error.code == .invalidEncoding else { return }
        add(
            "Expected",
            "a compact JWS (header.payload.signature in base64url, some 5,000 characters), a JSON object "
                + "with one in signedPayload, or an app receipt")
    }
}

/// An identifier of Apple's or of the app's.
struct Identifier {
    let text: String
    /// Safe for a terminal.
    var shown: String { ShownText.text(text) }
}

/// The members of a payload, or of an object in it, as texts that are safe for a terminal.
struct PurchaseFields {
    /// The members themselves.
    let fields: PayloadFields
    /// The whole text; empty for an object in it.
    let json: [UInt8]

    /// Reads a whole text; `nil` if it is not one JSON object.
    ///
    /// - Parameter form: the type whose members to find.
    init?(_ json: [UInt8], _ form: PayloadForm?) {
        let names = form?.names ?? Self.unknownNames
        guard let fields = try? PayloadFields(json, names: names) else { return nil }
        (self.fields, self.json) = (fields, json)
    }

    private init(_ fields: PayloadFields) { (self.fields, json) = (fields, []) }

    /// The members that the summary of an unknown payload may show.
    private static let unknownNames = MemberNames([
        "productId", "appAccountToken", "appTransactionId", "originalTransactionId", "transactionId",
        "bundleId", "appAppleId", "environment",
    ])

    /// Whether the member is present.
    func has(_ name: String) -> Bool { fields.has(name) }

    /// A string, or an identifier that is written as a number; `nil` if it is empty.
    func text(_ name: String) -> String? { identifier(name)?.shown }

    /// A string, or an identifier that is written as a number, as it is; `nil` if it is empty.
    func identifier(_ name: String) -> Identifier? {
        let text = fields.string(name) ?? fields.identifier(name).map { String($0) }
        return text.flatMap { $0.isEmpty ? nil : Identifier(text: $0) }
    }

    func dateText(_ name: String) -> String? { fields.date(name).map(TextLayout.date) }

    /// When the App Store took something back; it did so even if its date cannot be read.
    var revocationText: String? {
        guard fields.has("revocationDate") else { return nil }
        return dateText("revocationDate") ?? "a date that cannot be read"
    }

    /// A price with its currency.
    func amount(_ name: String) -> (text: String, amounts: [PayloadSummary.Amount])? {
        fields.thousandths(name).map { amount($0, fields.string("currency")) }
    }

    /// An amount of a currency.
    func amount(
        _ number: Decimal, _ currency: String?
    ) -> (text: String, amounts: [PayloadSummary.Amount]) {
        let text = ShownText.amount(number, currency)
        return (text, currency.map { [.init(text: text, number: number, currency: $0)] } ?? [])
    }

    /// An object in this one.
    func object(_ name: String, _ form: PayloadForm) -> PurchaseFields? {
        fields.object(name, names: form.names).map { PurchaseFields($0) }
    }
}
