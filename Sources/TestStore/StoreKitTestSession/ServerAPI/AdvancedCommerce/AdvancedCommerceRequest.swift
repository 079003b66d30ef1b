internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// `requestInfo`, which every request of the Advanced Commerce API has.
struct AdvancedCommerceRequestInfo {
    /// `requestReferenceId`.
    let reference: UUID
    /// `appAccountToken`; `nil` if the request has none.
    let appAccountToken: UUID?
    /// `consistencyToken`, which is copied from the renewal information, and never made up.
    let consistencyToken: JSONTree?

    /// - Parameter body: the members of the request.
    init(_ body: JSONTree) throws(AdvancedCommerceCode) {
        guard case .object? = body.present("requestInfo"), let info = body.present("requestInfo") else {
            throw .nullRequestInfo
        }
        guard let reference = info.present("requestReferenceId") else { throw .nullRequestReferenceID }
        guard let uuid = UUID(canonicalForm: reference.stringValue ?? "") else {
            throw .invalidRequestReferenceID
        }
        self.reference = uuid
        appAccountToken = try Self.appAccountToken(info)
        consistencyToken = info.present("consistencyToken")
    }

    /// A UUID, or an empty text.
    private static func appAccountToken(_ info: JSONTree) throws(AdvancedCommerceCode) -> UUID? {
        guard let token = info.present("appAccountToken") else { return nil }
        guard let text = token.stringValue else { throw .invalidAppAccountToken }
        guard !text.isEmpty else { return nil }
        guard let uuid = UUID(canonicalForm: text) else { throw .invalidAppAccountToken }
        return uuid
    }
}

/// What all requests to the endpoints of the Advanced Commerce API have, after it was checked: the transaction and
/// `requestInfo`.
struct AdvancedCommerceRequest {
    /// The members of the body.
    let body: JSONTree
    /// The transaction in the path, as a place in the list of all.
    let place: Int
    /// Its subscription, as a place in the list of all; `nil` for an item that was sold once.
    let renewing: Int?
    let info: AdvancedCommerceRequestInfo

    /// - Parameters:
    ///   - identifier: the transaction in the path.
    ///   - isForCharges: whether the transaction may be one that does not renew.
    init(
        _ body: JSONTree, transaction identifier: UInt64, isForCharges: Bool, in simulation: Simulation
    ) throws(AdvancedCommerceCode) {
        info = try AdvancedCommerceRequestInfo(body)
        self.body = body
        let storefront = body.present("storefront")
        guard storefront == nil || Region.isCode(storefront?.stringValue ?? "") else {
            throw .invalidStorefront
        }
        guard let place = try? simulation.place(of: identifier) else { throw .transactionIDNotFound }
        self.place = place
        renewing = simulation.transactions[place].subscription
        guard renewing != nil || isForCharges && simulation.soldTerms[place] != nil else {
            throw .subscriptionDoesNotExist
        }
        guard !simulation.transactions[place].isFamilyShared else { throw .productNotOwned }
        try body.checkStorefront(simulation.customers[simulation.transactions[place].customer].region)
        let consistency = renewing.flatMap { simulation.subscriptions[$0].advancedCommerce?.consistencyToken }
        if let token = info.consistencyToken {
            guard let consistency, token.stringValue == consistency else { throw .invalidConsistencyToken }
        }
    }

    /// The subscription, as a place in the list of all.
    func subscription() throws(AdvancedCommerceCode) -> Int {
        guard let renewing else { throw .subscriptionDoesNotExist }
        return renewing
    }

    /// The terms of the subscription, which an app's server must manage.
    func terms(in simulation: Simulation) throws(AdvancedCommerceCode) -> Simulation.AdvancedCommerce {
        guard let managed = simulation.subscriptions[try subscription()].advancedCommerce else {
            throw .subscriptionNotEligible
        }
        return managed
    }
}

/// A text of a request, with the errors of each way to be wrong.
struct AdvancedCommerceText: Sendable {
    let member: String
    /// The greatest number of characters.
    let limit: Int
    let missing: AdvancedCommerceCode
    let tooLong: AdvancedCommerceCode
    let invalid: AdvancedCommerceCode

    static let sku = AdvancedCommerceText(
        member: "SKU", limit: 128, missing: .nullSKU, tooLong: .skuLengthExceeded, invalid: .invalidSKU)
    static let currentSKU = AdvancedCommerceText(
        member: "currentSKU", limit: 128, missing: .nullCurrentSKU, tooLong: .currentSKULengthExceeded,
        invalid: .invalidSKU)
    static let displayName = AdvancedCommerceText(
        member: "displayName", limit: 30, missing: .nullDisplayName, tooLong: .displayNameLengthExceeded,
        invalid: .invalidDisplayName)
    static let description = AdvancedCommerceText(
        member: "description", limit: 45, missing: .nullDescription, tooLong: .descriptionLengthExceeded,
        invalid: .invalidDescription)
}

extension JSONTree {
    /// A billion: sums of prices stay far from the largest integer.
    private static let highestPrice = 1_000_000_000_000

    /// A price, which has no more decimals than the currency.
    func price(in region: Region) throws(AdvancedCommerceCode) -> Int {
        guard let value = present("price") else { throw .nullPrice }
        guard let price = value.wholeNumber, price <= Self.highestPrice else { throw .invalidAmount }
        guard price >= 0 else { throw .negativePrice }
        let hasDecimals = !["JPY", "KRW", "VND", "CLP"].contains(region.currency)
        guard price.isMultiple(of: hasDecimals ? 10 : 1000) else { throw .invalidAmount }
        return price
    }

    /// Whether the storefront that a request names, if it names one, is the customer's.
    func checkStorefront(_ region: Region) throws(AdvancedCommerceCode) {
        guard let storefront = present("storefront") else { return }
        guard Region.isCode(storefront.stringValue ?? "") else { throw .invalidStorefront }
        guard storefront.stringValue == region.code else { throw .mismatchedStorefront }
    }

    func text(_ field: AdvancedCommerceText) throws(AdvancedCommerceCode) -> String {
        guard let text = try textIfPresent(field) else { throw field.missing }
        return text
    }

    func textIfPresent(_ field: AdvancedCommerceText) throws(AdvancedCommerceCode) -> String? {
        guard let value = present(field.member) else { return nil }
        guard let text = value.stringValue, !text.isEmpty else { throw field.invalid }
        guard text.count <= field.limit else { throw field.tooLong }
        return text
    }

    /// The elements of a list; `nil` if the body does not have it. A list without elements is an error.
    func items(_ member: String = "items") throws(AdvancedCommerceCode) -> [JSONTree]? {
        guard let list = present(member) else { return nil }
        guard case .array(let elements) = list else { throw .malformedPayload }
        guard !elements.isEmpty else { throw .atLeastOneItem }
        return elements
    }

    /// A tax code of the form that Apple's list has: `C003-00-2`. The list itself is not compared.
    func taxCode() throws(AdvancedCommerceCode) -> String? {
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
    func bySKU() throws(AdvancedCommerceCode) -> [(sku: String, item: JSONTree)] {
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
