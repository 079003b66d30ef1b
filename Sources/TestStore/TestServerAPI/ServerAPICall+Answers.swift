internal import AppStoreTables
internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

extension ServerAPICall {
    /// The answer of an endpoint, or Apple's error. HTTP itself is the caller's.
    func answer(_ endpoint: AppStoreEndpoint) throws(ServerAPIError) -> ServerAPIResponse {
        guard endpoint.isInProduction || appStore.environment != .production else {
            return ServerAPIResponse(status: 404)
        }
        return switch endpoint {
        case .transactionHistory: try history(version: 2)
        case .formerTransactionHistory: try history(version: 1)
        case .transactionInfo: try transactionInfo()
        case .appTransactionInfo: try appTransactionInfo()
        case .setAppAccountToken: try setAppAccountToken()
        case .sendConsumption: try takeConsumption()
        case .sendFormerConsumption: try takeFormerConsumption()
        case .finishTransaction: try finish()
        case .lookUpOrder: try lookUpOrder()
        case .refundHistory: try refundHistory()
        case .formerRefundHistory: try formerRefundHistory()
        case .subscriptionStatuses: try subscriptionStatuses()
        case .extendRenewalDate: try extendOne()
        case .extendRenewalDates: try extendMany()
        case .renewalDatesExtension: try massExtensionStatus()
        case .notificationHistory: try notificationHistory()
        case .requestTestNotification: try requestTestNotification()
        case .testNotificationStatus: try testNotificationStatus()
        case .imageList: listImages()
        case .uploadImage: try uploadImage()
        case .deleteImage: try deleteImage()
        case .messageList: listMessages()
        case .uploadMessage: try uploadMessage()
        case .deleteMessage: try deleteMessage()
        case .defaultMessage: try defaultMessage(isDeleted: false)
        case .setDefaultMessage: try setDefaultMessage()
        case .deleteDefaultMessage: try defaultMessage(isDeleted: true)
        case .realtimeURL: try realtimeURL(isDeleted: false)
        case .setRealtimeURL: try setRealtimeURL()
        case .deleteRealtimeURL: try realtimeURL(isDeleted: true)
        case .startPerformanceTest: try startPerformanceTest()
        case .performanceTestResult: try performanceTestResult()
        case .customerGroups: try customerGroups()
        case .groupMembers: try groupMembers()
        case .claimSeat: try claimSeat()
        case .seatInfo: try seatInfo()
        case .unclaimSeat: try unclaimSeat()
        case .associateSeat: try associateSeat()
        case .cancelSubscription: cancelSubscription()
        case .changeMetadata: changeMetadata()
        case .changePrice: changePrice()
        case .migrateSubscription: migrate()
        case .revokeSubscription: revokeSubscription()
        case .requestRefund: requestRefund()
        case .sendExternalPurchaseReport: try sendReport()
        case .externalPurchaseReport: try retrieveReport()
        }
    }
}
