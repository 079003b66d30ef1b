internal import Essentials
internal import SVGDrawing
package import StoreKitVerify
internal import WireFormats

/// A timeline as a picture that fits light and dark pages, with every span and event in words too.
///
/// Its size is bounded: by the limits of the timeline, by the events that a lane names, and by the years around its
/// instant that it shows.
///
/// It has no script and refers to no other file.
package struct TimelineChart {
    /// The most events that a lane names, the latest. The others are counted.
    private static let maximumEvents = 14
    /// The years before and after the instant that are shown. The App Store opened in 2008.
    private static let years = (before: 20.0, after: 5.0)
    /// In seconds: the average year of the Gregorian calendar.
    private static let year = 365.2425 * Double(CalendarTime.secondsOfDay)

    /// In units of the picture, which are pixels at its own size.
    private static let width = 880
    private static let left = 16.0
    private static let right = 864.0
    /// The heights of a lane's heading, of its bars with the numbers above them, and of a line of text.
    private static let headingHeight = 46
    private static let barsHeight = 42
    private static let lineHeight = 17
    private static let gap = 18

    private let timeline: PurchaseTimeline
    private let title: String
    /// Seconds since 1970 to units from the left.
    private let scale: CalendarScale
    private let window: ClosedRange<Double>
    private let words: TimelineText

    /// - Parameters:
    ///   - timeline: the purchases to draw.
    ///   - customer: the customer's names; empty if it shows all customers.
    package init(_ timeline: PurchaseTimeline, of customer: [Customer.Name] = []) {
        self.timeline = timeline
        let names = customer.map(\.description).joined(separator: ", ")
        title = names.isEmpty ? "Purchases over time" : "Purchases of \(names) over time"
        let now = timeline.instant.timeIntervalSince1970
        let bounds = (now - Self.years.before * Self.year)...(now + Self.years.after * Self.year)
        let dates = timeline.lanes.flatMap { lane in
            lane.spans.flatMap { [$0.start, $0.end ?? $0.start] } + lane.events.map(\.date)
        }.map(\.timeIntervalSince1970).filter(bounds.contains)
        let (first, last) = (min(dates.min() ?? now, now), max(dates.max() ?? now, now))
        // A margin, so that nothing is drawn on the edge.
        let margin = max((last - first) * 0.03, 300)
        window = (first - margin)...(last + margin)
        scale = CalendarScale(
            covering: window.lowerBound, through: window.upperBound, from: Self.left, to: Self.right)
        words = TimelineText(hasSeconds: last - first < 2 * 86_400)
    }

    /// The picture, a document of SVG 1.1.
    package var text: String {
        var y = 92
        var legendWidth = Self.left
        var legend: [SVGElement] = []
        for kind in PurchaseTimeline.Span.Kind.allCases where kinds.contains(kind) {
            let name = TimelineText.name(kind)
            // About 6.5 units a character.
            let width = 40 + Double(name.count) * 6.5
            if legendWidth + width > Self.right { (legendWidth, y) = (Self.left, y + 20) }
            legend += bar(kind, from: legendWidth, to: legendWidth + 18, y: y - 30, isOpen: false, title: nil)
            legend.append(
                .text(name, "name", x: SVGLength(legendWidth + 24), y: SVGLength(y - 17)))
            legendWidth += width
        }
        let top = y + 18
        y = top + 8
        var lanes: [SVGElement] = []
        for lane in timeline.lanes { lanes += draw(lane, at: &y) }
        for note in omissions {
            y += Self.lineHeight
            lanes.append(.text(note, "note", x: SVGLength(Self.left), y: SVGLength(y)))
        }
        let height = y + 16
        let ground = SVGElement.rectangle(
            "ground", x: 0, y: 0, width: SVGLength(Self.width), height: SVGLength(height), radius: 0)
        let heads: [SVGElement] = [
            .text(title.abbreviated(to: 90), "title", x: SVGLength(Self.left), y: 28),
            .text(subtitle, "note", x: SVGLength(Self.left), y: 48),
        ]
        return SVGDocument(
            width: Self.width, height: height, title: title, summary: summary, style: Self.style,
            [ground] + heads + legend + axis(at: top - 4) + lanes
        ).text
    }

    /// The kinds of spans that the picture shows, for its legend.
    private var kinds: Set<PurchaseTimeline.Span.Kind> {
        Set(timeline.lanes.flatMap { $0.spans.map(\.kind) })
    }

    private var subtitle: String { "The dashed line is \(words.date(timeline.instant)). All times are UTC." }

    // MARK: - The scale

    /// Nine labels of dates fit beside each other.
    private static let maximumMarks = 9

    /// The dates above all lanes.
    private func axis(at y: Int) -> [SVGElement] {
        scale.marks(atMost: Self.maximumMarks).map { mark in
            .text(mark.label, "note middle", x: SVGLength(scale.position(of: mark.second)), y: SVGLength(y))
        }
    }

    /// The lines of the scale behind a lane's bars. They do not cross any text.
    private func grid(at y: Int) -> [SVGElement] {
        scale.marks(atMost: Self.maximumMarks).map { line("grid", at: $0.second, y) }
    }

    /// A line from the numbers to below the bars.
    private func line(_ kind: String, at second: Double, _ y: Int) -> SVGElement {
        let x = SVGLength(scale.position(of: second))
        return .line(kind, x1: x, y1: SVGLength(y + 12), x2: x, y2: SVGLength(y + 42))
    }

    // MARK: - Lanes

    /// - Parameter y: the upper edge of the lane; afterwards that of the next one.
    private func draw(_ lane: PurchaseTimeline.Lane, at y: inout Int) -> [SVGElement] {
        let start = SVGLength(Self.left)
        var elements: [SVGElement] = [
            .text(heading(lane), "heading", x: start, y: SVGLength(y + 18)),
            .text(TimelineText.note(lane), "note", x: start, y: SVGLength(y + 35)),
        ]
        y += Self.headingHeight
        elements += grid(at: y)
        for span in lane.spans where isShown(span) { elements += bar(span, y: y + 18) }
        let events = lane.events.suffix(Self.maximumEvents)
        elements.append(line("today", at: timeline.instant.timeIntervalSince1970, y))
        elements += markers(events, y: y)
        y += Self.barsHeight
        for line in lines(lane, events) {
            y += Self.lineHeight
            elements.append(.text(line, "name", x: SVGLength(Self.left + 8), y: SVGLength(y - 4)))
        }
        y += Self.gap
        return elements
    }

    private func heading(_ lane: PurchaseTimeline.Lane) -> String {
        "\(TimelineText.shown(lane.latest.productID)): \(words.status(lane))"
    }

    /// The events with their numbers, and how many are left out.
    private func lines(
        _ lane: PurchaseTimeline.Lane, _ events: ArraySlice<PurchaseTimeline.Event>
    ) -> [String] {
        var lines = events.enumerated().map { place, event in
            let text = words.text(event, isPast: event.date <= timeline.instant)
            return "\(place + 1)  \(words.date(event.date))  \(text)"
        }
        let hiddenSpans = lane.spans.count { !isShown($0) }
        let notes = [
            (lane.events.count - events.count, "earlier events are not named"),
            (lane.omittedTransactions, "earlier transactions are left out"),
            (hiddenSpans, "spans are outside the picture"),
        ]
        for (count, note) in notes where count > 0 { lines.append("\(count) \(note)") }
        return lines
    }

    private var omissions: [String] {
        if timeline.lanes.isEmpty { return ["There are no purchases."] }
        guard timeline.omittedLanes > 0 else { return [] }
        return ["\(timeline.omittedLanes) earlier purchases are left out."]
    }

    /// The same as the picture, in words, one sentence for each span and event.
    private var summary: String {
        var sentences = ["At \(words.date(timeline.instant)), UTC."]
        for lane in timeline.lanes {
            sentences.append("\(heading(lane)). \(TimelineText.note(lane)).")
            sentences += runs(of: lane).map { $0 + "." }
            sentences += lines(lane, lane.events.suffix(Self.maximumEvents)).map { $0 + "." }
        }
        return (sentences + omissions).joined(separator: " ")
    }

    /// Spans in words. Periods of one kind that follow each other are one sentence.
    private func runs(of lane: PurchaseTimeline.Lane) -> [String] {
        var runs: [(span: PurchaseTimeline.Span, count: Int)] = []
        for span in lane.spans where isShown(span) {
            if let last = runs.last, last.span.kind == span.kind, last.span.productID == span.productID,
                last.span.end == span.start
            {
                runs[runs.count - 1] = (last.span.prolonged(to: span.end), last.count + 1)
            } else {
                runs.append((span, 1))
            }
        }
        return runs.suffix(Self.maximumEvents).map {
            words.text($0.span) + ($0.count > 1 ? " in \($0.count) periods" : "")
        }
    }

    // MARK: - Bars and numbers

    /// A span that reaches into the window is drawn, cut off at its edges.
    private func isShown(_ span: PurchaseTimeline.Span) -> Bool {
        let end = span.end?.timeIntervalSince1970 ?? .infinity
        return span.start.timeIntervalSince1970 < window.upperBound && end > window.lowerBound
    }

    private func bar(_ span: PurchaseTimeline.Span, y: Int) -> [SVGElement] {
        let start = scale.position(of: span.start.timeIntervalSince1970)
        let end = span.end.map { scale.position(of: $0.timeIntervalSince1970) } ?? Self.right
        let isOpen = span.end.map { $0.timeIntervalSince1970 > window.upperBound } ?? true
        return bar(span.kind, from: start, to: end, y: y, isOpen: isOpen, title: words.text(span))
    }

    /// A bar. Each kind has its own shape, so that a reader does not need colours.
    private func bar(
        _ kind: PurchaseTimeline.Span.Kind, from start: Double, to end: Double, y: Int, isOpen: Bool,
        title: String?
    ) -> [SVGElement] {
        let (offset, height): (Int, Int) =
            switch kind {
            case .gracePeriod, .billingRetry: (9, 9)
            case .revoked, .unpaid: (7, 4)
            default: (0, 18)
            }
        // A gap of one unit separates periods, unless they are narrower than that.
        let width = max(end - start - 1, 1)
        var elements = [
            SVGElement.rectangle(
                "bar \(kind.rawValue)", x: SVGLength(start), y: SVGLength(y + offset),
                width: SVGLength(width),
                height: SVGLength(height), radius: 2, title: title)
        ]
        if kind == .offer {
            elements.append(
                .line(
                    "stripe", x1: SVGLength(start), y1: SVGLength(y + 9), x2: SVGLength(start + width),
                    y2: SVGLength(y + 9)))
        }
        if isOpen {
            elements.append(
                .text("→", "name", x: SVGLength(Self.right + 2), y: SVGLength(y + 14)))
        }
        return elements
    }

    /// A tick for each event, and its number where there is room.
    private func markers(_ events: ArraySlice<PurchaseTimeline.Event>, y: Int) -> [SVGElement] {
        var elements: [SVGElement] = []
        // The number's position, and the event numbers that stand there.
        var labels: [(x: Double, numbers: ClosedRange<Int>)] = []
        for (place, event) in events.enumerated() {
            let second = event.date.timeIntervalSince1970
            guard window.contains(second) else { continue }
            let x = scale.position(of: second)
            elements.append(
                .line(
                    "event", x1: SVGLength(x), y1: SVGLength(y + 13), x2: SVGLength(x), y2: SVGLength(y + 39))
            )
            // Numbers that would overlap stand together: `2–4`.
            // A pair of numbers with a dash takes some 24 units.
            if let last = labels.last, x - last.x < 24 {
                labels[labels.count - 1].numbers = last.numbers.lowerBound...(place + 1)
            } else {
                labels.append((x, (place + 1)...(place + 1)))
            }
        }
        return elements
            + labels.map { label in
                let (first, last) = (label.numbers.lowerBound, label.numbers.upperBound)
                return .text(
                    first == last ? "\(first)" : "\(first)–\(last)", "number middle", x: SVGLength(label.x),
                    y: SVGLength(y + 10))
            }
    }

    /// Bars have a contrast of 3 to 1 with the ground, and text one of 4.5 to 1, in light and dark (WCAG 2.2).
    private static let style: StaticString = """
        text { font: 12px -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #1f2328 }
        .ground { fill: #ffffff }
        .title { font-size: 16px; font-weight: 600 }
        .heading { font-size: 13px; font-weight: 600 }
        .note { font-size: 11px; fill: #59636e }
        .number { font-size: 11px; font-weight: 600 }
        .middle { text-anchor: middle }
        .grid { stroke: #8b949e; stroke-opacity: 0.35 }
        .today { stroke: #1f2328; stroke-width: 1.5; stroke-dasharray: 5 3 }
        .event { stroke: #1f2328 }
        .stripe { stroke: #ffffff; stroke-width: 2; stroke-dasharray: 4 3 }
        .paid, .owned { fill: #0969da }
        .offer { fill: #1a7f37 }
        .trial { fill: #1a7f37; fill-opacity: 0.15; stroke: #1a7f37; stroke-width: 1.5 }
        .renewalOnly, .nonRenewing { fill: #0969da; fill-opacity: 0.15; stroke: #0969da; stroke-dasharray: 3 2 }
        .gracePeriod { fill: #bc4c00 }
        .billingRetry { fill: none; stroke: #bc4c00; stroke-width: 1.5; stroke-dasharray: 3 2 }
        .revoked { fill: #cf222e }
        .unpaid { fill: #6e7781 }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 }
        .ground { fill: #0d1117 }
        .note { fill: #9198a1 }
        .today, .event { stroke: #e6edf3 }
        .stripe { stroke: #0d1117 }
        .paid, .owned { fill: #388bfd }
        .offer { fill: #3fb950 }
        .trial { fill: #3fb950; stroke: #3fb950 }
        .renewalOnly, .nonRenewing { fill: #388bfd; stroke: #388bfd }
        .gracePeriod { fill: #db6d28 }
        .billingRetry { stroke: #db6d28 }
        .revoked { fill: #f85149 }
        .unpaid { fill: #9198a1 }
        }
        """
}

extension PurchaseTimeline.Span {
    /// The span with a later end.
    fileprivate func prolonged(to end: Date?) -> Self {
        var span = self
        span.end = end
        return span
    }
}
