internal import Essentials
internal import Minting
internal import StoreKitVerify
internal import WireFormats

/// The payloads that the App Store signs of its state. Their members stand in the App Store's order.
///
/// `GenuineComparisonTests` compares which members there are with those of payloads that Apple signed: a member that Apple
/// adds is added here, at its place.
extension Simulation {
    /// The two members that bind a payload to a device. Payloads for servers lack them.
    package struct Device {
        /// Of this payload alone. The app hashes it with its device's identifier and compares.
        let nonce: UUID
        let hash: String

        init(_ identifier: UUID, nonce: UUID) throws(StoreRefusal) {
            self.nonce = nonce
            hash = try translating(
                try DeviceHash.value(nonce: nonce.uuidString, deviceIdentifier: identifier.uuidString),
                StoreRefusal.signing)
        }

        /// Adds the two members that an app compares (StoreKit, `deviceVerification`).
        fileprivate func add(to payload: inout ObjectText) {
            payload.add("deviceVerification", hash)
            payload.add("deviceVerificationNonce", nonce.uuidString.lowercased())
        }
    }

    /// A transaction, as `JWSTransactionDecodedPayload` has it.
    ///
    /// - Parameters:
    ///   - place: the transaction.
    ///   - copy: what another device got of it; `nil` for the transaction itself.
    ///   - device: what the payload is bound to; `nil` for a server.
    package func transactionToken(
        _ place: TransactionPlace, as copy: RestoredCopy? = nil, for device: Device? = nil
    ) throws(StoreRefusal) -> String {
        let transaction = purchases[place]
        let customer = customers[transaction.customer]
        var payload = ObjectText()
        payload.add("transactionId", String(copy?.id ?? transaction.id))
        payload.add("originalTransactionId", String(transaction.originalID))
        payload.add("webOrderLineItemId", transaction.webOrderLineItemID.map { String($0) })
        payload.add("bundleId", signer.app.bundleID)
        payload.add("productId", transaction.product.id)
        payload.add("subscriptionGroupIdentifier", transaction.product.subscription?.groupID)
        payload.add("purchaseDate", copy?.date ?? transaction.purchaseDate)
        payload.add("originalPurchaseDate", transaction.originalPurchaseDate)
        payload.add("expiresDate", transaction.expiresDate)
        payload.add("quantity", transaction.quantity)
        payload.add("type", transaction.product.type.rawValue)
        device?.add(to: &payload)
        payload.add("appAccountToken", transaction.appAccountToken?.uuidString.lowercased())
        payload.add("inAppOwnershipType", transaction.ownership.rawValue)
        payload.add("signedDate", signingDate)
        payload.add("revocationReason", transaction.revocation?.reason.rawValue)
        payload.add("revocationDate", transaction.revocation?.date)
        payload.add("isUpgraded", transaction.isUpgraded ? true : nil)
        payload.add("offerType", transaction.offer?.type.rawValue)
        payload.add("offerIdentifier", transaction.offer?.id)
        payload.add("environment", since(.environment, signer.environment.rawValue))
        payload.add("transactionReason", since(.storefront, transaction.isRenewal ? "RENEWAL" : "PURCHASE"))
        payload.add("storefront", since(.storefront, customer.region.code))
        payload.add("storefrontId", since(.storefront, customer.region.storefrontID))
        // Of several seats, the average.
        payload.add("price", since(.price, transaction.seats?.averagePrice ?? transaction.price))
        payload.add("currency", since(.price, customer.region.currency))
        payload.add("offerDiscountType", since(.price, transaction.offer?.paymentMode.rawValue))
        payload.add("appTransactionId", since(.download, String(customer.appTransactionID)))
        payload.add("offerPeriod", since(.download, transaction.offer?.duration?.iso8601))
        let managed = advancedCommerceInfo(of: place)
        // Of an app's own items, the refunds of the items say it.
        payload.add("revocationType", managed == nil ? transaction.revocation?.type.rawValue : nil)
        payload.add("revocationPercentage", transaction.revocation?.percentage)
        payload.add("advancedCommerceInfo", managed)
        payload.add("billingPlanType", billingPlan(of: transaction))
        payload.add("commitmentInfo", commitmentInfo(of: transaction))
        let isOneOfSeveral = transaction.seats?.isOneOfSeveral == true
        payload.add("additionalTransactionReason", isOneOfSeveral ? "SEAT_ADDITION" : nil)
        payload.add("multiSeatInfo", multiSeatInfo(of: transaction))
        payload.add(
            "previousOriginalTransactionId",
            transaction.subscription.flatMap { purchases[$0].previousOriginalID }.map { String($0) })
        return try signer.token(payload)
    }

    /// A subscription's renewal information, as `JWSRenewalInfoDecodedPayload` has it.
    package func renewalToken(
        _ index: SubscriptionPlace, for device: Device? = nil
    ) throws(StoreRefusal) -> String {
        try signer.token(renewalInfo(index, signedAt: signingDate, for: device))
    }

    /// The members of a subscription's renewal information.
    func renewalInfo(
        _ index: SubscriptionPlace, signedAt date: Int, for device: Device? = nil
    ) -> ObjectText {
        let subscription = purchases[index]
        let latest = purchases[subscription.latest]
        let customer = customers[subscription.customer]
        // The offer and the price are those of the next period.
        let (willRenew, staysBound) = (subscription.renews, subscription.isBound)
        let offer = willRenew && !staysBound ? subscription.nextOffer?.offer : nil
        let seats = willRenew ? nextSeats(subscription) : nil
        var payload = ObjectText()
        payload.add("expirationIntent", expirationIntent(subscription))
        payload.add("originalTransactionId", String(subscription.originalID))
        payload.add("autoRenewProductId", staysBound ? latest.product.id : subscription.nextProduct.id)
        payload.add("productId", latest.product.id)
        payload.add("autoRenewStatus", willRenew ? 1 : 0)
        if willRenew {
            payload.add("renewalPrice", since(.price, seats?.averagePrice ?? nextPrice(subscription)))
            payload.add("currency", since(.price, customer.region.currency))
        }
        payload.add("isInBillingRetryPeriod", isInBillingRetry(subscription))
        payload.add("priceIncreaseStatus", subscription.priceIncrease.map { $0.isAgreed ? 1 : 0 })
        payload.add("gracePeriodExpiresDate", gracePeriodEnd(subscription))
        payload.add("offerType", offer?.type.rawValue)
        payload.add("offerIdentifier", offer?.id)
        payload.add("signedDate", date)
        device?.add(to: &payload)
        payload.add("environment", since(.environment, signer.environment.rawValue))
        payload.add("recentSubscriptionStartDate", since(.environment, subscription.recentStart))
        payload.add("renewalDate", since(.storefront, latest.expiresDate))
        payload.add("offerDiscountType", since(.price, offer?.paymentMode.rawValue))
        if let offers = since(.price, eligibleWinBackOffers(subscription)), !offers.isEmpty {
            payload.add("eligibleWinBackOfferIds", offers)
        }
        payload.add("appTransactionId", since(.download, String(customer.appTransactionID)))
        payload.add(
            "appAccountToken", since(.download, subscription.appAccountToken?.uuidString.lowercased()))
        payload.add("offerPeriod", since(.download, offer?.duration?.iso8601))
        payload.add("advancedCommerceInfo", advancedCommerceInfo(of: subscription))
        payload.add("renewalBillingPlanType", renewalBillingPlan(of: subscription))
        payload.add("commitmentInfo", commitmentInfo(of: subscription))
        payload.add("renewalQuantity", seats?.quantity)
        payload.add("multiSeatInfo", multiSeatInfo(atRenewal: seats))
        return payload
    }

    /// The seats that renew; `nil` for a subscription of one person.
    private func nextSeats(_ subscription: SubscriptionRecord) -> PurchasedSeats? {
        let isRegular =
            subscription.nextOffer == nil && subscription.priceIncrease == nil
            && (subscription.price == nil || !isSamePlan(subscription))
        return nextSeats(of: subscription, price: nextPrice(subscription), isRegular: isRegular)
    }

    /// An offer comes first, then a price that was announced, then the price of the plan or of the product.
    ///
    /// Within a commitment, the next month costs what the present one does.
    private func nextPrice(_ subscription: SubscriptionRecord) -> Int {
        if subscription.isBound { return presentPrice(subscription) }
        if let offer = subscription.nextOffer?.offer { return offer.price.milliunits }
        return chosenPrice(subscription)
    }

    /// Why a subscription ends or has ended: absent while it is paid for.
    private func expirationIntent(_ subscription: SubscriptionRecord) -> Int? {
        switch subscription.phase {
        case .active, .revoked: nil
        case .gracePeriod, .billingRetry:
            Product.SubscriptionInfo.RenewalInfo.ExpirationReason.billingError.rawValue
        case .expired(let reason): reason.rawValue
        }
    }

    /// The App Store leaves this out while nothing has failed (genuine notifications of 2025).
    private func isInBillingRetry(_ subscription: SubscriptionRecord) -> Bool? {
        switch subscription.phase {
        case .gracePeriod, .billingRetry: true
        case .expired: false
        case .active, .revoked: nil
        }
    }

    /// Only while the grace period lasts.
    private func gracePeriodEnd(_ subscription: SubscriptionRecord) -> Int? {
        guard case .gracePeriod(let end) = subscription.phase else { return nil }
        return end
    }

    /// The purchase or download of the app.
    ///
    /// The app's first version is its present one here: a session knows no updates of the app.
    package func appTransactionToken(
        of customer: CustomerPlace, for device: Device? = nil
    ) throws(StoreRefusal) -> String {
        var payload = ObjectText()
        payload.add("receiptType", signer.environment.rawValue)
        payload.add("appAppleId", signer.isXcode ? nil : signer.app.appleID)
        payload.add("bundleId", signer.app.bundleID)
        payload.add("applicationVersion", signer.app.version)
        payload.add("receiptCreationDate", now)
        payload.add("requestDate", now)
        payload.add("originalPurchaseDate", customers[customer].downloadDate)
        payload.add("originalApplicationVersion", signer.app.version)
        device?.add(to: &payload)
        payload.add("appTransactionId", String(customers[customer].appTransactionID))
        payload.add("originalPlatform", "iOS")
        return try signer.token(payload)
    }
}
