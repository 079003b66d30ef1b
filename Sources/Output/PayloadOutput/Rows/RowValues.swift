internal import StoreKitVerify
internal import WireFormats

extension [UInt8] {
    /// Appends the texts of a member's value; returns its cell, or `nil` if the value is null or of an unexpected type.
    @inline(__always)
    mutating func append(_ value: JSONValue?, by rule: RowSource.Rule, of json: Span<UInt8>) -> FormCell? {
        switch rule {
        case .form(let form): return append(cellOf: value, as: form, of: json)
        case .name(let names):
            guard let number = value?.number(in: json) else { return nil }
            return names.name(of: number).map { append(plain: $0) }
        case .priceIncreaseStatus:
            let number = value?.number(in: json)
            return append(
                plain: Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus(number: number).word)
        case .seatCharge: return SeatCharge.thousandths(of: value, in: json).map { .decimal($0) }
        case .impliedEnvironment:
            return value?.string(in: json).map {
                append(message: ExternalPurchaseToken.environment(ofIdentifier: $0).rawValue)
            }
        }
    }
}
