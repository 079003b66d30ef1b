internal import StoreKitTestSession
internal import WireFormats

/// A line of a report of purchases outside the App Store, and what is wrong with it alone.
struct ExternalPurchaseLine: Hashable, Sendable {
    private(set) var id = ""
    private(set) var reference: String?
    private(set) var creationDate = 0
    private(set) var isRefund = false
    private(set) var event: String?
    /// In thousandths of the reporting currency's unit.
    private(set) var taxExclusive = 0
    private(set) var net = 0
    private(set) var pricingCurrency = ""
    private(set) var reportingCurrency = ""
    private(set) var exchangeRate: String?
    private(set) var taxCountry = ""
    private(set) var isRestatement = false
    private(set) var isErroneous = false

    /// - Parameters:
    ///   - now: in milliseconds since 1970.
    ///   - errors: gets what is wrong. The line has no meaning if anything is.
    init(_ object: JSONTree, now: Int, errors: inout [ExternalPurchaseError]) {
        var reader = ExternalPurchaseLineReader(object, now: now)
        id = reader.text("lineItemId")
        isRefund = reader.choice("eventType", ["BUY", "REFUND"]) == "REFUND"
        creationDate = reader.date("creationDate", mayBeLater: false)
        let isSubscription =
            !isRefund && reader.choice("productType", ["ONE_TIME_BUY", "SUBSCRIPTION"]) == "SUBSCRIPTION"
        readProduct(&reader, isSubscription)
        readAmounts(&reader)
        readCurrencies(&reader)
        isRestatement = object["restatement"] == .bool(true)
        isErroneous = object["erroneouslySubmitted"] == .bool(true)
        if isErroneous, !isRestatement {
            reader.fail(.erroneouslySubmittedNotRestatement, "erroneouslySubmitted")
        }
        errors += reader.errors
    }

    private mutating func readProduct(_ reader: inout ExternalPurchaseLineReader, _ isSubscription: Bool) {
        if isRefund {
            ["productType", "productIdentifier", "quantity"].forEach { reader.forbid($0) }
        } else {
            _ = reader.text("productIdentifier")
            _ = reader.number("quantity", isPositive: true)
        }
        if isSubscription {
            let events = ["SUBSCRIPTION_START", "RENEWAL", "SUBSCRIPTION_CHANGE", "SUBSCRIPTION_PAYMENT"]
            event = reader.choice("subscriptionEvent", events)
            let start = reader.date("subscriptionStartDate", mayBeLater: true)
            let end = reader.date("subscriptionEndDate", mayBeLater: true)
            if start > end { reader.fail(.startDateAfterEndDate, "subscriptionEndDate") }
            let days = reader.number("subscriptionDaysOfPaidService")
            if event == "SUBSCRIPTION_START", days != 0 {
                reader.fail(.subscriptionStartNonZeroDaysPaidService, "subscriptionDaysOfPaidService")
            }
        } else {
            [
                "subscriptionEvent", "subscriptionStartDate", "subscriptionEndDate",
                "subscriptionDaysOfPaidService",
            ].forEach { reader.forbid($0) }
        }
        if isRefund || isSubscription && event != "SUBSCRIPTION_START" {
            reference = reader.text("referenceLineItemId")
            if reference == id { reader.fail(.selfReference, "referenceLineItemId") }
        } else {
            reader.forbid("referenceLineItemId")
        }
    }

    private mutating func readAmounts(_ reader: inout ExternalPurchaseLineReader) {
        let inclusive = reader.number("amountTaxInclusive")
        taxExclusive = reader.number("amountTaxExclusive")
        let tax = reader.number("taxAmount")
        net = reader.number("netAmountTaxExclusive")
        let sum = taxExclusive.addingReportingOverflow(tax)
        if sum.overflow || sum.partialValue != inclusive {
            reader.fail(.incorrectAmountTaxInclusive, "amountTaxInclusive")
        }
        if event == "SUBSCRIPTION_PAYMENT", inclusive <= 0 {
            reader.fail(.invalidTaxInclusiveAmountForSubscriptionPayment, "amountTaxInclusive")
        }
    }

    private mutating func readCurrencies(_ reader: inout ExternalPurchaseLineReader) {
        pricingCurrency = reader.text("pricingCurrency")
        reportingCurrency = reader.text("reportingCurrency")
        taxCountry = reader.text("taxCountry")
        if !Self.reportingCurrencies.contains(reportingCurrency) {
            reader.fail(.unknownEnum, "reportingCurrency")
        }
        if !Region.isCode(taxCountry) { reader.fail(.unknownEnum, "taxCountry") }
        guard pricingCurrency != reportingCurrency else { return reader.forbid("exchangeRate") }
        if Self.reportingCurrencies.contains(pricingCurrency)
            || !["EUR", "USD"].contains(reportingCurrency)
        {
            reader.fail(.reportingCurrencyExchangeNotAllowed, "reportingCurrency")
        }
        exchangeRate = reader.rate("exchangeRate")
    }

    /// Apple's 44 currencies of reports.
    private static let reportingCurrencies = Set(
        ("CLP EUR QAR COP VND EGP THB HKD NOK BRL GBP AUD SEK INR BGN ZAR KZT NGN TWD MXN CHF PEN DKK AED ILS KRW PHP "
            + "TZS PKR HUF IDR CNY MYR RUB RON SGD TRY CZK SAR USD NZD PLN JPY CAD")
            .split(separator: " ").map { String($0) })
}

/// Reads the members of one line, and collects what is wrong.
///
/// A member of another type counts as missing.
private struct ExternalPurchaseLineReader {
    private let object: JSONTree
    private let now: Int
    private let id: String?
    private(set) var errors: [ExternalPurchaseError] = []

    init(_ object: JSONTree, now: Int) {
        self.object = object
        self.now = now
        id = object["lineItemId"]?.stringValue
    }

    /// One error a member: the first is the reason for those after it.
    mutating func fail(_ code: ExternalPurchaseErrorCode, _ field: String) {
        guard !errors.contains(where: { $0.field == field }) else { return }
        errors.append(.init(code: code, field: field, lineItem: id))
    }

    mutating func forbid(_ field: String) {
        if object.present(field) != nil { fail(.fieldNotAllowed, field) }
    }

    mutating func text(_ field: String) -> String {
        guard let text = object[field]?.stringValue, !text.isEmpty else {
            fail(.omittedField, field)
            return ""
        }
        if text.count > 128 { fail(.maximumLengthExceeded, field) }
        return text
    }

    mutating func choice(_ field: String, _ values: [String]) -> String {
        let text = text(field)
        if !values.contains(text) { fail(.unknownEnum, field) }
        return text
    }

    mutating func number(_ field: String, isPositive: Bool = false) -> Int {
        guard let number = object[field]?.wholeNumber else {
            fail(.omittedField, field)
            return 0
        }
        if isPositive, number <= 0 { fail(.positiveValueRequired, field) }
        if !isPositive, number < 0 { fail(.negativeValueNotAllowed, field) }
        return number
    }

    mutating func date(_ field: String, mayBeLater: Bool) -> Int {
        guard let date = object[field]?.wholeNumber else {
            fail(.omittedField, field)
            return 0
        }
        if date < Self.earliest { fail(.dateTooFarInPast, field) }
        if date > now, !mayBeLater { fail(.futureDate, field) }
        return date
    }

    /// 2024-01-25, when the API was published. Apple does not publish its own limit.
    private static let earliest = 1_706_140_800_000

    /// The digits of a positive number, which are compared as they were written.
    mutating func rate(_ field: String) -> String? {
        guard case .number(let digits)? = object[field] else {
            fail(.omittedField, field)
            return nil
        }
        if digits.utf8.count > 128 { fail(.maximumLengthExceeded, field) }
        if (Double(digits) ?? 0) <= 0 { fail(.positiveValueRequired, field) }
        return digits
    }
}
