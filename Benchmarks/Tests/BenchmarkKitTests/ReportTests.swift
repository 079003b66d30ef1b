import BenchmarkKit
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Tables, chart and JSON of one small report.
@Suite struct ReportTests {
    @Test func `a group's scenarios run one after the other in every round`() throws {
        var order: [String] = []
        let group = Group(
            title: "Group", method: "",
            scenarios: ["a", "b"].map { name in
                Scenario(Series(name, name, .milliseconds)) {
                    order.append(name)
                    return 1
                }
            }, headlines: [])
        let result = try group.run(rounds: 3) { _ in }
        #expect(order == ["a", "b", "a", "b", "a", "b"])
        #expect(result.outcomes.map(\.values.count) == [3, 3])
    }

    @Test func `the table has figures, ratios and the reasons for what is missing`() {
        let text = MarkdownReport.text(of: Self.report, chart: "results.svg")
        #expect(text.contains("![Speeds on a logarithmic scale](results.svg)"))
        #expect(text.contains("3 rounds. Others took 13 % of the machine meanwhile."))
        #expect(text.contains("| Fast ÷ slow | 8.00× (floor 6.50) | 7.00–10.0 |"))
        #expect(text.contains("| Absent | – | not on this \\| processor |"))
        #expect(text.contains("| fast <&> | 1,000 | 800 signatures/s | 700–1,000 | 8.00× (floor 6.50) |"))
        #expect(text.contains("| Slow ÷ fast | 0.13× | 0.10–0.14 |"))
    }

    @Test func `the chart is well-formed XML with a bar for each speed`() throws {
        let text = SVGChart(Self.report).text
        let elements = Elements()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = elements
        #expect(parser.parse())
        #expect(elements.names.first == "svg")
        // Two rectangles in the legend, two bars.
        #expect(elements.names.count { $0 == "rect" } == 4)
        #expect(text.contains("fast &lt;&amp;&gt;"))
    }

    @Test func `the chart is that of the golden file, byte for byte`() throws {
        let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/chart.svg")
        #expect(try Data(SVGChart(Self.report).text.utf8) == Data(contentsOf: golden))
    }

    @Test func `the JSON has every figure and comes back the same`() throws {
        let data = try JSONReport(Self.report).data()
        let report = try JSONDecoder().decode(JSONReport.self, from: data)
        #expect(report.series.map(\.values) == [[100, 100, 100], [800, 700, 1000], []])
        #expect(report.series[1].ratioToPeer?.median == 8)
        #expect(report.series.map(\.floor) == [nil, 6.5, nil])
        #expect(report.machine == Self.report.machine)
    }

    @Test func `a logarithmic scale gives equal factors equal distances`() {
        let scale = LogarithmicScale(covering: [150, 60_000], from: 0, to: 300)
        #expect(scale.powers == [100, 1_000, 10_000, 100_000])
        #expect(abs(scale.position(of: 1_000) - 100) < 0.001)
        #expect(scale.position(of: 1_000_000) == 300)
    }

    private static let report = Report(
        machine: Machine(
            processor: "A processor", vectorInstructions: nil, cores: 2, operatingSystem: "A system",
            openSSL: "OpenSSL", swift: "Swift"),
        date: "2026-11-21",
        groups: [
            GroupResult(
                title: "Group", method: "How.", rounds: 3, othersShare: 0.126,
                outcomes: [
                    Outcome(
                        series: Series("slow", "slow", .signaturesPerSecond, isPeer: true, bar: "slow"),
                        values: [100, 100, 100]),
                    Outcome(
                        series: Series(
                            "fast", "fast <&>", .signaturesPerSecond, peer: "slow", floor: 6.5,
                            bar: "fast <&>"),
                        count: 1000, values: [800, 700, 1000]),
                    Outcome(
                        series: Series("absent", "absent", .signaturesPerSecond, peer: "slow", bar: "absent"),
                        values: [], note: "not on this | processor"),
                ],
                headlines: [
                    Headline("Fast ÷ slow", "fast", dividedBy: "slow"),
                    Headline("Slow ÷ fast", "slow", dividedBy: "fast"),
                    Headline("Absent", "absent", dividedBy: "slow"),
                ])
        ])
}

/// Records the elements that a parser finds.
private final class Elements: NSObject, XMLParserDelegate {
    private(set) var names: [String] = []

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        names.append(name)
    }
}
