import StoreKitTestSession
import Testing

/// Prices in scenarios are read as those of `.storekit` files: whole, or not at all.
@Suite struct ScenarioPriceTests {
    private static let lines =
        ["raise-price PRICE", "raise-price PRICE%", "change-price PRICE"].map { "+0 " + $0 }
        + [
            "set seats apple tiers=PRICE", "set seats apple tiers=5:PRICE,1.99",
            "set seats apple tiers=5:1.99,PRICE",
        ]

    @Test(arguments: lines, ["9.99x", "-1", "1e3", "0x10", "1.2.3", ".", "NaN", "12345678901"])
    func `what is no price is refused, whoever reads it`(line: String, price: String) {
        #expect(throws: ScenarioError.self, "\(line)") {
            try Scenario(line.replacing("PRICE", with: price), name: "test")
        }
    }

    @Test(arguments: lines, ["9.99", "0", ".5", "7."])
    func `a price is read`(line: String, price: String) throws {
        _ = try Scenario(line.replacing("PRICE", with: price), name: "test")
    }
}
