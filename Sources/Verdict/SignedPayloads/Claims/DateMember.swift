internal import WireFormats

/// A date in a payload: a number of milliseconds since 1970 under a name that ends in `Date`.
public struct DateMember: Hashable, Sendable {
    /// The member's name, with the names of the objects around it before it.
    public let path: String
    /// The number as it is written.
    public let written: String
    /// The date in the form of ISO 8601, with milliseconds rounded down; `nil` outside the years 1 to 9999.
    public let iso8601: String?

    /// All dates of a JSON text, in order. In a malformed text, only those before the first error.
    static func all(in json: [UInt8]) -> [DateMember] {
        var dates: [DateMember] = []
        let text = json.span
        var reader = JSONReader(0..<json.count)
        var path: [String] = []
        while let event = try? reader.next(in: text) {
            switch event {
            case .beginObject, .beginArray: path.append("")
            case .endObject, .endArray: path.removeLast()
            case .name(let name): path[path.count - 1] = name.value(in: text).abbreviated(to: 64)
            case .number(let range):
                guard let name = path.last, name.hasSuffix("Date") else { continue }
                let milliseconds = DecimalNumber(text, in: range).floor
                dates.append(
                    DateMember(
                        path: path.filter { !$0.isEmpty }.joined(separator: "."),
                        written: String(decoding: json[range].prefix(64), as: UTF8.self),
                        iso8601: milliseconds.flatMap(EffectiveDate.init(milliseconds:))?.iso8601))
            default: break
            }
        }
        return dates
    }
}
