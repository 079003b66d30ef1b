extension StoreKitConfiguration {
    /// Products for scenarios without a `.storekit` file: one of each kind, and offers of each kind.
    ///
    /// - Throws: `StoreKitConfigurationError`, never in a released version.
    public static func example() throws(StoreKitConfigurationError) -> StoreKitConfiguration {
        try StoreKitConfiguration(Array(exampleText.utf8))
    }

    /// It has the members of version 4 of the format, so that it is an example of a file, too.
    private static let exampleText = """
        {
          "identifier" : "5AD0E1F2",
          "nonRenewingSubscriptions" : [
            {
              "displayPrice" : "19.99", "familyShareable" : false, "internalID" : "5AD00004",
              "localizations" : [ { "description" : "The harvest of one season", "displayName" : "Season Pass", "locale" : "en_US" } ],
              "productID" : "com.example.garden.season", "referenceName" : "Season pass", "type" : "NonRenewingSubscription"
            }
          ],
          "products" : [
            {
              "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "5AD00001",
              "localizations" : [ { "description" : "A bag of seeds", "displayName" : "Seeds", "locale" : "en_US" } ],
              "productID" : "com.example.garden.seeds", "referenceName" : "Seeds", "type" : "Consumable"
            },
            {
              "displayPrice" : "9.99", "familyShareable" : true, "internalID" : "5AD00002",
              "localizations" : [ { "description" : "A greenhouse, for ever", "displayName" : "Greenhouse", "locale" : "en_US" } ],
              "productID" : "com.example.garden.greenhouse", "referenceName" : "Greenhouse", "type" : "NonConsumable"
            }
          ],
          "settings" : { "_locale" : "en_US", "_storefront" : "USA", "_timeRate" : 0 },
          "subscriptionGroups" : [
            {
              "id" : "5AD00010", "localizations" : [ ], "name" : "Garden Plus",
              "subscriptions" : [
                {
                  "adHocOffers" : [
                    { "displayPrice" : "2.99", "internalID" : "5AD00021", "numberOfPeriods" : 2, "offerID" : "spring", "paymentMode" : "payAsYouGo", "referenceName" : "Spring", "subscriptionPeriod" : "P1M" }
                  ],
                  "codeOffers" : [
                    { "displayPrice" : "5.99", "eligibility" : [ "existing", "expired", "new" ], "internalID" : "5AD00022", "isStackable" : false, "paymentMode" : "payUpFront", "referenceName" : "fair", "subscriptionPeriod" : "P3M" }
                  ],
                  "displayPrice" : "4.99", "familyShareable" : true, "groupNumber" : 2, "internalID" : "5AD00011",
                  "introductoryOffer" : { "internalID" : "5AD00020", "paymentMode" : "free", "subscriptionPeriod" : "P1W" },
                  "localizations" : [ { "description" : "All plants", "displayName" : "Garden Plus", "locale" : "en_US" } ],
                  "productID" : "com.example.garden.plus.monthly", "recurringSubscriptionPeriod" : "P1M",
                  "referenceName" : "Plus, monthly", "subscriptionGroupID" : "5AD00010", "type" : "RecurringSubscription",
                  "winbackOffers" : [
                    { "internalID" : "5AD00023", "isEligible" : true, "offerID" : "come-back", "paymentMode" : "free", "referenceName" : "Come back", "subscriptionPeriod" : "P1M" }
                  ]
                },
                {
                  "adHocOffers" : [
                    { "displayPrice" : "4.99", "internalID" : "5AD00024", "offerID" : "more", "paymentMode" : "payUpFront", "referenceName" : "More", "subscriptionPeriod" : "P1M" }
                  ],
                  "codeOffers" : [ ],
                  "displayPrice" : "9.99", "familyShareable" : true, "groupNumber" : 1, "internalID" : "5AD00012", "introductoryOffer" : null,
                  "localizations" : [ { "description" : "All plants, and a gardener", "displayName" : "Garden Premium", "locale" : "en_US" } ],
                  "productID" : "com.example.garden.premium.monthly", "recurringSubscriptionPeriod" : "P1M",
                  "referenceName" : "Premium, monthly", "subscriptionGroupID" : "5AD00010", "type" : "RecurringSubscription",
                  "winbackOffers" : [ ]
                },
                {
                  "adHocOffers" : [ ],
                  "billingPlans" : [
                    { "billingPlanType" : "BILLED_UPFRONT", "commitmentDisplayPrice" : "49.99", "displayPrice" : "49.99", "internalID" : "5AD00031", "isEnabled" : true },
                    { "billingPlanType" : "MONTHLY", "commitmentDisplayPrice" : "53.88", "displayPrice" : "4.49", "internalID" : "5AD00032", "isEnabled" : true }
                  ],
                  "codeOffers" : [ ],
                  "displayPrice" : "49.99", "familyShareable" : true, "groupNumber" : 2, "internalID" : "5AD00013", "introductoryOffer" : null,
                  "localizations" : [ { "description" : "All plants, for a year", "displayName" : "Garden Plus, yearly", "locale" : "en_US" } ],
                  "productID" : "com.example.garden.plus.yearly", "recurringSubscriptionPeriod" : "P1Y",
                  "referenceName" : "Plus, yearly", "subscriptionGroupID" : "5AD00010", "type" : "RecurringSubscription",
                  "winbackOffers" : [ ]
                }
              ]
            }
          ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """
}
