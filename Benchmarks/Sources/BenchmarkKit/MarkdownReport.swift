/// Results as tables for readers.
package struct MarkdownReport {
    private let report: Report
    private var lines: [String] = []

    package init(_ report: Report) { self.report = report }

    /// The whole text, with a link to the chart's file if one is given.
    package static func text(of report: Report, chart: String?) -> String {
        var markdown = MarkdownReport(report)
        markdown.lines += ["# Results", ""]
        markdown.appendMachine()
        if let chart { markdown.lines += ["", "![Speeds on a logarithmic scale](\(chart))"] }
        markdown.appendHeadlines()
        for group in report.groups { markdown.append(group) }
        return markdown.lines.joined(separator: "\n") + "\n"
    }

    private mutating func appendMachine() {
        let machine = report.machine
        let vector = machine.vectorInstructions.map { "vector engine by \($0)" } ?? "no vector engine"
        lines += [
            "\(report.date), on \(machine.processor) (\(vector)), \(machine.cores) cores; "
                + "\(machine.operatingSystem); \(machine.openSSL); \(machine.swift).", "",
            "Medians of rounds, with the least and the greatest; ratios are taken within each round.",
        ]
    }

    private mutating func appendHeadlines() {
        lines += ["", "## In short", "", "| What | Median | Min–max |", "|---|---:|---:|"]
        for group in report.groups {
            for headline in group.headlines {
                switch group.answer(to: headline) {
                case .ratio(let spread):
                    let series = group.outcome(headline.numerator)?.series
                    let floor = series?.peer == headline.denominator ? series?.floor : nil
                    row(headline.title, Self.ratio(spread, floor: floor), Figure.range(spread))
                case .absolute(let spread, let unit):
                    row(
                        headline.title, "\(Figure.text(spread.median)) \(unit.rawValue)", Figure.range(spread)
                    )
                case .none(let reason): row(headline.title, "–", reason)
                }
            }
        }
    }

    private mutating func append(_ group: GroupResult) {
        var circumstances = "\(group.rounds) rounds."
        if let share = group.othersShare {
            circumstances += " Others took \(Int((share * 100).rounded())) % of the machine meanwhile."
        }
        lines += ["", "## \(group.title)", "", group.method, "", circumstances, ""]
        lines += ["| What | n | Median | Min–max | ÷ peer |", "|---|---:|---:|---:|---:|"]
        for outcome in group.outcomes {
            let count = outcome.count.map { Figure.text($0) } ?? ""
            guard let spread = outcome.spread else {
                row(outcome.series.title, count, "–", outcome.note ?? "", "")
                continue
            }
            let ratio = group.ratioToPeer(outcome).map { Self.ratio($0, floor: outcome.series.floor) } ?? ""
            let median = "\(Figure.text(spread.median)) \(outcome.series.unit.rawValue)"
            row(outcome.series.title, count, median, Figure.range(spread), ratio)
        }
    }

    private static func ratio(_ spread: Spread, floor: Double?) -> String {
        Figure.text(spread.median) + "×" + (floor.map { " (floor \(Figure.text($0)))" } ?? "")
    }

    private mutating func row(_ cells: String...) {
        lines.append("| \(cells.map(Self.cell).joined(separator: " | ")) |")
    }

    /// Text in a form that fits into a table's cell.
    private static func cell(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: " ").replacing("|", with: "\\|")
    }
}
