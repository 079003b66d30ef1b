internal import WireFormats

extension Receipt {
    /// The receipt's content as a JSON object (RFC 8259). Members that signed payloads have too get the same
    /// names and types: dates are milliseconds since 1970, and purchases, in `inApp`, look like transactions.
    ///
    /// Absent attributes are left out. `otherAttributes` has the attributes without a name, and those whose
    /// value does not have the expected type, with their bytes in base64. It leaves out empty strings.
    public var json: [UInt8] {
        let (content, writer) = (list.content, AttributeWriter(list))
        let bytes = content.span
        let text = [UInt8](capacity: writer.capacity(for: bytes)) { output in
            writer.appendReceipt(bytes, to: &output)
        }
        // Copies the JSON, so that the result does not keep several times its size in memory.
        var json: [UInt8] = []
        json.reserveCapacity(text.count)
        json.append(contentsOf: text)
        return json
    }
}

extension InAppPurchase.ProductType {
    /// The name in signed transactions (App Store Server API, `type`); `nil` for an unknown type.
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

/// A member of a receipt's or a purchase's JSON object.
private struct ReceiptMember: Sendable {
    /// The type of an attribute's value, and how to write it.
    enum Kind {
        /// A string.
        case text
        /// A number.
        case integer
        /// A number, written as a string; zero means absent.
        case identifier
        /// A number, written as a boolean.
        case flag
        /// A number, written as the name of a type.
        case productType
        /// A string, written as milliseconds since 1970.
        case date
        /// Bytes, in base64.
        case bytes
    }

    /// The slot: the attribute's type, minus the first type of its object.
    let slot: Int
    /// A comma, the name and a colon.
    let name: [UInt8]
    let kind: Kind

    init(_ slot: Int, _ name: String, _ kind: Kind) {
        (self.slot, self.name, self.kind) = (slot, Array(",\"\(name)\":".utf8), kind)
    }

    init(_ type: AttributeType, _ name: String, _ kind: Kind) { self.init(type.rawValue, name, kind) }

    init(_ type: PurchaseAttributeType, _ name: String, _ kind: Kind) {
        self.init(type.rawValue - Self.firstPurchaseType, name, kind)
    }

    /// The first attribute type of purchases.
    static let firstPurchaseType = 1700

    static let ofReceipts: [ReceiptMember] = [
        ReceiptMember(AttributeType.environment, "receiptType", .text),
        ReceiptMember(AttributeType.appID, "appAppleId", .integer),
        ReceiptMember(AttributeType.bundleID, "bundleId", .text),
        ReceiptMember(AttributeType.appVersion, "applicationVersion", .text),
        ReceiptMember(AttributeType.appVersionID, "versionExternalIdentifier", .integer),
        ReceiptMember(AttributeType.creationDate, "receiptCreationDate", .date),
        ReceiptMember(AttributeType.requestDate, "requestDate", .date),
        ReceiptMember(AttributeType.originalAppVersion, "originalApplicationVersion", .text),
        ReceiptMember(AttributeType.originalPurchaseDate, "originalPurchaseDate", .date),
        ReceiptMember(AttributeType.expirationDate, "expirationDate", .date),
        ReceiptMember(AttributeType.ageRating, "ageRating", .text),
        ReceiptMember(AttributeType.developerID, "developerId", .integer),
        ReceiptMember(AttributeType.downloadID, "downloadId", .integer),
        ReceiptMember(AttributeType.opaqueValue, "opaqueValue", .bytes),
        ReceiptMember(AttributeType.sha1Hash, "sha1Hash", .bytes),
    ]

    static let ofPurchases: [ReceiptMember] = [
        ReceiptMember(PurchaseAttributeType.transactionID, "transactionId", .text),
        ReceiptMember(PurchaseAttributeType.originalTransactionID, "originalTransactionId", .text),
        ReceiptMember(PurchaseAttributeType.webOrderLineItemID, "webOrderLineItemId", .identifier),
        ReceiptMember(PurchaseAttributeType.productID, "productId", .text),
        ReceiptMember(PurchaseAttributeType.productType, "type", .productType),
        ReceiptMember(PurchaseAttributeType.quantity, "quantity", .integer),
        ReceiptMember(PurchaseAttributeType.purchaseDate, "purchaseDate", .date),
        ReceiptMember(PurchaseAttributeType.originalPurchaseDate, "originalPurchaseDate", .date),
        ReceiptMember(PurchaseAttributeType.expirationDate, "expiresDate", .date),
        ReceiptMember(PurchaseAttributeType.cancellationDate, "revocationDate", .date),
        ReceiptMember(PurchaseAttributeType.trialPeriod, "isTrialPeriod", .flag),
        ReceiptMember(PurchaseAttributeType.introOfferPeriod, "isInIntroOfferPeriod", .flag),
        ReceiptMember(PurchaseAttributeType.promotionalOfferID, "offerIdentifier", .text),
    ]
}

/// Writes attributes as the members of JSON objects.
/// Next to the signature, writing takes most of a receipt's time. So names are encoded once, a table replaces
/// a search for each name, and memory is reserved once.
private struct AttributeWriter {
    /// For each slot, the index of the first attribute of its type, or -1 if there is none. After that
    /// attribute is written, it is the value of `written` for that index.
    private typealias Slots = InlineArray<32, Int>

    private typealias Output = OutputSpan<UInt8>

    private static func written(_ place: Int) -> Int { -2 - place }

    private let entries: [AttributeList.Entry]
    private let purchases: [Range<Int>]
    private let count: Int

    init(_ list: AttributeList) { (entries, purchases, count) = (list.entries, list.purchases, list.count) }

    /// An upper bound for the text's size. An attribute's names, numbers and punctuation take less than 128
    /// bytes. A byte of its value takes at most six if it is escaped in a string, or less than two in base64,
    /// with a few bytes of padding.
    func capacity(for content: Span<UInt8>) -> Int { 256 + entries.count * 128 + content.count * 6 }

    /// Escapes a string by RFC 8259, section 7. It escapes DEL too, because of terminals.
    @inline(__always)
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7f
    }

    func appendReceipt(_ content: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        var slots = slots(0..<count, firstType: 0)
        output.append(UInt8(ascii: "{"))
        append(ReceiptMember.ofReceipts, &slots, content, to: &output)
        Self.append(Self.inApp, to: &output, isFirst: output.count == 1)
        for (index, purchase) in purchases.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "{"))
            let start = output.count
            var slots = self.slots(purchase, firstType: ReceiptMember.firstPurchaseType)
            append(ReceiptMember.ofPurchases, &slots, content, to: &output, after: start)
            appendOthers(
                purchase, firstType: ReceiptMember.firstPurchaseType, slots, content, to: &output,
                after: start)
            output.append(UInt8(ascii: "}"))
        }
        output.append(UInt8(ascii: "]"))
        appendOthers(0..<count, firstType: 0, slots, content, to: &output, after: 1)
        output.append(UInt8(ascii: "}"))
    }

    private static let inApp = Array(",\"inApp\":[".utf8)
    private static let otherAttributes = Array(",\"otherAttributes\":[".utf8)
    private static let typeName = Array(",{\"type\":".utf8)
    private static let versionName = Array(",\"version\":".utf8)
    private static let valueName = Array(",\"value\":\"".utf8)

    private func slots(_ range: Range<Int>, firstType: Int) -> Slots {
        var slots = Slots(repeating: -1)
        for index in range {
            let slot = entries[index].type - firstType
            if slot >= 0, slot < slots.count, slots[slot] < 0 { slots[slot] = index }
        }
        return slots
    }

    /// Appends text that begins with a comma. The first member is written without it.
    @inline(__always)
    private static func append(_ text: [UInt8], to output: inout Output, isFirst: Bool = false) {
        let text = text.span
        append(isFirst ? text.extracting(1...) : text, to: &output)
    }

    /// Appends bytes in one copy, if there is room.
    @inline(__always)
    private static func append(_ bytes: Span<UInt8>, to output: inout Output) {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                guard let source = bytes.baseAddress, let target = buffer.baseAddress,
                    buffer.count - count >= bytes.count
                else { return }
                unsafe UnsafeMutableRawPointer(target + count).copyMemory(
                    from: source, byteCount: bytes.count)
                count += bytes.count
            }
        }
    }

    /// Appends members, and records which attributes were written.
    private func append(
        _ members: [ReceiptMember], _ slots: inout Slots, _ content: Span<UInt8>, to output: inout Output,
        after start: Int = 1
    ) {
        // Loops over indices, because an iterator would count references.
        for index in members.indices {
            let slot = members[index].slot
            let place = slots[slot]
            guard place >= 0 else { continue }
            let before = output.count
            Self.append(members[index].name, to: &output, isFirst: before == start)
            let named = output.count
            guard append(members[index].kind, entries[place].value, content, to: &output) else {
                output.removeLast(output.count - before)
                continue
            }
            slots[slot] = Self.written(place)
            // Nothing was appended: the value means absent.
            if output.count == named { output.removeLast(named - before) }
        }
    }

    /// Appends a value, or nothing if it means absent. Returns `false` if the value does not have the
    /// expected type.
    private func append(
        _ kind: ReceiptMember.Kind, _ value: Range<Int>, _ content: Span<UInt8>, to output: inout Output
    ) -> Bool {
        switch kind {
        case .text:
            guard let text = AttributeValue.text(content, value), !text.isEmpty else { return false }
            output.append(UInt8(ascii: "\""))
            Self.appendString(content.extracting(text), to: &output)
            output.append(UInt8(ascii: "\""))
        case .date:
            guard let text = AttributeValue.text(content, value),
                let milliseconds = CalendarTime.milliseconds(receiptDate: content.extracting(text))
            else { return false }
            if milliseconds < 0 { output.append(UInt8(ascii: "-")) }
            Self.append(decimal: milliseconds.magnitude, to: &output)
        case .bytes:
            output.append(UInt8(ascii: "\""))
            Base64.append(content.extracting(value), to: &output)
            output.append(UInt8(ascii: "\""))
        case .integer, .identifier, .flag, .productType:
            guard let number = AttributeValue.integerElement(content, value) else { return false }
            return Self.append(kind, number, to: &output)
        }
        return true
    }

    private static func append(
        _ kind: ReceiptMember.Kind, _ number: UInt64, to output: inout Output
    ) -> Bool {
        switch kind {
        case .flag: append(number == 0 ? isFalse : isTrue, to: &output)
        case .identifier:
            guard number > 0 else { return true }
            output.append(UInt8(ascii: "\""))
            append(decimal: number, to: &output)
            output.append(UInt8(ascii: "\""))
        case .productType:
            guard number < productTypes.count else { return false }
            append(productTypes[Int(number)], to: &output)
        default: append(decimal: number, to: &output)
        }
        return true
    }

    private static let isTrue = Array("true".utf8)
    private static let isFalse = Array("false".utf8)
    private static let productTypes = (0...3).map { number in
        Array("\"\(InAppPurchase.ProductType(rawValue: UInt64(number)).name ?? "")\"".utf8)
    }

    private static func appendString(_ text: Span<UInt8>, to output: inout Output) {
        var hasEscapes = false
        for index in 0..<text.count { hasEscapes = hasEscapes || isEscaped(text[index]) }
        guard hasEscapes else { return append(text, to: &output) }
        var escaped: [UInt8] = []
        for index in 0..<text.count { appendJSONCharacter(text[index], to: &escaped) }
        append(escaped, to: &output)
    }

    private static func append(decimal number: UInt64, to output: inout Output) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var (start, rest) = (digits.count, number)
        repeat {
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        let written = digits.span
        append(written.extracting(start...), to: &output)
    }

    /// Appends the attributes that were not written, except purchases and empty strings.
    private func appendOthers(
        _ range: Range<Int>, firstType: Int, _ slots: Slots, _ content: Span<UInt8>,
        to output: inout Output, after start: Int
    ) {
        var isFirst = true
        for index in range {
            let entry = entries[index]
            let slot = entry.type - firstType
            if slot >= 0, slot < slots.count, slots[slot] == Self.written(index) { continue }
            let isPurchase = firstType == 0 && entry.type == AttributeList.purchaseType
            guard !isPurchase, !Self.isEmptyText(entry.value, content) else { continue }
            if isFirst { Self.append(Self.otherAttributes, to: &output, isFirst: output.count == start) }
            Self.append(Self.typeName, to: &output, isFirst: isFirst)
            isFirst = false
            Self.append(decimal: UInt64(entry.type.magnitude), to: &output)
            Self.append(Self.versionName, to: &output)
            Self.append(decimal: UInt64(entry.version.magnitude), to: &output)
            Self.append(Self.valueName, to: &output)
            Base64.append(content.extracting(entry.value), to: &output)
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: "}"))
        }
        if !isFirst { output.append(UInt8(ascii: "]")) }
    }

    @inline(__always)
    private static func isEmptyText(_ value: Range<Int>, _ content: Span<UInt8>) -> Bool {
        value.count == 2 && content[value.lowerBound + 1] == 0
            && (content[value.lowerBound] == 0x0c || content[value.lowerBound] == 0x16)
    }
}
