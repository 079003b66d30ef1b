internal import AppStoreTables
internal import WireFormats

/// The errors of the External Purchase Server API, with Apple's numbers.
///
/// No report leads to SimultaneousSubmissionError (26) and NonInitialBuyReferencedByBuyError (29): reports come one by one
/// here, and 14 says the same as the second. `POST /test/errors` gives them.
package enum ExternalPurchaseErrorCode: Int, CaseIterable {
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
    package var message: String {
        (ErrorTable.externalPurchase[rawValue] ?? ErrorTable.unnumbered.entry(of: rawValue)).message
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
