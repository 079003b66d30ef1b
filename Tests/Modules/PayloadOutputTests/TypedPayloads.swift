/// Payloads with every member that has a property.
enum TypedPayloads {
    private static func tree(_ members: KeyValuePairs<String, PayloadTree>) -> PayloadTree {
        .object(members.map { ($0.key, $0.value) })
    }

    private static let details: [(name: String, value: PayloadTree)] = [
        ("SKU", "\"sku-1\""), ("displayName", "\"A rose\""), ("description", "\"Red\""),
        (
            "seatPriceTiers",
            .array([tree(["price": "9990", "maximumSeatQuantity": "5"]), tree(["price": "7990"])])
        ),
    ]
    private static let offer = tree([
        "period": "\"P1M\"", "periodCount": "3", "price": "4990", "reason": "\"WIN_BACK\"",
    ])
    private static let binding: [(name: String, value: PayloadTree)] = [
        ("deviceVerification", "\"+/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\""),
        ("deviceVerificationNonce", "\"48C8B92D-CE0D-4229-BEDF-E61B4F9CFC92\""),
    ]
    private static let offerMembers: [(name: String, value: PayloadTree)] = [
        ("offerType", "2"), ("offerIdentifier", "\"spring\""), ("offerDiscountType", "\"PAY_AS_YOU_GO\""),
        ("offerPeriod", "\"P3D\""),
    ]

    static let transaction = tree([
        "transactionId": "\"2000000004047119\"", "originalTransactionId": "2000000000842607",
        "webOrderLineItemId": "\"2000000000302832\"", "bundleId": "\"com.example.garden\"",
        "productId": "\"com.example.garden.plus\"", "type": "\"Auto-Renewable Subscription\"",
        "subscriptionGroupIdentifier": "\"20929536\"", "purchaseDate": "1646387016000",
        "originalPurchaseDate": "1646046037001", "expiresDate": "1646387196999", "quantity": "2",
        "isUpgraded": "true", "inAppOwnershipType": "\"PURCHASED\"",
        "appAccountToken": "\"207262DA-1ac8-4e0a-a399-5aa62a82800f\"", "environment": "\"Sandbox\"",
        "storefront": "\"AUT\"", "storefrontId": "\"143445\"", "transactionReason": "\"RENEWAL\"",
        "price": "9990",
        "currency": "\"EUR\"", "revocationDate": "1646387199000", "revocationReason": "1",
        "revocationType": "\"REFUND_FULL\"", "revocationPercentage": "33333", "appTransactionId": "\"704\"",
        "billingPlanType": "\"MONTHLY\"", "previousOriginalTransactionId": "\"77\"",
        "signedDate": "1767225601254", "additionalTransactionReason": "\"SEAT_ADDITION\"",
        "multiSeatInfo": tree([
            "invitationManagement": "\"DEVELOPER\"", "revokedSeatQuantity": "1",
            "priceTiers": .array([
                tree(["price": "9990", "quantity": "5"]), tree(["quantity": "3", "price": "7990"]),
            ]),
        ]),
        "commitmentInfo": tree([
            "commitmentExpiresDate": "1646387196000", "billingPeriodNumber": "2",
            "totalBillingPeriods": "\"12\"",
            "commitmentPrice": "119880",
        ]),
        "advancedCommerceInfo": tree([
            "descriptors": .object(details), "estimatedTax": "150", "period": "\"P1Y\"",
            "requestReferenceId": "\"r\"",
            "taxCode": "\"C003\"", "taxExclusivePrice": "1000", "taxRate": "\"0.15\"",
            "items": .array([
                .object(
                    details + [
                        ("offer", offer), ("price", "1150"), ("revocationDate", "1646387196000"),
                        (
                            "refunds",
                            .array([
                                tree([
                                    "refundAmount": "500", "refundDate": "1646387196001",
                                    "refundReason": "\"LEGAL\"",
                                    "refundType": "\"FULL\"", "revokedSeatQuantity": "2",
                                ])
                            ])
                        ),
                    ]),
                .object(details),
            ]),
        ]),
    ]).adding(offerMembers + binding)

    static let renewalInfo = tree([
        "originalTransactionId": "\"2000000000842607\"", "productId": "\"com.example.garden.plus\"",
        "autoRenewProductId": "\"com.example.garden.pro\"", "autoRenewStatus": "1", "expirationIntent": "2",
        "isInBillingRetryPeriod": "true", "gracePeriodExpiresDate": "1646387196000",
        "priceIncreaseStatus": "0",
        "renewalDate": "1646387196000", "recentSubscriptionStartDate": "1646387196000",
        "environment": "\"Sandbox\"", "eligibleWinBackOfferIds": .array(["\"one\"", "\"two\""]),
        "renewalPrice": "10000", "currency": "\"EUR\"",
        "appAccountToken": "\"207262da-1ac8-4e0a-a399-5aa62a82800f\"", "appTransactionId": "\"704\"",
        "renewalBillingPlanType": "\"MONTHLY\"", "signedDate": "1767225601254",
        "renewalQuantity": "6",
        "multiSeatInfo": tree([
            "renewalPriceTiers": .array([
                tree(["price": "9990", "quantity": "5"]), tree(["price": "7990", "quantity": "1"]),
            ])
        ]),
        "commitmentInfo": tree([
            "commitmentAutoRenewProductId": "\"p\"", "commitmentAutoRenewStatus": "1",
            "commitmentRenewalBillingPlanType": "\"MONTHLY\"", "commitmentRenewalDate": "1646387196000",
            "commitmentRenewalPrice": "119880",
        ]),
        "advancedCommerceInfo": tree([
            "consistencyToken": "\"c\"", "descriptors": .object(details), "period": "\"P1Y\"",
            "requestReferenceId": "\"r\"", "taxCode": "\"C003\"",
            "items": .array([
                .object(
                    details + [
                        ("offer", offer), ("price", "1150"),
                        (
                            "priceIncreaseInfo",
                            tree([
                                "dependentSKUs": .array(["\"x\"", "\"y\""]), "price": "1250",
                                "status": "\"PENDING\"",
                            ])
                        ),
                    ])
            ]),
        ]),
    ]).adding(offerMembers + binding)

    static let appTransaction = tree([
        "receiptType": "\"Sandbox\"", "appAppleId": "1234567890", "bundleId": "\"com.example.garden\"",
        "applicationVersion": "\"7\"", "versionExternalIdentifier": "81",
        "receiptCreationDate": "1767225601254",
        "requestDate": "1767225601254", "originalPurchaseDate": "1767225601254",
        "originalApplicationVersion": "\"1.0\"", "preorderDate": "1767225601254",
        "appTransactionId": "\"704\"",
        "originalPlatform": "\"iOS\"", "storeType": "\"CONSUMER\"", "revocationDate": "1767225601254",
    ]).adding(binding)

    static let realtimeRequest = tree([
        "originalTransactionId": "\"2000000000842607\"", "appAppleId": "1234567890", "productId": "\"p\"",
        "userLocale": "\"de_AT\"", "requestIdentifier": "\"207262DA-1ac8-4e0a-a399-5aa62a82800f\"",
        "signedDate": "1767225601254", "environment": "\"Sandbox\"",
    ])

    static let notification = tree([
        "notificationType": "\"DID_RENEW\"", "subtype": "\"BILLING_RECOVERY\"",
        "notificationUUID": "\"5d12dde6-ac41-4a06-9e45-731fb5d35ac3\"", "version": "\"2.0\"",
        "signedDate": "1767225601254",
        "data": tree([
            "appAppleId": "1234567890", "bundleId": "\"com.example.garden\"", "bundleVersion": "\"1\"",
            "environment": "\"Sandbox\"", "status": "1", "consumptionRequestReason": "\"LEGAL\"",
            "signedTransactionInfo": "\"\"", "signedRenewalInfo": "\"\"",
        ]),
        "summary": tree([
            "environment": "\"Production\"", "appAppleId": "1234567891",
            "bundleId": "\"com.example.summary\"",
            "productId": "\"com.example.garden.plus\"", "requestIdentifier": "\"r-1\"",
            "storefrontCountryCodes": .array(["\"AUT\"", "\"USA\""]), "succeededCount": "5",
            "failedCount": "2",
        ]),
        "externalPurchaseToken": tree([
            "externalPurchaseId": "\"SANDBOX_1\"", "tokenCreationDate": "1646387016000",
            "tokenExpirationDate": "1646387196999", "tokenType": "\"SERVICES\"", "appAppleId": "1234567892",
            "bundleId": "\"com.example.token\"",
        ]),
        "appData": tree([
            "appAppleId": "1234567893", "bundleId": "\"com.example.app\"", "environment": "\"Sandbox\"",
            "signedAppTransactionInfo": "\"\"",
        ]),
        "unclaimInfo": tree([
            "unclaimSeatIds": .array(["\"3F2504e0-4f89-41d3-9a0c-0305e82c3301\""]),
            "originalTransactionId": "\"2000000000842607\"", "appAppleId": "1234567894",
            "bundleId": "\"com.example.seats\"", "environment": "\"Sandbox\"",
        ]),
    ])
}

extension PayloadTree: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .scalar(value) }

    fileprivate func adding(_ members: [(name: String, value: PayloadTree)]) -> PayloadTree {
        guard case .object(let others) = self else { return self }
        return .object(others + members)
    }

    /// The object with another value of a member, in an object inside it.
    func replacing(_ member: String, in part: String, _ value: PayloadTree) -> PayloadTree {
        guard case .object(var members) = self, let index = members.firstIndex(where: { $0.name == part }),
            case .object(var inner) = members[index].value,
            let place = inner.firstIndex(where: { $0.name == member })
        else { return self }
        inner[place].value = value
        members[index].value = .object(inner)
        return .object(members)
    }
}
