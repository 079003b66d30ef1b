public import StoreKitVerify

/// One of StoreKit's functions that a test can have fail.
public protocol FailableStoreKitAPI: Sendable {
    /// The errors that the function can fail with.
    associatedtype Failure: SKTestFailure
}

/// An error that a test can have one of StoreKit's functions fail with.
public protocol SKTestFailure: Equatable, Sendable {
    /// The error that the function throws.
    var error: any Error { get }
}

/// The errors of each function.
public enum SKTestFailures {
    /// The errors of functions that have no errors of their own.
    public enum Generic: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)

        /// The error that the function throws.
        public var error: any Error {
            switch self {
            case .generic(let error): error
            }
        }
    }

    /// The errors of a purchase.
    public enum Purchase: SKTestFailure {
        /// An error of StoreKit. `userCancelled` is a result of the purchase, and no error.
        case generic(StoreKitError)
        /// An error of purchases.
        case purchase(Product.PurchaseError)

        /// The error that the function throws.
        public var error: any Error {
            switch self {
            case .generic(let error): error
            case .purchase(let error): error
            }
        }
    }

    /// Why values are unverified.
    public enum Verification: SKTestFailure {
        /// The failed check.
        case verification(VerificationResult<Transaction>.VerificationError)

        /// The failed check.
        public var error: any Error {
            switch self {
            case .verification(let error): error
            }
        }
    }

    /// The errors of a refund request.
    public enum RefundRequest: SKTestFailure {
        /// An error of StoreKit.
        case generic(StoreKitError)
        /// An error of refund requests.
        case refundRequest(Transaction.RefundRequestError)

        /// The error that the function throws.
        public var error: any Error {
            switch self {
            case .generic(let error): error
            case .refundRequest(let error): error
            }
        }
    }

    /// The errors of `Product.products(for:)`.
    public typealias LoadProducts = Generic
    /// The errors of `AppStore.sync()`.
    public typealias AppStoreSync = Generic
    /// The errors of subscription statuses.
    public typealias SubscriptionStatus = Generic
    /// The errors of `AppTransaction.shared`.
    public typealias AppTransaction = Generic
    /// The errors of the sheet for subscriptions.
    public typealias ManageSubscriptions = Generic
    /// The errors of the sheet for offer codes.
    public typealias OfferCodeRedeem = Generic
}

/// `Product.products(for:)`.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI {
    /// The errors that the function can fail with.
    public typealias Failure = SKTestFailures.LoadProducts

    /// The function.
    public init() {}
}

/// `Product.purchase(options:)`.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI {
    /// The errors that the function can fail with.
    public typealias Failure = SKTestFailures.Purchase

    /// The function.
    public init() {}
}

/// The verification of what StoreKit gives to the app.
public struct StoreKitVerificationAPI: FailableStoreKitAPI {
    /// The checks that can fail.
    public typealias Failure = SKTestFailures.Verification

    /// The function.
    public init() {}
}

/// `AppStore.sync()`.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI {
    /// The errors that the function can fail with.
    public typealias Failure = SKTestFailures.AppStoreSync

    /// The function.
    public init() {}
}

/// `Product.SubscriptionInfo.status(for:)`.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI {
    /// The errors that the function can fail with.
    public typealias Failure = SKTestFailures.SubscriptionStatus

    /// The function.
    public init() {}
}

/// `AppTransaction.shared`.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI {
    /// The errors that the function can fail with.
    public typealias Failure = SKTestFailures.AppTransaction

    /// The function.
    public init() {}
}

/// The sheet for subscriptions. No code here shows it: an error is kept, and never thrown.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI {
    /// The errors that the function can fail with.
    public typealias Failure = SKTestFailures.ManageSubscriptions

    /// The function.
    public init() {}
}

/// The sheet for refund requests. No code here shows it: an error is kept, and never thrown.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI {
    /// The errors that the function can fail with.
    public typealias Failure = SKTestFailures.RefundRequest

    /// The function.
    public init() {}
}

/// The sheet for offer codes. No code here shows it: an error is kept, and never thrown.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI {
    /// The errors that the function can fail with.
    public typealias Failure = SKTestFailures.OfferCodeRedeem

    /// The function.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// `Product.products(for:)`.
    public static var loadProducts: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// `Product.purchase(options:)`.
    public static var purchase: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// The verification of what StoreKit gives to the app.
    public static var verification: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// `AppStore.sync()`.
    public static var appStoreSync: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// `Product.SubscriptionInfo.status(for:)`.
    public static var subscriptionStatus: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// `AppTransaction.shared`.
    public static var appTransaction: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// The sheet for subscriptions.
    public static var manageSubscriptions: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// The sheet for refund requests.
    public static var refundRequest: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// The sheet for offer codes.
    public static var offerCodeRedeem: Self { Self() }
}

/// The errors that a session simulates, by the function that fails.
struct SimulatedErrors: Sendable {
    /// A type is the key: each function of StoreKit has a type of its own.
    private var failures: [ObjectIdentifier: any SKTestFailure] = [:]

    subscript<API: FailableStoreKitAPI>(_ api: API) -> API.Failure? {
        get { failures[ObjectIdentifier(API.self)] as? API.Failure }
        set { failures[ObjectIdentifier(API.self)] = newValue }
    }

    init() {}

    /// The errors that a `.storekit` file turns on. The number of an error is its place among the cases of its type, as
    /// StoreKit declares them. An error that is not known is left out.
    init(_ settings: ConfiguredSettings) {
        for error in settings.simulatedErrors where error.isEnabled {
            guard let index = error.index else { continue }
            let generic = error.type == "generic" ? Self.storeKitError(index) : nil
            switch error.name {
            case "Load Products": self[.loadProducts] = generic.map { .generic($0) }
            case "Purchase":
                let purchase = Product.PurchaseError.allCases
                self[.purchase] =
                    error.type == "purchase" && purchase.indices.contains(index)
                    ? .purchase(purchase[index]) : generic.map { .generic($0) }
            case "Verification": self[.verification] = Self.verificationError(index).map { .verification($0) }
            case "App Store Sync": self[.appStoreSync] = generic.map { .generic($0) }
            case "Subscription Status": self[.subscriptionStatus] = generic.map { .generic($0) }
            case "App Transaction": self[.appTransaction] = generic.map { .generic($0) }
            default: break
            }
        }
    }

    /// The order is that of StoreKit's declaration, which the file's numbers count.
    private static func storeKitError(_ index: Int) -> StoreKitError? {
        let errors: [StoreKitError] = [
            .unknown, .userCancelled, .networkError(SimulatedFailure()), .systemError(SimulatedFailure()),
            .notAvailableInStorefront, .notEntitled,
        ]
        return errors.indices.contains(index) ? errors[index] : nil
    }

    private static func verificationError(_ index: Int) -> VerificationResult<Transaction>.VerificationError?
    {
        let errors: [VerificationResult<Transaction>.VerificationError] = [
            .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding,
            .invalidSignature, .missingRequiredProperties,
        ]
        return errors.indices.contains(index) ? errors[index] : nil
    }
}

/// The error inside of a simulated network or system error.
struct SimulatedFailure: Error, Hashable, Sendable, CustomStringConvertible {
    var description: String { "simulated by the .storekit file" }
}
