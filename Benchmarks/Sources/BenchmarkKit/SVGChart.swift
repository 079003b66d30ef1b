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
            let x = Self.number(scale.position(of: power))
            body.append(
                #"<line class="grid" x1="\#(x)" y1="\#(Self.headHeight)" x2="\#(x)" y2="\#(bottom)"/>"#)
            body.append(
                Self.label(Figure.text(power), "note middle", x: x, y: Self.headHeight - 6))
        }
        var y = Self.headHeight
        for section in sections {
            y += Self.headingHeight
            body.append(Self.label(section.title, "heading", x: "16", y: y - 10))
            for bar in section.bars {
                body += Self.row(bar, y: y, scale)
                y += Self.rowHeight
            }
        }
        return document(body, height: bottom + 16)
    }

    private func document(_ body: [String], height: Int) -> String {
        let open =
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(Self.width) \#(height)" "#
            + #"width="\#(Self.width)" height="\#(height)" role="img">"#
        let description = "<title>\(Self.escaped(title))</title>"
        return ([open, description, Self.style] + body + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private var heads: [String] {
        [
            Self.label(title, "title", x: "16", y: 28),
            Self.label(subtitle, "note", x: "16", y: 48),
            #"<rect class="own" x="16" y="61" width="12" height="12" rx="2"/>"#,
            Self.label("storekit-verify", "name", x: "34", y: 71),
            #"<rect class="peer" x="140" y="61" width="12" height="12" rx="2"/>"#,
            Self.label("others", "name", x: "158", y: 71),
        ]
    }

    private static func row(_ bar: Bar, y: Int, _ scale: LogarithmicScale) -> [String] {
        let end = scale.position(of: bar.spread.median)
        let (least, greatest) = (
            scale.position(of: bar.spread.minimum), scale.position(of: bar.spread.maximum)
        )
        let middle = y + 9
        let kind = bar.isPeer ? "peer" : "own"
        return [
            label(bar.label, "name end", x: number(left - 10), y: y + 13),
            #"<rect class="\#(kind)" x="\#(number(left))" y="\#(y + 2)" "#
                + #"width="\#(number(max(1, end - left)))" height="14" rx="2"/>"#,
            #"<line class="spread" x1="\#(number(least))" y1="\#(middle)" "#
                + #"x2="\#(number(greatest))" y2="\#(middle)"/>"#,
            label(Figure.text(bar.spread.median), "name", x: number(max(end, greatest) + 8), y: y + 13),
        ]
    }

    private static func label(_ text: String, _ kind: String, x: String, y: Int) -> String {
        #"<text class="\#(kind)" x="\#(x)" y="\#(y)">\#(escaped(text))</text>"#
    }

    /// Text as XML content (XML 1.0, section 2.4).
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// A coordinate with one decimal, independent of the locale.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The bars have colours of medium lightness, which are visible on white and on black. The text's colour
    /// follows the reader's colour scheme, and the background is the page's.
    private static let style = """
        <style>
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
        </style>
        """
}
