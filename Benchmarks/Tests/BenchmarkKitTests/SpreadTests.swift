import BenchmarkKit
import Testing

/// The summary of figures from several rounds.
@Suite struct SpreadTests {
    @Test func `the median is the middle, or the mean of the middle two`() throws {
        let odd = try #require(Spread(of: [9, 1, 4]))
        #expect((odd.median, odd.minimum, odd.maximum) == (4, 1, 9))
        #expect(Spread(of: [4, 1, 2, 9])?.median == 3)
        #expect(Spread(of: [5])?.median == 5)
        #expect(Spread(of: []) == nil)
    }

    @Test func `ratios are taken within each round`() throws {
        // The machine's speed halves from one round to the next.
        let ratio = try #require(Spread.ofRatios([800, 400, 200], to: [100, 50, 25]))
        #expect((ratio.median, ratio.minimum, ratio.maximum) == (8, 8, 8))
        #expect(Spread.ofRatios([1, 2], to: [1]) == nil)
    }

    @Test(arguments: [
        (0.0, "0"), (0.97, "0.97"), (0.999, "1.00"), (3.4189, "3.42"), (9.996, "10.0"), (71.27, "71.3"),
        (99.96, "100"), (812.4, "812"), (11_432, "11,400"), (812_345, "812,000"), (1_234_567, "1,230,000"),
    ])
    func `figures have three digits`(value: Double, text: String) { #expect(Figure.text(value) == text) }
}
