/// The errors of the External Purchase Server API. They stand inside of `errors`: a report may have several.
///
/// Source: Apple's page
/// [SendReportErrorResponse](https://developer.apple.com/documentation/externalpurchaseserverapi/sendreporterrorresponse).
extension ErrorTable {
    /// The messages are Apple's.
    package static let externalPurchase = ErrorTable(
        """
        1 DuplicateValue: The field's value is already submitted and a duplicate value is not expected.
        2 ReportingCurrencyMismatch: The refund's referenced buy line item has a different reporting \
        currency.
        3 NotFound: The referenced value was not found.
        4 OmittedField: A required field is missing.
        5 FieldNotAllowed: The provided field is not allowed.
        6 FutureDate: The provided date field is in the future and future values are not allowed.
        7 UnknownEnum: The provided value is unknown for an enumeration.
        8 LineItemStatusRegression: Cannot mark status as NO_LINE_ITEM or UNRECOGNIZED_TOKEN after \
        previously reporting as LINE_ITEM.
        9 MissingLineItemsForStatus: Missing line items for an external purchase ID that has a LINE_ITEM \
        status.
        10 LineItemsNotAllowedForStatus: A line item was provided for an external purchase ID that has a \
        NO_LINE_ITEM or UNRECOGNIZED_TOKEN status.
        11 IncorrectAmountTaxInclusive: The tax exclusive amount plus the tax amount does not equal the \
        tax inclusive amount.
        12 IncorrectNetAmount: The net amount value does not match the expected value.
        13 SelfReference: The line item may not reference itself.
        14 ReferenceInvalidSubscriptionEvent: The referenced line item has no subscription event or its \
        subscription event is not SUBSCRIPTION_START.
        15 NegativeValueNotAllowed: This field doesn't allow a negative value.
        16 PositiveValueRequired: This field requires a positive value.
        17 StartDateAfterEndDate: The start date is after the end date.
        18 ReportingCurrencyExchangeNotAllowed: The reporting currency, which reports a currency \
        exchange, isn't allowed.
        19 MaximumLengthExceeded: The field's maximum length is exceeded.
        20 ErroneouslySubmittedNotRestatement: Expecting restatement for an erroneously submitted line \
        item, but line item is not a restatement.
        21 ReferenceLineItemNotABuy: The referenced line item is not a buy.
        22 ErroneousLineItemReferencedByValidLineItem: The line item has status erroneously submitted but \
        is referenced by a non-erroneously submitted line item.
        23 TaxCountryMismatch: The refund's referenced buy line item has a different tax country.
        24 NetAmountMismatch: Two line items involved in the same net amount calculation have different \
        net amount values.
        25 ValidLineItemReferencesErroneousLineItem: The line item references an erroneously submitted \
        line item, but the line item itself is not erroneously submitted.
        26 SimultaneousSubmission: One or more simultaneous submissions of reports reference the same data.
        27 DateTooFarInPast: The provided date is too far in the past. Date must be in milliseconds.
        28 RefundReferencedByRefund: The line item has event type REFUND but is referenced by a different \
        line item that also has event type REFUND.
        29 NonInitialBuyReferencedByBuy: The line item does not have subscription event INITIAL_BUY but \
        it is referenced by a subscription line item with event type BUY.
        30 RepeatErroneousSubmission: The line item has status erroneously submitted but its previous \
        version was already marked erroneously submitted.
        31 ReferencedCreationDateIncompatible: The referenced line item has a creation date after the \
        line item's creation date.
        32 PricingCurrencyMismatch: The refund's referenced buy line item has a different pricing currency.
        33 ExchangeRateMismatch: The refund's referenced buy line item has a different exchange rate.
        34 SubscriptionStartNonZeroDaysPaidService: The subscriptionDaysOfPaidService field must be zero \
        for a line item with subscription event SUBSCRIPTION_START.
        35 InvalidTaxInclusiveAmountForSubscriptionPayment: The tax inclusive amount must be positive for \
        line items with subscription event SUBSCRIPTION_PAYMENT.
        """)
}
