internal import CompactJWS
internal import StrictJSON

extension Receipt {
    /// What the receipt says as a JSON object (RFC 8259), with the names and types of signed payloads where they
    /// have them: dates are milliseconds since 1970, and purchases, in `inApp`, look like transactions.
    ///
    /// What the receipt does not say is left out. Attributes without a name, or whose value is not what its name
    /// promises, are in `otherAttributes` with their bytes in base64, but for those without any text.
    public var json: [UInt8] {
        var writer = AttributeWriter(list)
        writer.append(Self.members, 0..<list.count, inApp: true)
        return writer.output
    }

    private static let members: [AttributeWriter.Member] = [
        (AttributeType.environment.rawValue, "receiptType", .text),
        (AttributeType.appID.rawValue, "appAppleId", .integer),
        (AttributeType.bundleID.rawValue, "bundleId", .text),
        (AttributeType.appVersion.rawValue, "applicationVersion", .text),
        (AttributeType.appVersionID.rawValue, "versionExternalIdentifier", .integer),
        (AttributeType.creationDate.rawValue, "receiptCreationDate", .date),
        (AttributeType.requestDate.rawValue, "requestDate", .date),
        (AttributeType.originalAppVersion.rawValue, "originalApplicationVersion", .text),
        (AttributeType.originalPurchaseDate.rawValue, "originalPurchaseDate", .date),
        (AttributeType.expirationDate.rawValue, "expirationDate", .date),
        (AttributeType.ageRating.rawValue, "ageRating", .text),
        (AttributeType.developerID.rawValue, "developerId", .integer),
        (AttributeType.downloadID.rawValue, "downloadId", .integer),
        (AttributeType.opaqueValue.rawValue, "opaqueValue", .bytes),
        (AttributeType.sha1Hash.rawValue, "sha1Hash", .bytes),
    ]
}

extension InAppPurchase {
    fileprivate static let members: [AttributeWriter.Member] = [
        (PurchaseAttributeType.transactionID.rawValue, "transactionId", .text),
        (PurchaseAttributeType.originalTransactionID.rawValue, "originalTransactionId", .text),
        (PurchaseAttributeType.webOrderLineItemID.rawValue, "webOrderLineItemId", .identifier),
        (PurchaseAttributeType.productID.rawValue, "productId", .text),
        (PurchaseAttributeType.productType.rawValue, "type", .productType),
        (PurchaseAttributeType.quantity.rawValue, "quantity", .integer),
        (PurchaseAttributeType.purchaseDate.rawValue, "purchaseDate", .date),
        (PurchaseAttributeType.originalPurchaseDate.rawValue, "originalPurchaseDate", .date),
        (PurchaseAttributeType.expirationDate.rawValue, "expiresDate", .date),
        (PurchaseAttributeType.cancellationDate.rawValue, "revocationDate", .date),
        (PurchaseAttributeType.trialPeriod.rawValue, "isTrialPeriod", .flag),
        (PurchaseAttributeType.introOfferPeriod.rawValue, "isInIntroOfferPeriod", .flag),
        (PurchaseAttributeType.promotionalOfferID.rawValue, "offerIdentifier", .text),
    ]
}

extension InAppPurchase.ProductType {
    /// The name in signed transactions (App Store Server API, `type`); `nil` for a type that is not known.
    public var name: String? {
        switch self {
        case .nonConsumable: "Non-Consumable"
        case .consumable: "Consumable"
        case .nonRenewable: "Non-Renewing Subscription"
        case .autoRenewable: "Auto-Renewable Subscription"
        default: nil
        }
    }
}

/// Writes attributes as the members of JSON objects.
private struct AttributeWriter {
    /// A type, the name of its member, and what the value is.
    typealias Member = (type: Int, name: String, kind: Kind)

    enum Kind {
        case text, integer, date, bytes, flag, identifier, productType
    }

    private let list: AttributeList
    private(set) var output: [UInt8] = []
    private var isWritten: [Bool]

    init(_ list: AttributeList) {
        self.list = list
        isWritten = [Bool](repeating: false, count: list.entries.count)
        output.reserveCapacity(list.content.count * 3 / 2 + 256)
    }

    /// Appends an object with the attributes of a receipt, or of a purchase.
    mutating func append(_ members: [Member], _ range: Range<Int>, inApp: Bool) {
        output.append(UInt8(ascii: "{"))
        let start = output.count
        for member in members {
            guard let index = range.first(where: { list.entries[$0].type == member.type }) else { continue }
            isWritten[index] = append(member, list.entries[index].value, after: start)
        }
        if inApp { appendPurchases(after: start) }
        appendOthers(range, after: start)
        output.append(UInt8(ascii: "}"))
    }

    private mutating func appendPurchases(after start: Int) {
        appendName("inApp", after: start)
        output.append(UInt8(ascii: "["))
        for (index, purchase) in list.purchases.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            append(InAppPurchase.members, purchase, inApp: false)
        }
        output.append(UInt8(ascii: "]"))
    }

    private mutating func appendOthers(_ range: Range<Int>, after start: Int) {
        var isFirst = true
        for index in range where !isWritten[index] {
            let entry = list.entries[index]
            let isPurchase = range.lowerBound == 0 && entry.type == AttributeList.purchaseType
            guard !isPurchase, !list.isEmptyText(entry.value) else { continue }
            if isFirst {
                appendName("otherAttributes", after: start)
                output.append(UInt8(ascii: "["))
            } else {
                output.append(UInt8(ascii: ","))
            }
            isFirst = false
            output.append(contentsOf: "{\"type\":".utf8)
            appendDecimal(entry.type, to: &output)
            output.append(contentsOf: ",\"version\":".utf8)
            appendDecimal(entry.version, to: &output)
            output.append(contentsOf: ",\"value\":\"".utf8)
            Base64.append(list.content[entry.value], to: &output)
            output.append(contentsOf: "\"}".utf8)
        }
        if !isFirst { output.append(UInt8(ascii: "]")) }
    }

    private mutating func appendName(_ name: String, after start: Int) {
        if output.count > start { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: "\""))
        output.append(contentsOf: name.utf8)
        output.append(contentsOf: "\":".utf8)
    }

    /// Appends a member; `false`, and nothing, if the value is not what it should be, or is absent.
    private mutating func append(_ member: Member, _ value: Range<Int>, after start: Int) -> Bool {
        let content = list.content
        switch member.kind {
        case .text:
            guard let text = AttributeValue.text(content.span, value), !text.isEmpty else { return false }
            appendName(member.name, after: start)
            output.append(UInt8(ascii: "\""))
            for index in text { appendJSONCharacter(content[index], to: &output) }
            output.append(UInt8(ascii: "\""))
        case .integer, .identifier, .flag, .productType:
            guard let number = list.integer(value) else { return false }
            return append(number, member, after: start)
        case .date:
            guard let milliseconds = list.milliseconds(value) else { return false }
            appendName(member.name, after: start)
            appendSigned(milliseconds)
        case .bytes:
            appendName(member.name, after: start)
            output.append(UInt8(ascii: "\""))
            Base64.append(content[value], to: &output)
            output.append(UInt8(ascii: "\""))
        }
        return true
    }

    private mutating func append(_ number: UInt64, _ member: Member, after start: Int) -> Bool {
        switch member.kind {
        case .productType:
            guard let name = InAppPurchase.ProductType(rawValue: number).name else { return false }
            appendName(member.name, after: start)
            appendJSON(name, to: &output)
        case .flag:
            appendName(member.name, after: start)
            output.append(contentsOf: (number == 0 ? "false" : "true").utf8)
        case .identifier:
            // Zero says that there is none.
            guard number > 0 else { return true }
            appendName(member.name, after: start)
            appendJSON(String(number), to: &output)
        default:
            appendName(member.name, after: start)
            if let number = Int(exactly: number) {
                appendDecimal(number, to: &output)
            } else {
                output.append(contentsOf: String(number).utf8)
            }
        }
        return true
    }

    private mutating func appendSigned(_ number: Int64) {
        if number < 0 { output.append(UInt8(ascii: "-")) }
        if let magnitude = Int(exactly: number.magnitude) { appendDecimal(magnitude, to: &output) }
    }
}
