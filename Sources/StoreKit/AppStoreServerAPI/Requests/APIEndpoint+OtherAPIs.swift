#if ServerAPI
    extension APIEndpoint {
        /// The endpoints of retention messages. A repeated upload is an error, and so is a repeated deletion.
        static let messaging = [
            imageList, uploadImage, deleteImage, messageList, uploadMessage, deleteMessage, defaultMessage,
            setDefaultMessage, deleteDefaultMessage, realtimeURL, setRealtimeURL, deleteRealtimeURL,
            startPerformanceTest, performanceTestResult,
        ]

        private static let folder = "/inApps/v1/messaging"

        static let imageList = APIEndpoint(.get, folder + "/image/list", perSecond: 1, "get-image-list")
        static let uploadImage = APIEndpoint(.put, folder + "/image/{}", perSecond: 1, "upload-image")
        static let deleteImage = APIEndpoint(.delete, folder + "/image/{}", perSecond: 1, "delete-image")
        static let messageList = APIEndpoint(.get, folder + "/message/list", perSecond: 1, "get-message-list")
        static let uploadMessage = APIEndpoint(.put, folder + "/message/{}", perSecond: 1, "upload-message")
        static let deleteMessage = APIEndpoint(
            .delete, folder + "/message/{}", perSecond: 1, "delete-message")
        static let defaultMessage = APIEndpoint(
            .get, folder + "/default/{}/{}", perSecond: 1, "get-default-message")
        static let setDefaultMessage = APIEndpoint(
            .put, folder + "/default/{}/{}", perSecond: 10, isIdempotent: true, "configure-default-message")
        static let deleteDefaultMessage = APIEndpoint(
            .delete, folder + "/default/{}/{}", perSecond: 1, "delete-default-message")
        static let realtimeURL = APIEndpoint(.get, folder + "/realtime/url", perSecond: 1, "get-realtime-url")
        static let setRealtimeURL = APIEndpoint(
            .put, folder + "/realtime/url", perSecond: 1, isIdempotent: true, "configure-realtime-url")
        static let deleteRealtimeURL = APIEndpoint(
            .delete, folder + "/realtime/url", perSecond: 1, "delete-realtime-url")
        static let startPerformanceTest = APIEndpoint(
            .post, folder + "/performanceTest", perSecond: 1, "initiate-performance-test")
        static let performanceTestResult = APIEndpoint(
            .get, folder + "/performanceTest/result/{}", perSecond: 1, "get-performance-test-results")
    }

    extension APIEndpoint {
        /// The endpoints of groups and seats. Apple publishes no limits for them; 50 is assumed.
        static let groupsAndSeats = [
            customerGroups, groupMembers, claimSeat, seatInfo, unclaimSeat, associateSeat,
        ]

        private static let seats = "/groups/v1/transactions/{}/seats"

        static let customerGroups = APIEndpoint(
            .get, "/groups/v1/currentGroups/{}", perSecond: 50, "get-customer-groups")
        static let groupMembers = APIEndpoint(.get, "/groups/v1/group/{}", perSecond: 50, "get-group-members")
        /// A repeated identifier gives the same claim.
        static let claimSeat = APIEndpoint(.post, seats, perSecond: 50, isIdempotent: true, "claim-seat")
        static let seatInfo = APIEndpoint(.get, seats, perSecond: 50, "get-seat-info")
        static let unclaimSeat = APIEndpoint(.delete, seats + "/{}", perSecond: 50, "unclaim-seat")
        static let associateSeat = APIEndpoint(
            .post, seats + "/{}/associate", perSecond: 50, "associate-seat")
    }

    extension APIEndpoint {
        /// The endpoints of Advanced Commerce. A repeated reference is an error, unless the first request timed out.
        static let advancedCommerce = [
            cancelSubscription, changeMetadata, changePrice, migrateSubscription, revokeSubscription,
            requestRefund,
        ]

        private static func subscription(_ verb: String, perSecond: Int, _ page: String) -> APIEndpoint {
            APIEndpoint(
                .post, "/advancedCommerce/v1/subscription/" + verb + "/{}", perSecond: perSecond, page)
        }

        static let cancelSubscription = subscription("cancel", perSecond: 5, "cancel-a-subscription")
        static let changeMetadata = subscription(
            "changeMetadata", perSecond: 50, "change-subscription-metadata")
        static let changePrice = subscription("changePrice", perSecond: 50, "change-subscription-price")
        static let migrateSubscription = subscription("migrate", perSecond: 50, "migrate-a-subscription")
        static let revokeSubscription = subscription("revoke", perSecond: 5, "revoke-subscription")
        static let requestRefund = APIEndpoint(
            .post, "/advancedCommerce/v1/transaction/requestRefund/{}", perSecond: 5,
            "request-transaction-refund")
    }

    extension APIEndpoint {
        /// The endpoints of external purchases. Apple publishes no limits for them; 10 is assumed.
        static let externalPurchases = [sendExternalPurchaseReport, externalPurchaseReport]

        static let sendExternalPurchaseReport = APIEndpoint(
            .put, "/externalPurchase/v1/reports", perSecond: 10, "send-external-purchase-report")
        static let externalPurchaseReport = APIEndpoint(
            .get, "/externalPurchase/v1/reports/{}", perSecond: 10, "retrieve-external-purchase-report")
    }
#endif
