/// The description of a figure, before it is measured.
package struct Series: Sendable {
    /// The unit of a figure.
    package enum Unit: String, Sendable, Codable {
        case signaturesPerSecond = "signatures/s"
        case tokensPerSecond = "tokens/s"
        case linesPerSecond = "lines/s"
        case receiptsPerSecond = "receipts/s"
        case milliseconds = "ms"
        case megabytes = "MB"
    }

    /// The figure's name in ratios and for programs.
    package let identifier: String
    /// The figure's name for readers.
    package let title: String
    package let unit: Unit
    /// The identifier of the peer in the same group by which the figure is divided.
    package let peer: String?
    /// The ratio to the peer that the project asks for on this machine, if any. It is shown, and gates nothing.
    package let floor: Double?
    /// Whether the measured code is not ours.
    package let isPeer: Bool
    /// The figure's name in the chart; `nil` leaves the figure out.
    package let bar: String?

    package init(
        _ identifier: String, _ title: String, _ unit: Unit, peer: String? = nil, floor: Double? = nil,
        isPeer: Bool = false, bar: String? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.unit = unit
        self.peer = peer
        self.floor = floor
        self.isPeer = isPeer
        self.bar = bar
    }
}
