/// Speeds as horizontal bars on a logarithmic scale, in SVG that fits light and dark pages.
package struct SVGChart: Sendable {
    /// One bar: the median, and a line from the minimum to the maximum.
    package struct Bar: Sendable {
        package let label: String
        package let spread: Spread
        package let isPeer: Bool

        package init(label: String, spread: Spread, isPeer: Bool) {
            self.label = label
            self.spread = spread
            self.isPeer = isPeer
        }
    }

    /// Bars under one heading.
    package struct Section: Sendable {
        package let title: String
        package let bars: [Bar]

        package init(title: String, bars: [Bar]) {
            self.title = title
            self.bars = bars
        }
    }

    package let title: String
    package let subtitle: String
    /// The sections that contain bars.
    package let sections: [Section]

    package init(title: String, subtitle: String, sections: [Section]) {
        self.title = title
        self.subtitle = subtitle
        self.sections = sections.filter { !$0.bars.isEmpty }
    }

    /// The chart of a report. It shows the series that have a bar name.
    package init(_ report: Report) {
        let machine = report.machine
        self.init(
            title: "Verifications a second",
            subtitle:
                "\(machine.processor), \(report.date): medians, with a line from the least to the greatest",
            sections: report.groups.map { group in
                let bars = group.outcomes.compactMap { outcome -> Bar? in
                    guard let label = outcome.series.bar, let spread = outcome.spread else { return nil }
                    return Bar(label: label, spread: spread, isPeer: outcome.series.isPeer)
                }
                return Section(title: group.title, bars: bars)
            })
    }

    private static let width = 880
    /// The horizontal positions where bars begin and where the scale ends.
    private static let left = 330.0
    private static let right = 790.0
    private static let rowHeight = 22
    private static let headingHeight = 34
    private static let headHeight = 92

    /// The document.
    package var text: String {
        let scale = LogarithmicScale(
            covering: sections.flatMap(\.bars).flatMap { [$0.spread.minimum, $0.spread.maximum] },
            from: Self.left, to: Self.right)
        let bottom =
            Self.headHeight
            + sections.reduce(0) {
                $0 + Self.headingHeight + $1.bars.count * Self.rowHeight
            }
        var body = heads
        for power in scale.powers {
            let x = SVGLength(scale.position(of: power))
            body.append(
                .line("grid", x1: x, y1: SVGLength(Self.headHeight), x2: x, y2: SVGLength(bottom)))
            body.append(.text(Figure.text(power), "note middle", x: x, y: SVGLength(Self.headHeight - 6)))
        }
        var y = Self.headHeight
        for section in sections {
            y += Self.headingHeight
            body.append(.text(section.title, "heading", x: 16, y: SVGLength(y - 10)))
            for bar in section.bars {
                body += Self.row(bar, y: y, scale)
                y += Self.rowHeight
            }
        }
        return SVGDocument(
            width: Self.width, height: bottom + 16, title: title, style: Self.style, body
        ).text
    }

    private var heads: [SVGElement] {
        [
            .text(title, "title", x: 16, y: 28),
            .text(subtitle, "note", x: 16, y: 48),
            .rectangle("own", x: 16, y: 61, width: 12, height: 12, radius: 2),
            .text("storekit-verify", "name", x: 34, y: 71),
            .rectangle("peer", x: 140, y: 61, width: 12, height: 12, radius: 2),
            .text("others", "name", x: 158, y: 71),
        ]
    }

    private static func row(_ bar: Bar, y: Int, _ scale: LogarithmicScale) -> [SVGElement] {
        let end = scale.position(of: bar.spread.median)
        let (least, greatest) = (
            scale.position(of: bar.spread.minimum), scale.position(of: bar.spread.maximum)
        )
        let (middle, baseline) = (SVGLength(y + 9), SVGLength(y + 13))
        return [
            .text(bar.label, "name end", x: SVGLength(left - 10), y: baseline),
            .rectangle(
                bar.isPeer ? "peer" : "own", x: SVGLength(left), y: SVGLength(y + 2),
                width: SVGLength(max(1, end - left)), height: 14, radius: 2),
            .line("spread", x1: SVGLength(least), y1: middle, x2: SVGLength(greatest), y2: middle),
            .text(
                Figure.text(bar.spread.median), "name", x: SVGLength(max(end, greatest) + 8), y: baseline),
        ]
    }

    /// The bars have colours of medium lightness, which are visible on white and on black. The text's colour
    /// follows the reader's colour scheme, and the background is the page's.
    private static let style: StaticString = """
        text { font: 12px -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #1f2328 }
        .title { font-size: 16px; font-weight: 600 }
        .heading { font-size: 13px; font-weight: 600 }
        .note { font-size: 11px; fill: #636c76 }
        .middle { text-anchor: middle }
        .end { text-anchor: end }
        .own { fill: #2f81f7 }
        .peer { fill: #8b949e }
        .grid { stroke: #8b949e; stroke-opacity: 0.35 }
        .spread { stroke: #1f2328; stroke-width: 1.5 }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 }
        .note { fill: #9198a1 }
        .spread { stroke: #e6edf3 }
        }
        """
}
