package import Minting
package import StoreKitVerify

/// Why the simulated App Store does not do what it was asked for. Nothing was changed then, unless signing failed: that
/// happens only where the system has no memory.
package enum StoreRefusal: Error, Equatable, Sendable {
    case noProduct(String)
    case noTransaction(UInt64)
    case noSubscription(String)
    case notSubscription(String)
    /// The App Store does not allow this in the present state.
    case notAllowed(String)
    /// A purchase that StoreKit refuses, with a sentence.
    case purchase(Product.PurchaseError, String)
    /// A request of the Advanced Commerce API that is refused: Apple's error, and a sentence in place of its message.
    case advancedCommerce(AdvancedCommerceCode, String?)
    case signing(MintingError)

    /// A sentence without a full stop, which messages of the command and errors of StoreKitTest share.
    package var message: String {
        switch self {
        case .noProduct(let id): "the .storekit file has no product \"\(id)\""
        case .noTransaction(let id): "there is no transaction \(id)"
        case .noSubscription(let id): "the customer has no subscription to \"\(id)\""
        case .notSubscription(let id): "\"\(id)\" is no auto-renewable subscription"
        case .notAllowed(let reason): reason
        case .purchase(_, let reason): reason
        case .advancedCommerce(let code, let reason):
            "the Advanced Commerce request is refused (\(code.rawValue)): \(reason ?? code.sentence)"
        case .signing(let error): "signing failed: \(error)"
        }
    }
}
