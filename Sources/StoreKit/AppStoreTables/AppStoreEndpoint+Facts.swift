/// The table of the endpoints: methods, paths, limits and pages.
extension AppStoreEndpoint {
    /// The line of the table.
    package var facts: Facts {
        switch self {
        case .transactionHistory:
            Facts(.get, "/inApps/v2/history/{id}", perSecond: 50, "get-transaction-history")
        case .transactionInfo:
            Facts(.get, "/inApps/v1/transactions/{id}", perSecond: 50, "get-transaction-info")
        case .appTransactionInfo:
            Facts(
                .get, "/inApps/v1/transactions/appTransactions/{id}", perSecond: 50,
                "get-app-transaction-info")
        // The last token counts, so a repetition changes nothing.
        case .setAppAccountToken:
            Facts(
                .put, "/inApps/v1/transactions/{id}/appAccountToken", perSecond: 20, isIdempotent: true,
                "set-app-account-token")
        case .sendConsumption:
            Facts(
                .put, "/inApps/v2/transactions/consumption/{id}", perSecond: 50, isIdempotent: true,
                "send-consumption-information")
        case .sendFormerConsumption:
            Facts(
                .put, "/inApps/v1/transactions/consumption/{id}", perSecond: 50, isIdempotent: true,
                "send-consumption-information-v1")
        case .finishTransaction:
            Facts(
                .post, "/inApps/v1/transactions/{id}/finish", perSecond: 50, isIdempotent: true,
                "finish-transaction")
        case .lookUpOrder:
            Facts(.get, "/inApps/v1/lookup/{order}", perSecond: 10, "look-up-order-id")
        case .refundHistory:
            Facts(.get, "/inApps/v2/refund/lookup/{id}", perSecond: 10, "get-refund-history")
        case .formerTransactionHistory:
            Facts(.get, "/inApps/v1/history/{id}", perSecond: 50, "get-transaction-history-v1")
        case .formerRefundHistory:
            Facts(.get, "/inApps/v1/refund/lookup/{id}", perSecond: 10, "get-refund-history-v1")
        case .subscriptionStatuses:
            Facts(.get, "/inApps/v1/subscriptions/{id}", perSecond: 50, "get-all-subscription-statuses")
        // Apple does not say that a repeated identifier extends only once.
        case .extendRenewalDate:
            Facts(
                .put, "/inApps/v1/subscriptions/extend/{id}", perSecond: 20,
                "extend-a-subscription-renewal-date")
        // A repeated identifier extends only once.
        case .extendRenewalDates:
            Facts(
                .post, "/inApps/v1/subscriptions/extend/mass", perSecond: 1, isIdempotent: true,
                "extend-subscription-renewal-dates-for-all-active-subscribers")
        case .renewalDatesExtension:
            Facts(
                .get, "/inApps/v1/subscriptions/extend/mass/{product}/{request}", perSecond: 1,
                "get-status-of-subscription-renewal-date-extensions")
        // The method is POST, and yet the request only reads.
        case .notificationHistory:
            Facts(
                .post, "/inApps/v1/notifications/history", perSecond: 50, isIdempotent: true,
                "get-notification-history")
        case .requestTestNotification:
            Facts(.post, "/inApps/v1/notifications/test", perSecond: 1, "request-a-test-notification")
        case .testNotificationStatus:
            Facts(.get, "/inApps/v1/notifications/test/{token}", perSecond: 1, "get-test-notification-status")
        // A repeated upload is an error, and so is a repeated deletion.
        case .imageList:
            Facts(.get, "/inApps/v1/messaging/image/list", perSecond: 1, "get-image-list")
        case .uploadImage:
            Facts(.put, "/inApps/v1/messaging/image/{id}", perSecond: 1, "upload-image")
        case .deleteImage:
            Facts(.delete, "/inApps/v1/messaging/image/{id}", perSecond: 1, "delete-image")
        case .messageList:
            Facts(.get, "/inApps/v1/messaging/message/list", perSecond: 1, "get-message-list")
        case .uploadMessage:
            Facts(.put, "/inApps/v1/messaging/message/{id}", perSecond: 1, "upload-message")
        case .deleteMessage:
            Facts(.delete, "/inApps/v1/messaging/message/{id}", perSecond: 1, "delete-message")
        case .defaultMessage:
            Facts(
                .get, "/inApps/v1/messaging/default/{product}/{locale}", perSecond: 1, "get-default-message")
        case .setDefaultMessage:
            Facts(
                .put, "/inApps/v1/messaging/default/{product}/{locale}", perSecond: 10, isIdempotent: true,
                "configure-default-message")
        case .deleteDefaultMessage:
            Facts(
                .delete, "/inApps/v1/messaging/default/{product}/{locale}", perSecond: 1,
                "delete-default-message")
        case .realtimeURL:
            Facts(.get, "/inApps/v1/messaging/realtime/url", perSecond: 1, "get-realtime-url")
        case .setRealtimeURL:
            Facts(
                .put, "/inApps/v1/messaging/realtime/url", perSecond: 1, isIdempotent: true,
                "configure-realtime-url")
        case .deleteRealtimeURL:
            Facts(.delete, "/inApps/v1/messaging/realtime/url", perSecond: 1, "delete-realtime-url")
        case .startPerformanceTest:
            Facts(.post, "/inApps/v1/messaging/performanceTest", perSecond: 1, "initiate-performance-test")
        case .performanceTestResult:
            Facts(
                .get, "/inApps/v1/messaging/performanceTest/result/{id}", perSecond: 1,
                "get-performance-test-results")
        // Apple publishes no limits for groups and seats; 50 is assumed.
        case .customerGroups:
            Facts(.get, "/groups/v1/currentGroups/{id}", perSecond: 50, "get-customer-groups")
        case .groupMembers:
            Facts(.get, "/groups/v1/group/{group}", perSecond: 50, "get-group-members")
        // A repeated identifier gives the same claim.
        case .claimSeat:
            Facts(
                .post, "/groups/v1/transactions/{id}/seats", perSecond: 50, isIdempotent: true, "claim-seat")
        case .seatInfo:
            Facts(.get, "/groups/v1/transactions/{id}/seats", perSecond: 50, "get-seat-info")
        case .unclaimSeat:
            Facts(.delete, "/groups/v1/transactions/{id}/seats/{claim}", perSecond: 50, "unclaim-seat")
        case .associateSeat:
            Facts(
                .post, "/groups/v1/transactions/{id}/seats/{claim}/associate", perSecond: 50, "associate-seat"
            )
        // A repeated reference is an error, unless the first request timed out.
        case .cancelSubscription:
            Facts(
                .post, "/advancedCommerce/v1/subscription/cancel/{id}", perSecond: 5, "cancel-a-subscription")
        case .changeMetadata:
            Facts(
                .post, "/advancedCommerce/v1/subscription/changeMetadata/{id}", perSecond: 50,
                "change-subscription-metadata")
        case .changePrice:
            Facts(
                .post, "/advancedCommerce/v1/subscription/changePrice/{id}", perSecond: 50,
                "change-subscription-price")
        case .migrateSubscription:
            Facts(
                .post, "/advancedCommerce/v1/subscription/migrate/{id}", perSecond: 50,
                "migrate-a-subscription")
        case .revokeSubscription:
            Facts(.post, "/advancedCommerce/v1/subscription/revoke/{id}", perSecond: 5, "revoke-subscription")
        case .requestRefund:
            Facts(
                .post, "/advancedCommerce/v1/transaction/requestRefund/{id}", perSecond: 5,
                "request-transaction-refund")
        // Apple publishes no limits for external purchases; 10 is assumed.
        case .sendExternalPurchaseReport:
            Facts(.put, "/externalPurchase/v1/reports", perSecond: 10, "send-external-purchase-report")
        case .externalPurchaseReport:
            Facts(
                .get, "/externalPurchase/v1/reports/{request}", perSecond: 10,
                "retrieve-external-purchase-report")
        }
    }
}
