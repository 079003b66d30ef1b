internal import WireFormats

/// The errors of the External Purchase Server API, with Apple's numbers and messages (page "Error codes").
///
/// No report leads to SimultaneousSubmissionError (26) and NonInitialBuyReferencedByBuyError (29): reports come one by one
/// here, and 14 says the same as the second. `POST /test/errors` gives them.
enum ExternalPurchaseErrorCode: Int {
    case duplicateValue = 1
    case reportingCurrencyMismatch = 2
    case notFound = 3
    case omittedField = 4
    case fieldNotAllowed = 5
    case futureDate = 6
    case unknownEnum = 7
    case lineItemStatusRegression = 8
    case missingLineItemsForStatus = 9
    case lineItemsNotAllowedForStatus = 10
    case incorrectAmountTaxInclusive = 11
    case incorrectNetAmount = 12
    case selfReference = 13
    case referenceInvalidSubscriptionEvent = 14
    case negativeValueNotAllowed = 15
    case positiveValueRequired = 16
    case startDateAfterEndDate = 17
    case reportingCurrencyExchangeNotAllowed = 18
    case maximumLengthExceeded = 19
    case erroneouslySubmittedNotRestatement = 20
    case referenceLineItemNotABuy = 21
    case erroneousLineItemReferencedByValidLineItem = 22
    case taxCountryMismatch = 23
    case netAmountMismatch = 24
    case validLineItemReferencesErroneousLineItem = 25
    case simultaneousSubmission = 26
    case dateTooFarInPast = 27
    case refundReferencedByRefund = 28
    case nonInitialBuyReferencedByBuy = 29
    case repeatErroneousSubmission = 30
    case referencedCreationDateIncompatible = 31
    case pricingCurrencyMismatch = 32
    case exchangeRateMismatch = 33
    case subscriptionStartNonZeroDaysPaidService = 34
    case invalidTaxInclusiveAmountForSubscriptionPayment = 35
    /// LineItemCreationDateOutOfRangeError, whose number Apple does not publish: the number is a placeholder.
    case lineItemCreationDateOutOfRange = 9901

    /// Apple's sentence.
    var message: String {
        switch self {
        case .duplicateValue: "The field's value is already submitted and a duplicate value is not expected."
        case .reportingCurrencyMismatch:
            "The refund's referenced buy line item has a different reporting currency."
        case .notFound: "The referenced value was not found."
        case .omittedField: "A required field is missing."
        case .fieldNotAllowed: "The provided field is not allowed."
        case .futureDate: "The provided date field is in the future and future values are not allowed."
        case .unknownEnum: "The provided value is unknown for an enumeration."
        case .lineItemStatusRegression:
            "Cannot mark status as NO_LINE_ITEM or UNRECOGNIZED_TOKEN after previously reporting as LINE_ITEM."
        case .missingLineItemsForStatus:
            "Missing line items for an external purchase ID that has a LINE_ITEM status."
        case .lineItemsNotAllowedForStatus:
            "A line item was provided for an external purchase ID that has a NO_LINE_ITEM or UNRECOGNIZED_TOKEN status."
        case .incorrectAmountTaxInclusive:
            "The tax exclusive amount plus the tax amount does not equal the tax inclusive amount."
        case .incorrectNetAmount: "The net amount value does not match the expected value."
        case .selfReference: "The line item may not reference itself."
        case .referenceInvalidSubscriptionEvent:
            "The referenced line item has no subscription event or its subscription event is not SUBSCRIPTION_START."
        case .negativeValueNotAllowed: "This field doesn't allow a negative value."
        case .positiveValueRequired: "This field requires a positive value."
        case .startDateAfterEndDate: "The start date is after the end date."
        case .reportingCurrencyExchangeNotAllowed:
            "The reporting currency, which reports a currency exchange, isn't allowed."
        case .maximumLengthExceeded: "The field's maximum length is exceeded."
        case .erroneouslySubmittedNotRestatement:
            "Expecting restatement for an erroneously submitted line item, but line item is not a restatement."
        case .referenceLineItemNotABuy: "The referenced line item is not a buy."
        case .erroneousLineItemReferencedByValidLineItem:
            "The line item has status erroneously submitted but is referenced by a non-erroneously submitted line item."
        case .taxCountryMismatch: "The refund's referenced buy line item has a different tax country."
        case .netAmountMismatch:
            "Two line items involved in the same net amount calculation have different net amount values."
        case .validLineItemReferencesErroneousLineItem:
            "The line item references an erroneously submitted line item, but the line item itself is not erroneously submitted."
        case .simultaneousSubmission:
            "One or more simultaneous submissions of reports reference the same data."
        case .dateTooFarInPast: "The provided date is too far in the past. Date must be in milliseconds."
        case .refundReferencedByRefund:
            "The line item has event type REFUND but is referenced by a different line item that also has event type REFUND."
        case .nonInitialBuyReferencedByBuy:
            "The line item does not have subscription event INITIAL_BUY but it is referenced by a subscription line item with event type BUY."
        case .repeatErroneousSubmission:
            "The line item has status erroneously submitted but its previous version was already marked erroneously submitted."
        case .referencedCreationDateIncompatible:
            "The referenced line item has a creation date after the line item's creation date."
        case .pricingCurrencyMismatch:
            "The refund's referenced buy line item has a different pricing currency."
        case .exchangeRateMismatch: "The refund's referenced buy line item has a different exchange rate."
        case .subscriptionStartNonZeroDaysPaidService:
            "The subscriptionDaysOfPaidService field must be zero for a line item with subscription event SUBSCRIPTION_START."
        case .invalidTaxInclusiveAmountForSubscriptionPayment:
            "The tax inclusive amount must be positive for line items with subscription event SUBSCRIPTION_PAYMENT."
        case .lineItemCreationDateOutOfRange:
            "The line item's creation date is outside of the time in which the token is active."
        }
    }
}

/// One error of a report: a report can have several.
struct ExternalPurchaseError: Hashable, Sendable {
    let code: ExternalPurchaseErrorCode
    /// The member that is wrong; `nil` if the error is about no member.
    let field: String?
    /// The line with it; `nil` for the report.
    var lineItem: String?

    var object: ObjectText {
        var object = ObjectText()
        object.add("errorCode", code.rawValue)
        object.add("errorMessage", code.message)
        object.add("fieldName", field)
        object.add("lineItemId", lineItem)
        return object
    }
}
