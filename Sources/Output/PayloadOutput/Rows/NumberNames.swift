internal import StoreKitVerify

/// The types of Apple's numbers that columns name.
///
/// A case and not the list of names: columns are copied for each value, and a list would be counted each time.
enum NumberNames: Int, Sendable {
    case offerType
    case revocationReason
    case status
    case expirationReason
    case autoRenewStatus

    /// By the raw value of the case.
    private static let all = [
        names(Transaction.OfferType.self), names(Transaction.RevocationReason.self),
        names(Product.SubscriptionInfo.RenewalState.self),
        names(Product.SubscriptionInfo.RenewalInfo.ExpirationReason.self), names(AutoRenewStatus.self),
    ]

    private static func names(_ type: (some WordedValue<Int>).Type) -> [(number: Int, name: String)] {
        type.words.map { ($0.value.rawValue, $0.name) }
    }

    /// StoreKit's name of a number; `nil` for an unknown number.
    func name(of number: Int) -> String? { Self.all[rawValue].first { $0.number == number }?.name }
}
