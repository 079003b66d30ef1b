#if ServerAPI
    internal import WireFormats
    internal import Essentials

    extension ExternalPurchaseLineItem {
        var json: ObjectText {
            var line = ObjectText()
            line.add("lineItemId", lineItemID)
            line.add("referenceLineItemId", referenceLineItemID)
            line.add("creationDate", creationDate.wholeMilliseconds)
            line.add("eventType", eventType.rawValue)
            line.add("productType", productType?.rawValue)
            line.add("productIdentifier", productIdentifier)
            line.add("quantity", quantity)
            line.add("amountTaxInclusive", amounts.taxInclusive)
            line.add("amountTaxExclusive", amounts.taxExclusive)
            line.add("taxAmount", amounts.tax)
            line.add("netAmountTaxExclusive", amounts.netTaxExclusive)
            line.add("pricingCurrency", pricingCurrency)
            line.add("reportingCurrency", reportingCurrency)
            line.add("exchangeRate", exchangeRate)
            line.add("taxCountry", taxCountry)
            line.add("subscriptionEvent", subscription?.event.rawValue)
            line.add("subscriptionStartDate", subscription?.startDate.wholeMilliseconds)
            line.add("subscriptionEndDate", subscription?.endDate.wholeMilliseconds)
            line.add("subscriptionDaysOfPaidService", subscription?.daysOfPaidService)
            if isRestatement { line.add("restatement", true) }
            if isErroneouslySubmitted { line.add("erroneouslySubmitted", true) }
            return line
        }

        init(_ answer: AnswerObject) throws(AnswerError) {
            lineItemID = try answer.text("lineItemId")
            referenceLineItemID = try answer.optionalText("referenceLineItemId")
            creationDate = try answer.date("creationDate")
            eventType = EventType(rawValue: try answer.text("eventType"))
            productType = try answer.optionalText("productType").map { ProductType(rawValue: $0) }
            productIdentifier = try answer.optionalText("productIdentifier")
            quantity = try answer.optionalNumber("quantity")
            amounts = Amounts(
                taxExclusive: try answer.number("amountTaxExclusive"), tax: try answer.number("taxAmount"),
                netTaxExclusive: try answer.number("netAmountTaxExclusive"))
            amounts.taxInclusive = try answer.number("amountTaxInclusive")
            pricingCurrency = try answer.text("pricingCurrency")
            reportingCurrency = try answer.text("reportingCurrency")
            exchangeRate = try answer.optionalDecimal("exchangeRate")
            taxCountry = try answer.text("taxCountry")
            if let event = try answer.optionalText("subscriptionEvent") {
                subscription = Subscription(
                    SubscriptionEvent(rawValue: event), from: try answer.date("subscriptionStartDate"),
                    to: try answer.date("subscriptionEndDate"),
                    daysOfPaidService: try answer.number("subscriptionDaysOfPaidService"))
            }
            isRestatement = try answer.optionalBool("restatement") ?? false
            isErroneouslySubmitted = try answer.optionalBool("erroneouslySubmitted") ?? false
        }
    }
#endif
