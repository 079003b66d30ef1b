internal import Essentials

extension Decimal {
    /// A price as people write it: in a `.storekit` file, and in a scenario. `Decimal(string:)` passes over what follows a
    /// number, and takes exponents and signs.
    ///
    /// It is digits with a point, as Xcode writes a price, or with a comma. A comma before three digits could separate
    /// thousands: that is no price.
    init?(price text: some StringProtocol) {
        let hasComma = text.utf8.contains(UInt8(ascii: ","))
        let parts = text.split(separator: hasComma ? "," : ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard (1...2).contains(parts.count), areDigits else { return nil }
        let whole = parts[0]
        let decimals = parts.count == 2 ? parts[1] : ""
        // Ten digits fit every currency.
        guard whole.count <= 10, decimals.count <= 10, !whole.isEmpty || !decimals.isEmpty,
            !hasComma || (1...2).contains(decimals.count)
        else { return nil }
        self.init(string: "\(whole.isEmpty ? "0" : whole).\(decimals.isEmpty ? "0" : decimals)")
    }
}
