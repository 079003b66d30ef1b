package import WireFormats

/// Finds what types and subtypes of notifications mean. Those of a stream are few, so that each is looked up in the table
/// once.
package struct NotificationMeanings: Sendable {
    /// What a type and subtype mean, as texts with quotes.
    package struct Row: Sendable {
        package let meaning: [UInt8]
        package let accessChange: [UInt8]
    }

    private var known: [(type: [UInt8]?, subtype: [UInt8]?, row: Row)] = []
    /// The documented types and subtypes are fewer.
    private static let maximumKnown = 64

    package init() {}

    /// What the members of a notification mean.
    package mutating func row(_ type: JSONValue?, _ subtype: JSONValue?, of json: Span<UInt8>) -> Row {
        for index in known.indices
        where type.isText(known[index].type, in: json) && subtype.isText(known[index].subtype, in: json) {
            return known[index].row
        }
        let (type, subtype) = (type?.string(in: json), subtype?.string(in: json))
        let (meaning, access) = ServerNotification.tableRow(
            ServerNotification.NotificationType(rawValue: type ?? ""),
            subtype.map(ServerNotification.Subtype.init(rawValue:)))
        let row = Row(meaning: Array("\"\(meaning.name)\"".utf8), accessChange: Array("\"\(access)\"".utf8))
        guard access != .unknown, known.count < Self.maximumKnown else { return row }
        known.append((type.map { Array($0.utf8) }, subtype.map { Array($0.utf8) }, row))
        return row
    }
}

extension JSONValue? {
    /// Whether the value is this text; for `nil`, whether it is no text.
    @inline(__always)
    fileprivate func isText(_ text: [UInt8]?, in json: Span<UInt8>) -> Bool {
        guard case .string(let string)? = self else { return text == nil }
        return text.map { string.equals($0.span, in: json) } ?? false
    }
}
