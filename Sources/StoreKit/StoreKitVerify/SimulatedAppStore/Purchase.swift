public import Essentials

extension Product {
    /// The outcome of a purchase (StoreKit's `Product.PurchaseResult`).
    public enum PurchaseResult: Hashable, Sendable {
        /// The customer has the product.
        case success(VerificationResult<Transaction>)
        /// The customer decided otherwise.
        case userCancelled
        /// The purchase waits for a parent's approval, or for the customer. If it succeeds, its transaction comes in
        /// `Transaction.updates`.
        case pending
    }

    /// Why a product cannot be bought (StoreKit's `Product.PurchaseError`).
    public enum PurchaseError: Error, Hashable, Sendable, CaseIterable {
        /// The quantity is not one that the product allows.
        case invalidQuantity
        /// The product is not for sale.
        case productUnavailable
        /// The customer may not buy.
        case purchaseNotAllowed
        /// The offer is not for this customer.
        case ineligibleForOffer
        /// The product has no such offer.
        case invalidOfferIdentifier
        /// The offer's price is not valid.
        case invalidOfferPrice
        /// The offer's signature is not valid.
        case invalidOfferSignature
        /// The offer needs more parameters.
        case missingOfferParameters
        /// The product is not sold for several people at once.
        case multiSeatPurchaseDisabled
        /// The purchase would leave fewer seats than there are. Fewer can only be had from the next renewal on.
        case seatReductionNotAllowed
    }

    /// A condition of a purchase (StoreKit's `Product.PurchaseOption`).
    public struct PurchaseOption: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case appAccountToken(UUID)
            case quantity(Int)
            case simulatesAskToBuy(Bool)
            /// An offer's identifier, and the parts of its signature: empty, a compact JWS, or the key's identifier, nonce,
            /// timestamp and signature in base64.
            case promotionalOffer(String, signature: [String] = [])
            case winBackOffer(SubscriptionOffer)
            /// A compact JWS of the app's server.
            case introductoryOfferEligibility(String)
            case billingPlan(SubscriptionInfo.BillingPlanType)
            case seats(Int)
            /// The data under a key of the app's choice; `nil` for values of other types, which have no effect.
            case custom(String, Data?)
            /// Of the module StoreKitTestSession: the reference name of an offer code.
            case codeOffer(String)
            /// Of the module StoreKitTestSession: a date in the past, and whether renewals follow up to now.
            case purchaseDate(Date, renews: Bool)
        }

        package let kind: Kind

        package init(_ kind: Kind) { self.kind = kind }

        /// Names the customer's account in the app.
        public static func appAccountToken(_ token: UUID) -> PurchaseOption { .init(.appAccountToken(token)) }

        /// Buys several of a consumable at once, at most ten.
        public static func quantity(_ quantity: Int) -> PurchaseOption { .init(.quantity(quantity)) }

        /// Has the purchase wait for a parent's approval.
        public static func simulatesAskToBuyInSandbox(_ simulates: Bool) -> PurchaseOption {
            .init(.simulatesAskToBuy(simulates))
        }

        /// Redeems a promotional offer. A test session looks at the signature if it has keys to verify it with.
        ///
        /// - Parameters:
        ///   - offerID: the identifier of the offer.
        ///   - compactJWS: the signature that the app's server made.
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> PurchaseOption {
            .init(.promotionalOffer(offerID, signature: [compactJWS]))
        }

        /// Redeems a promotional offer. A test session looks at the signature if it has keys to verify it with.
        ///
        /// - Parameters:
        ///   - offerID: the identifier of the offer.
        ///   - keyID: the identifier of the key that signed.
        ///   - nonce: the nonce of the signature.
        ///   - signature: the signature that the app's server made.
        ///   - timestamp: when the server signed, in milliseconds since 1970.
        public static func promotionalOffer(
            offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
        ) -> PurchaseOption {
            let parts = [keyID, nonce.uuidString, "\(timestamp)", signature.base64EncodedString()]
            return .init(.promotionalOffer(offerID, signature: parts))
        }

        /// Says whether the customer gets the introductory offer. A test session looks at the signature if it has keys
        /// to verify it with.
        ///
        /// - Parameter compactJWS: the decision that the app's server signed.
        public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
            .init(.introductoryOfferEligibility(compactJWS))
        }

        /// Chooses how a subscription is billed.
        public static func billingPlanType(_ plan: SubscriptionInfo.BillingPlanType) -> PurchaseOption {
            .init(.billingPlan(plan))
        }

        /// Buys a subscription for several people.
        ///
        /// - Parameter targetSeatQuantity: the seats that there are after the purchase, those of an earlier one included.
        public static func seats(_ targetSeatQuantity: Int) -> PurchaseOption {
            .init(.seats(targetSeatQuantity))
        }

        /// Adds data under a key.
        ///
        /// A simulated App Store reads those under `advancedCommerceData`: a signed request of the Advanced Commerce API.
        public static func custom(key: String, value: Data) -> PurchaseOption { .init(.custom(key, value)) }

        /// Adds a text under a key. As in StoreKit, it has no effect.
        public static func custom(key: String, value: String) -> PurchaseOption { .init(.custom(key, nil)) }

        /// Adds a number under a key. As in StoreKit, it has no effect.
        public static func custom(key: String, value: Double) -> PurchaseOption { .init(.custom(key, nil)) }

        /// Adds a truth value under a key. As in StoreKit, it has no effect.
        public static func custom(key: String, value: Bool) -> PurchaseOption { .init(.custom(key, nil)) }

        /// Redeems a win-back offer.
        public static func winBackOffer(_ offer: SubscriptionOffer) -> PurchaseOption {
            .init(.winBackOffer(offer))
        }
    }
}

/// Why StoreKit failed (StoreKit's `StoreKitError`).
public enum StoreKitError: Error, Sendable {
    /// The reason is not known.
    case unknown
    /// The customer decided otherwise.
    case userCancelled
    /// The network failed.
    case networkError(any Error & Sendable)
    /// The system failed.
    case systemError(any Error & Sendable)
    /// The product is not sold in the customer's country or region.
    case notAvailableInStorefront
    /// The app lacks an entitlement.
    case notEntitled
    /// The device does not support this.
    case unsupported
}

extension StoreKitError: Equatable {
    /// Compares the cases, and the texts of the errors in them.
    public static func == (left: StoreKitError, right: StoreKitError) -> Bool {
        switch (left, right) {
        case (.networkError(let left), .networkError(let right)),
            (.systemError(let left), .systemError(let right)):
            "\(left)" == "\(right)"
        case (.unknown, .unknown), (.userCancelled, .userCancelled), (.notEntitled, .notEntitled),
            (.notAvailableInStorefront, .notAvailableInStorefront), (.unsupported, .unsupported):
            true
        default: false
        }
    }
}
