/// The signed content of an app receipt, a SET of attributes. Changing one attribute makes exactly one thing
/// wrong.
///
/// An in-app purchase is a SET of the same form, and the value of an attribute of type 17.
package struct ReceiptContent: Sendable {
    package var attributes: [ReceiptAttribute]
    /// Whether the attributes are in DER's order of a SET OF (X.690, 11.6). The App Store sorts them; Xcode
    /// does not.
    package var isSorted = true

    package init(_ attributes: [ReceiptAttribute]) { self.attributes = attributes }

    /// A SET OF, sorted by the bytes of its members if asked for.
    package var der: [UInt8] {
        let members = attributes.map(\.der)
        let ordered = isSorted ? members.sorted { $0.lexicographicallyPrecedes($1) } : members
        return DER.value(tag: 0x31, ordered.flatMap { $0 })
    }

    /// A copy in which this type's value is replaced in place, or added at the end.
    package func setting(_ type: Int, _ value: [UInt8]) -> ReceiptContent {
        guard let index = attributes.firstIndex(where: { $0.type == type }) else {
            return appending(ReceiptAttribute(type, value))
        }
        var content = self
        content.attributes[index].value = value
        return content
    }

    /// A copy with a text (UTF8String).
    package func setting(_ type: Int, text: String) -> ReceiptContent {
        setting(type, ReceiptAttribute.text(text))
    }

    /// A copy with a date, in the form of RFC 3339 that Apple documents, or in any other for a test (IA5String).
    package func setting(_ type: Int, date: String) -> ReceiptContent {
        setting(type, ReceiptAttribute.date(date))
    }

    /// A copy with a number (INTEGER).
    package func setting(_ type: Int, number: Int) -> ReceiptContent {
        setting(type, ReceiptAttribute.number(number))
    }

    /// A copy with one more attribute, which may repeat a type.
    package func appending(_ attribute: ReceiptAttribute) -> ReceiptContent {
        var content = self
        content.attributes.append(attribute)
        return content
    }

    /// A copy with more in-app purchases.
    package func appending(purchases: [ReceiptContent]) -> ReceiptContent {
        var content = self
        content.attributes += purchases.map {
            ReceiptAttribute(ReceiptAttribute.App.inAppPurchase, $0.der)
        }
        return content
    }
}

// The form of receipts in 2025.
extension ReceiptContent {
    /// A receipt's data about its app.
    package struct App: Sendable {
        package var environment = "ProductionSandbox"
        /// 0 outside production.
        package var identifier = 0
        /// The number of the download. Outside production, receipts have 0.
        package var downloadIdentifier = 502_000_000_000_000_001
        package var bundleIdentifier = "com.example.garden"
        package var version = "31"
        package var originalVersion = "1.0"
        package var creationDate = "2025-12-06T05:46:40Z"
        package var requestDate = ""
        package var originalPurchaseDate = "2013-08-01T07:00:00Z"

        package init() {}
    }

    /// A receipt in the App Store's form, with the attributes that only Apple knows.
    package init(_ app: App, purchases: [ReceiptContent] = []) {
        typealias Types = ReceiptAttribute.App
        typealias Value = ReceiptAttribute
        let isProduction = app.identifier != 0
        let first: [ReceiptAttribute] = [
            Value(Types.environment, Value.text(app.environment)),
            Value(Types.appIdentifier, Value.number(app.identifier)),
            Value(Types.bundleIdentifier, Value.text(app.bundleIdentifier)),
            Value(Types.applicationVersion, Value.text(app.version)),
            Value(Types.opaqueValue, version: 2, Self.noise(16, 4)),
            Value(Types.deviceHash, Self.noise(20, 5)),
            Value(6, Self.noise(55, 6)),
            Value(7, Self.noise(54, 7)),
            Value(Types.requestDate, Value.date(app.requestDate)),
            // The App Store writes this text as an INTEGER.
            Value(9, DER.integer(contents: Array("P305".utf8))),
            Value(10, Value.date("4+")),
            Value(11, Value.number(isProduction ? 2_000_001 : 0)),
        ]
        let second: [ReceiptAttribute] = [
            Value(Types.creationDate, Value.date(app.creationDate)),
            Value(13, Value.number(180_602)),
            Value(14, Value.number(229)),
            Value(15, Value.number(isProduction ? app.downloadIdentifier : 0)),
            Value(16, Value.number(isProduction ? 860_000_001 : 0)),
            Value(Types.originalPurchaseDate, Value.date(app.originalPurchaseDate)),
            Value(Types.originalApplicationVersion, Value.text(app.originalVersion)),
            Value(20, Value.text("")),
            Value(25, Value.number(3)),
        ]
        self = ReceiptContent(first + second).appending(purchases: purchases)
    }

    /// The data of an in-app purchase.
    package struct Purchase: Sendable {
        package enum ProductType: Int, Sendable, CaseIterable {
            case nonConsumable, consumable, nonRenewing, autoRenewable
        }

        package var productIdentifier = "com.example.garden.plus.monthly"
        package var productType = ProductType.autoRenewable
        package var transactionIdentifier = "2000000900000001"
        package var originalTransactionIdentifier = "2000000900000000"
        package var purchaseDate = "2025-12-06T05:46:30Z"
        package var originalPurchaseDate = "2025-11-05T05:46:30Z"
        /// Empty unless the product is a subscription.
        package var expiresDate = "2026-01-06T05:46:30Z"
        package var webOrderLineItemIdentifier = 2_000_000_080_000_001

        package init() {}
    }

    /// An in-app purchase in the App Store's form. Absent text and dates are empty, absent numbers are zero.
    package init(_ purchase: Purchase) {
        typealias Types = ReceiptAttribute.InApp
        typealias Value = ReceiptAttribute
        let isSubscription = purchase.productType == .autoRenewable
        let lineItem = isSubscription ? purchase.webOrderLineItemIdentifier : 0
        self.init([
            Value(Types.quantity, Value.number(1)),
            Value(Types.productIdentifier, Value.text(purchase.productIdentifier)),
            Value(Types.transactionIdentifier, Value.text(purchase.transactionIdentifier)),
            Value(Types.purchaseDate, Value.date(purchase.purchaseDate)),
            Value(Types.originalTransactionIdentifier, Value.text(purchase.originalTransactionIdentifier)),
            Value(Types.originalPurchaseDate, Value.date(purchase.originalPurchaseDate)),
            Value(Types.productType, Value.number(purchase.productType.rawValue)),
            Value(Types.expiresDate, Value.date(isSubscription ? purchase.expiresDate : "")),
            Value(1709, Value.text("")),
            Value(1710, Value.number(0)),
            Value(Types.webOrderLineItemIdentifier, Value.number(lineItem)),
            Value(Types.cancellationDate, Value.date("")),
            Value(Types.isTrialPeriod, Value.number(0)),
            Value(1714, Value.text("")), Value(1715, Value.text("")), Value(1716, Value.text("")),
            Value(1717, Value.text("")), Value(1718, Value.text("")),
            Value(Types.isIntroductoryOfferPeriod, Value.number(0)),
            Value(1722, Value.number(0)),
        ])
    }

    /// A receipt in Xcode's form: few attributes, in the order of their types, under the app's identifier.
    ///
    /// The expiration date is the one that Xcode writes: in the year 4001.
    package static func xcode(
        creationDate: String = "2025-12-06T06:46:40+0100", purchases: [ReceiptContent] = []
    ) -> ReceiptContent {
        typealias Types = ReceiptAttribute.App
        typealias Value = ReceiptAttribute
        let head = ReceiptContent([
            Value(Types.environment, Value.text("Xcode")),
            Value(Types.appIdentifier, Value.number(0)),
            Value(Types.bundleIdentifier, Value.text("com.example.garden")),
            Value(Types.applicationVersion, Value.text("31")),
            Value(Types.opaqueValue, noise(8, 4)),
            Value(Types.deviceHash, noise(20, 5)),
            Value(Types.requestDate, Value.date("")),
            Value(Types.creationDate, Value.date(creationDate)),
        ])
        var content = head.appending(purchases: purchases)
            .appending(Value(Types.expirationDate, Value.date("4001-01-01T00:00:00+0000")))
        content.isSorted = false
        return content
    }

    /// An in-app purchase in Xcode's form.
    package static func xcode(purchase: Purchase) -> ReceiptContent {
        typealias Types = ReceiptAttribute.InApp
        typealias Value = ReceiptAttribute
        var content = ReceiptContent([
            Value(Types.quantity, Value.number(1)),
            Value(Types.productIdentifier, Value.text(purchase.productIdentifier)),
            Value(Types.transactionIdentifier, Value.text("0")),
            Value(Types.purchaseDate, Value.date(purchase.purchaseDate)),
            Value(Types.expiresDate, Value.date(purchase.expiresDate)),
            Value(Types.isIntroductoryOfferPeriod, Value.number(0)),
        ])
        content.isSorted = false
        return content
    }

    /// Bytes without a pattern, the same in every run (a linear congruential generator).
    ///
    /// Only the length is that of genuine receipts: what Apple writes there is not known.
    private static func noise(_ count: Int, _ seed: UInt32) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }
}
