/// What is known of a figure before it is taken.
package struct Series: Sendable {
    /// What a figure counts.
    package enum Unit: String, Sendable, Codable {
        case signaturesPerSecond = "signatures/s"
        case tokensPerSecond = "tokens/s"
        case receiptsPerSecond = "receipts/s"
        case milliseconds = "ms"
        case megabytes = "MB"
    }

    /// Names the figure for ratios and for machines.
    package let identifier: String
    /// Names it for readers.
    package let title: String
    package let unit: Unit
    /// The identifier of what the figure is divided by, of the same group.
    package let peer: String?
    /// Whether this is somebody else's code.
    package let isPeer: Bool
    /// The figure's name in the chart; `nil` leaves it out.
    package let bar: String?

    package init(
        _ identifier: String, _ title: String, _ unit: Unit, peer: String? = nil, isPeer: Bool = false,
        bar: String? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.unit = unit
        self.peer = peer
        self.isPeer = isPeer
        self.bar = bar
    }
}
