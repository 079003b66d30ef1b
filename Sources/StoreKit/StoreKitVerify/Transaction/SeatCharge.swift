internal import Essentials
package import WireFormats

/// The price of all seats of a multiseat purchase together.
package enum SeatCharge {
    private static let price = Array("price".utf8)
    private static let quantity = Array("quantity".utf8)

    /// The sum of price times quantity over price tiers, in thousandths of the currency's unit.
    ///
    /// - Returns: `nil` if there are no tiers, if one is not readable or has a number below zero, and if the sum exceeds
    ///   64 bits. A sum of some tiers would pass for the whole charge.
    package static func thousandths(of tiers: JSONValue?, in json: Span<UInt8>) -> Int64? {
        guard case .array(let range)? = tiers else { return nil }
        var (sum, count): (Int64?, Int) = (0, 0)
        // The array was checked with its payload.
        try? JSONArray.forEach(of: json, in: range) { tier in
            count += 1
            guard let before = sum, let charge = charge(ofTier: tier, in: json) else { return sum = nil }
            let (total, overflow) = before.addingReportingOverflow(charge)
            sum = overflow ? nil : total
        }
        return count == 0 ? nil : sum
    }

    /// The same, in units of the currency.
    static func amount(of tiers: JSONValue?, in json: Span<UInt8>) -> Decimal? {
        thousandths(of: tiers, in: json).map { Decimal($0) / 1000 }
    }

    private static func charge(ofTier tier: JSONValue, in json: Span<UInt8>) -> Int64? {
        guard case .object(let range) = tier else { return nil }
        var reader = JSONReader(range)
        var (price, quantity): (Int64?, Int64?)
        while let event = try? reader.next(in: json) {
            guard reader.depth == 1, case .name(let name) = event else { continue }
            if name.equals(Self.price.span, in: json) {
                guard price == nil, let number = number(&reader, in: json)?.wholeThousandths(in: json),
                    number >= 0
                else { return nil }
                price = number
            } else if name.equals(Self.quantity.span, in: json) {
                guard quantity == nil, let number = number(&reader, in: json)?.number(in: json), number >= 0
                else { return nil }
                quantity = Int64(number)
            }
        }
        guard let price, let quantity else { return nil }
        let (charge, overflow) = price.multipliedReportingOverflow(by: quantity)
        return overflow ? nil : charge
    }

    /// The number that follows; `nil` if the next value is not a number.
    private static func number(_ reader: inout JSONReader, in json: Span<UInt8>) -> JSONValue? {
        guard case .number(let range)? = try? reader.next(in: json) else { return nil }
        return .number(range)
    }
}
