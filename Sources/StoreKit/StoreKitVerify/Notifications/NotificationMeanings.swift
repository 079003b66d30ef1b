package import WireFormats

/// Finds the meanings of notifications' types and subtypes. Those of a stream are few, so that each is looked up in the table
/// once.
package struct NotificationMeanings: Sendable {
    /// The meaning of a type and subtype, as texts with quotes.
    package struct Row: Sendable {
        package let meaning: [UInt8]
        package let accessChange: [UInt8]
        /// The meaning and change by the type and subtype, if the payloads inside the notification may say otherwise.
        fileprivate let byType:
            (meaning: ServerNotification.Meaning, access: ServerNotification.AccessChange)?

        fileprivate init(_ meaning: ServerNotification.Meaning, _ access: ServerNotification.AccessChange) {
            self.meaning = Array("\"\(meaning.name)\"".utf8)
            accessChange = Array("\"\(access)\"".utf8)
            byType = AccessEvidence.isNeeded(for: meaning) ? (meaning, access) : nil
        }
    }

    private var known: [(type: [UInt8]?, subtype: [UInt8]?, row: Row)] = []
    /// The documented types and subtypes are fewer.
    private static let maximumKnown = 64

    package init() {}

    /// The meaning of a notification's members.
    ///
    /// - Parameter inner: lends the JSON of the payload inside the notification, at the path of a member, if there is one.
    package mutating func row(
        _ type: JSONValue?, _ subtype: JSONValue?, of json: Span<UInt8>,
        inner: (_ path: String, _ body: (Span<UInt8>) -> Void) -> Void
    ) -> Row {
        let row = row(type, subtype, of: json)
        guard let (meaning, byType) = row.byType else { return row }
        let access = AccessEvidence(json, inner).change(meaning, byType)
        return access == byType ? row : Row(meaning, access)
    }

    private mutating func row(_ type: JSONValue?, _ subtype: JSONValue?, of json: Span<UInt8>) -> Row {
        for index in known.indices
        where type.isText(known[index].type, in: json) && subtype.isText(known[index].subtype, in: json) {
            return known[index].row
        }
        let (type, subtype) = (type?.string(in: json), subtype?.string(in: json))
        let (meaning, access) = ServerNotification.tableRow(
            ServerNotification.NotificationType(rawValue: type ?? ""),
            subtype.map(ServerNotification.Subtype.init(rawValue:)))
        let row = Row(meaning, access)
        guard access != .unknown, known.count < Self.maximumKnown else { return row }
        known.append((type.map { Array($0.utf8) }, subtype.map { Array($0.utf8) }, row))
        return row
    }
}

extension JSONValue? {
    /// Whether the value is this text; for `nil`, whether it is not a text.
    @inline(__always)
    fileprivate func isText(_ text: [UInt8]?, in json: Span<UInt8>) -> Bool {
        guard case .string(let string)? = self else { return text == nil }
        return text.map { string.equals($0.span, in: json) } ?? false
    }
}
