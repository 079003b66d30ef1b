package import WireFormats

/// A text of a request, with the errors of each way to be wrong.
package struct AdvancedCommerceText: Sendable {
    let member: String
    /// The greatest number of characters.
    let limit: Int
    let missing: AdvancedCommerceCode
    let tooLong: AdvancedCommerceCode
    let invalid: AdvancedCommerceCode

    package static let sku = AdvancedCommerceText(
        member: "SKU", limit: 128, missing: .nullSKU, tooLong: .skuLengthExceeded, invalid: .invalidSKU)
    package static let currentSKU = AdvancedCommerceText(
        member: "currentSKU", limit: 128, missing: .nullCurrentSKU, tooLong: .currentSKULengthExceeded,
        invalid: .invalidSKU)
    package static let displayName = AdvancedCommerceText(
        member: "displayName", limit: 30, missing: .nullDisplayName, tooLong: .displayNameLengthExceeded,
        invalid: .invalidDisplayName)
    package static let description = AdvancedCommerceText(
        member: "description", limit: 45, missing: .nullDescription, tooLong: .descriptionLengthExceeded,
        invalid: .invalidDescription)
}

extension JSONTree {
    /// A member that is neither absent nor null.
    package func present(_ name: String) -> JSONTree? { self[name].flatMap { $0 == .null ? nil : $0 } }

    /// A billion: sums of prices stay far from the largest integer.
    private static let highestPrice = 1_000_000_000_000

    /// A price, which has no more decimals than the currency.
    package func price(in region: Region) throws(AdvancedCommerceCode) -> Int {
        guard let value = present("price") else { throw .nullPrice }
        return try value.price(in: region, negative: .negativePrice, invalid: .invalidAmount)
    }

    /// The price of the rest of a period; `nil` if the object has none.
    func proratedPrice(in region: Region) throws(AdvancedCommerceCode) -> Int? {
        try present("proratedPrice").map { (value) throws(AdvancedCommerceCode) in
            try value.price(in: region, negative: .negativeProratedPrice, invalid: .invalidProratedPrice)
        }
    }

    private func price(
        in region: Region, negative: AdvancedCommerceCode, invalid: AdvancedCommerceCode
    ) throws(AdvancedCommerceCode) -> Int {
        guard let price = wholeNumber, price <= Self.highestPrice else { throw invalid }
        guard price >= 0 else { throw negative }
        let hasDecimals = !["JPY", "KRW", "VND", "CLP"].contains(region.currency)
        guard price.isMultiple(of: hasDecimals ? 10 : 1000) else { throw invalid }
        return price
    }

    /// Whether the storefront that a request names, if it names one, is the customer's.
    package func checkStorefront(_ region: Region) throws(AdvancedCommerceCode) {
        guard let storefront = present("storefront") else { return }
        guard Region.isCode(storefront.stringValue ?? "") else { throw .invalidStorefront }
        guard storefront.stringValue == region.code else { throw .mismatchedStorefront }
    }

    package func text(_ field: AdvancedCommerceText) throws(AdvancedCommerceCode) -> String {
        guard let text = try textIfPresent(field) else { throw field.missing }
        return text
    }

    package func textIfPresent(_ field: AdvancedCommerceText) throws(AdvancedCommerceCode) -> String? {
        guard let value = present(field.member) else { return nil }
        guard let text = value.stringValue, !text.isEmpty else { throw field.invalid }
        guard text.count <= field.limit else { throw field.tooLong }
        return text
    }

    /// The elements of a list; `nil` if the body does not have it. A list without elements is an error.
    package func items(
        _ member: String = "items", ifEmpty: AdvancedCommerceCode = .atLeastOneItem
    ) throws(AdvancedCommerceCode) -> [JSONTree]? {
        guard let list = present(member) else { return nil }
        guard case .array(let elements) = list else { throw .malformedPayload }
        guard !elements.isEmpty else { throw ifEmpty }
        return elements
    }

    /// A tax code of the form that Apple's list has: `C003-00-2`. The list itself is not compared.
    package func taxCode() throws(AdvancedCommerceCode) -> String? {
        guard let value = present("taxCode") else { return nil }
        let parts = value.stringValue?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        let isNumber = { (text: Substring, count: ClosedRange<Int>) in
            count.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard parts.count == 3, let letter = parts[0].first, ("A"..."Z").contains(letter),
            isNumber(parts[0].dropFirst(), 3...3), isNumber(parts[1], 2...2), isNumber(parts[2], 1...2)
        else { throw .invalidTaxProductCode }
        return value.stringValue
    }
}

extension [JSONTree] {
    /// The elements by their SKUs, each of which may come once.
    package func bySKU() throws(AdvancedCommerceCode) -> [(sku: String, item: JSONTree)] {
        var seen: Set<String> = []
        var items: [(String, JSONTree)] = []
        for element in self {
            let sku = try element.text(.sku)
            guard seen.insert(sku).inserted else { throw .itemCannotBeSpecifiedMultipleTimes }
            items.append((sku, element))
        }
        return items
    }
}
