/// The errors of the Advanced Commerce API.
///
/// Source: Apple's page
/// [Error codes](https://developer.apple.com/documentation/advancedcommerceapi/error-codes).
extension ErrorTable {
    /// The messages are Apple's, except those of 4000193 and 4000221, which Apple does not publish.
    package static let advancedCommerce = ErrorTable(
        """
        4000006 InvalidTransactionId: The transactionId is invalid.
        4000028 InvalidStorefront: The storefront value is invalid.
        4000033 InvalidAppAccountToken: The appAccountToken field must contain a valid UUID or an empty \
        string.
        4000053 InvalidCurrency: The currency value is invalid.
        4000063 OneItemNeededInModify: At least one type of change must be provided in a modify \
        subscription request.
        4000079 NullRequestInfo: The required field, requestInfo, is missing.
        4000080 NullRequestReferenceID: The required field, requestReferenceId, is missing.
        4000081 InvalidRequestReferenceID: The requestReferenceId value is invalid.
        4000082 InvalidConsistencyToken: The consistencyToken value is invalid.
        4000083 NullVersion: The required field, version, is missing.
        4000084 UnexpectedVersion: The value of version is invalid.
        4000085 NullTransactionId: The required field, transactionId, is missing.
        4000086 NegativePrice: The price field must contain a positive number.
        4000087 SKULengthExceeded: Exceeds the maximum length of the SKU field.
        4000088 DescriptionLengthExceeded: Exceeds the maximum length of the description field.
        4000089 DisplayNameLengthExceeded: Exceeds the maximum length of the displayName field.
        4000091 NegativeProratedPrice: Exceeds the maximum length of the price field.
        4000092 NullOfferPeriod: The required field, offer period, is missing.
        4000093 NullPeriodCount: The required field, periodCount, is missing.
        4000094 PeriodCountNotPositive: Period count must be a positive number.
        4000095 NullReason: The required field, reason, is missing.
        4000096 InvalidPreviousTransactionID: Previous original transaction id is invalid.
        4000097 RepeatedRequestReferenceId: The requestReferenceId was repeated.
        4000098 NullCurrency: The required field, currency, is missing.
        4000099 NullTaxCode: The required field, taxCode, is missing.
        4000100 NullStorefront: The required field, storefront, is missing.
        4000101 NullItems: The required field, items, is missing.
        4000102 NullItem: The required field, item, is missing.
        4000103 NullDescriptors: The required field, descriptors, is missing.
        4000104 NullPeriod: The required field, period, is missing.
        4000105 NullSKU: The required field, SKU, is missing.
        4000106 NullDisplayName: The required field, displayName, is missing.
        4000107 NullDescription: The required field, description, is missing.
        4000109 NullPrice: The required field, price, is missing.
        4000110 NullRetainBillingCycle: The required field, retainBillingCycle, is missing.
        4000111 NullEffective: The required field, effective, is missing.
        4000112 NullNewSKU: The required field, SKU in changeItems, is missing.
        4000113 InvalidPreviousSubscription: The previous subscription targeted is invalid.
        4000114 ProductAlreadyExists: Provided SKU is already owned.
        4000115 InvalidProductChanges: Product changes are invalid.
        4000116 InvalidSalable: The targeted salable isn't configured as a generic salable.
        4000117 InvalidSalableDuration: The salable duration is invalid.
        4000118 InvalidDisplayName: The displayName is invalid.
        4000119 InvalidDescription: The description is invalid.
        4000121 InvalidProduct: The requested product to change doesn't exist.
        4000122 InvalidSKU: The SKU was invalid.
        4000123 InvalidRefundType: The refundType is invalid.
        4000124 InvalidRefundReason: The refundReason is invalid.
        4000125 InvalidChangeReason: The change reason is invalid.
        4000126 InvalidOfferReason: The offer reason is invalid.
        4000127 InvalidTaxProductCode: The taxCode is invalid.
        4000128 InvalidOfferPeriod: The offer period is invalid.
        4000129 InvalidOfferPeriodCount: The offer periodCount is invalid.
        4000130 InvalidRenewalPeriod: The renewal period is invalid.
        4000131 InvalidRenewalPrice: The renewal price is invalid.
        4000132 InvalidAmount: The amount is invalid.
        4000133 MismatchedStorefront: The storefronts mismatch.
        4000134 MissingPricingConfigForStorefront: Pricing isn't configured for the storefront.
        4000135 OperationNotAllowed: The operation isn't allowed.
        4000136 MoreItemsThanAllowed: More items were provided than allowed.
        4000137 MoreOffersThanAllowed: More offers were provided than allowed.
        4000139 EmptyAddChangeItems: The addItems and changeItems entries cannot be empty.
        4000140 MissingUpdatedItemsWithPeriodChange: All items must be updated on a period change.
        4000141 PeriodResetWithRetainBillingCycle: Period reset conflicts with retaining billing cycle.
        4000142 PeriodChangeEffectiveConflict: A period change at next cycle conflicts with addition at \
        the current period.
        4000143 MultipleOperationsOnSingleSKU: Multiple operations on a single SKU isn't allowed.
        4000144 RemoveItemsWithoutAddOrChangeItems: The removeItems object was present without addItems \
        or changeItems.
        4000145 RemoveItemNotFound: A product in removeItems wasn't found for the given subscription.
        4000146 ChangeItemNotFound: The targeted item in changeItems wasn't found.
        4000147 MisalignedBillingCycle: The request contains a billing period that doesn't align with the \
        subscription's billing cycle.
        4000148 BillingCycleResetWithEffectiveLater: Bill cycle reset with effective later.
        4000149 PeriodChangeImmediateWithEffectiveAtNextBillingCycle: Period change immediately with \
        effective later.
        4000150 MultiplePrices: Prorated price and offer price are mutually exclusive.
        4000151 InvalidProratedPrice: The prorated price was invalid.
        4000152 InvalidOfferPrice: The subscription offer price is higher than the regular subscription \
        price.
        4000153 NullRefundAmount: The refundAmount value is invalid.
        4000154 NegativeRefundAmount: The refundAmount must be a positive number.
        4000155 RefundAmountWithoutCustom: Can't provide the refund amount because the refundType isn't \
        CUSTOM.
        4000156 NullRefundReason: The required field, refundReason, is missing.
        4000157 NullRefundType: The required field, refundType, is missing.
        4000158 SimulateRefundDeclineOnlyInSandbox: The type SIMULATE_REFUND_DECLINE is only valid in \
        Sandbox.
        4000159 NullRefundRisking: The required field, refundRiskingPreference, is missing.
        4000160 AtLeastOneItem: When included, provide at least one item in items.
        4000165 AtLeastOneOfDisplayNameOrDescription: Provide either the displayName or a description.
        4000166 NullTargetProductID: The required field, targetProductID, is missing.
        4000167 InvalidTargetProductID: The targetProductID value is invalid.
        4000168 RemovalAllNotAllowed: The active subscription must contain at least one item and cannot \
        be completely empty.
        4000169 NullCurrentSKU: The required field, currentSKU, is missing.
        4000170 CurrentSKULengthExceeded: Exceeds the maximum length of the currentSKU field.
        4000171 NullAdvancedCommerceData: The required field, advancedCommerceData, was null.
        4000172 InvalidOperation: The operation is invalid.
        4000173 MalformedPayload: The payload is malformed.
        4000174 InvalidSignature: The signature is invalid.
        4000176 SubscriptionAlreadyMigrated: The subscription was already migrated.
        4000177 OfferPreventsItemMidCycleChange: An existing offer prevents changes to the item mid-cycle.
        4000178 PriceChangeNotSupportedThroughModifyItems: Changing the price isn't supported as part of \
        a modify items request.
        4000179 ItemLimitExceeded: The number of items in subscription exceeds the limit.
        4000180 PendingChangesMismatch: Pending subscription changes must specify a renewalItem, and if \
        there are no pending changes, a renewalItem cannot be specified.
        4000181 PendingRefund: The transaction has pending refunds.
        4000182 ProratedOnlyLatestTransaction: Only requests against the latest transaction can have a \
        PRORATED refundType value.
        4000184 PartialSimulateRefundDecline: If one item has a refundReason value of \
        SIMULATE_REFUND_DECLINE, all items must have a refundReason value of SIMULATE_REFUND_DECLINE.
        4000186 RevokeOnInactiveSubscription: Only active subscriptions are revocable.
        4000192 DependentSKUsCannotBeShared: Invalid request. dependentSKUs can't be shared between \
        multiple SKUs.
        4000193 DependentSKUsCannotBeChained: Invalid request. dependentSKUs can't be chained.
        4000194 ItemCannotBeSpecifiedMultipleTimes: The same SKU can't be repeated in this request.
        4000205 PriceChangeCannotBeIssuedWhenAlreadyCommunicated: A price change can't be issued when the \
        price increase has already been communicated.
        4000214 InvalidPriceForChangeItemInPriceIncrease: Price provided for a changed item with an offer \
        while subject to a price increase was invalid.
        4000220 InvalidSKUProvidedMustBeCurrentSKUSetToRenew: SKU values provided in request must be a \
        SKU that will renew.
        4000221 ACAPriceIncreaseIsNotCurrentlySupportedInIndia: Price increases aren't currently \
        supported in India.
        4000222 InvalidProratedPriceForChangeItemWithEffectiveLater: Prorated price should not be present \
        for change items with type effective later.
        4000223 FreeTrialOfferMustUsePeriodCountOfOne: The subscription offer configuration is invalid. \
        Free trial offers must use a period count of 1.
        4010000 Unauthorized: Unauthorized.
        4030008 SubscriptionDoesNotExist: The subscription doesn't exist.
        4030009 SubscriptionAlreadyExists: The subscription already exists.
        4030010 SubscriptionNotEligible: The subscription isn't eligible for the requested changes.
        4030011 SubscriptionAlreadyActive: The subscription is already active, and cannot be reactivated \
        or renewed at this time.
        4030013 ProductNotOwned: The customer doesn't own the product.
        4030015 InactiveACASub: The subscription is not active.
        4030020 InsufficientFunds: Insufficient funds for refund.
        4030021 AlreadyRefunded: The transaction was already refunded.
        4030022 StorefrontChange: The storefront changed.
        4030023 ProductNotEligible: The product isn't eligible for the requested operation.
        4030024 TransactionNotRefundable: The transaction is not refundable.
        4030025 TransactionCannotBeRefundedContactSupport: The transaction can't be refunded; customer \
        can contact Apple Support for assistance.
        4030027 MigrationNotAllowedWhenPriceIncreaseCommunicated: Migration isn't allowed because a price \
        increase was already communicated to the customer.
        4040010 TransactionIdNotFound: Transaction id not found.
        4040016 ProductNotFound: Product not found.
        4290000 RateLimitExceeded: Rate limit exceeded.
        5000000 GeneralInternal: An unknown error occurred.
        5000001 GeneralInternalRetryable: An unknown error occurred. Please try again.
        """)
}
