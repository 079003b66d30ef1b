#if ServerAPI
    /// Names of codes, without the word "Error" at their end.
    ///
    /// Source: Apple's page
    /// [SendReportErrorResponse](https://developer.apple.com/documentation/externalpurchaseserverapi/sendreporterrorresponse).
    extension APIErrorCode {
        /// The External Purchase Server API. They belong to an error inside `errors`.
        package static let externalPurchaseNames: [Int: String] = [
            1: "DuplicateValue",
            2: "ReportingCurrencyMismatch",
            3: "NotFound",
            4: "OmittedField",
            5: "FieldNotAllowed",
            6: "FutureDate",
            7: "UnknownEnum",
            8: "LineItemStatusRegression",
            9: "MissingLineItemsForStatus",
            10: "LineItemsNotAllowedForStatus",
            11: "IncorrectAmountTaxInclusive",
            12: "IncorrectNetAmount",
            13: "SelfReference",
            14: "ReferenceInvalidSubscriptionEvent",
            15: "NegativeValueNotAllowed",
            16: "PositiveValueRequired",
            17: "StartDateAfterEndDate",
            18: "ReportingCurrencyExchangeNotAllowed",
            19: "MaximumLengthExceeded",
            20: "ErroneouslySubmittedNotRestatement",
            21: "ReferenceLineItemNotABuy",
            22: "ErroneousLineItemReferencedByValidLineItem",
            23: "TaxCountryMismatch",
            24: "NetAmountMismatch",
            25: "ValidLineItemReferencesErroneousLineItem",
            26: "SimultaneousSubmission",
            27: "DateTooFarInPast",
            28: "RefundReferencedByRefund",
            29: "NonInitialBuyReferencedByBuy",
            30: "RepeatErroneousSubmission",
            31: "ReferencedCreationDateIncompatible",
            32: "PricingCurrencyMismatch",
            33: "ExchangeRateMismatch",
            34: "SubscriptionStartNonZeroDaysPaidService",
            35: "InvalidTaxInclusiveAmountForSubscriptionPayment",
        ]
    }
#endif
