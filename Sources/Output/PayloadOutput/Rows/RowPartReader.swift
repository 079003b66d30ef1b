internal import WireFormats

/// Finds the members of a part.
struct RowPartReader: Sendable {
    /// A member, and the column that it may fill.
    struct Source: Sendable {
        let member: Int
        let column: Int
        let rule: RowSource.Rule
        let isOutermost: Bool
        /// Whether an absent member leaves the column null.
        let needsValue: Bool
    }

    let sources: [Source]
    /// The objects in this part that are parts too.
    let children: [(member: Int, part: Int)]
    private var object: JSONObject

    init(_ part: RowPart) {
        let form = part.form
        object = JSONObject(wanted: form.names)
        sources = RowColumn.all.enumerated().flatMap { index, column in
            column.sources.filter { $0.part == part }.compactMap { source in
                form.names.index(of: source.member).map { member in
                    Source(
                        member: member, column: index, rule: source.rule, isOutermost: source.isOutermost,
                        needsValue: source.rule.needsValue)
                }
            }
        }
        children = RowPart.allCases.compactMap { child in
            guard let place = child.place, place.part == part else { return nil }
            return form.names.index(of: place.member).map { ($0, child.rawValue) }
        }
    }

    /// The value of a member of the object that was read last.
    subscript(member: Int?) -> JSONValue? {
        // Nothing changes; the compiler would copy a reader that it may not change.
        mutating get {
            guard let member else { return nil }
            return object[member]
        }
    }

    /// Reads an object of a payload that was checked before; returns whether it is one.
    mutating func read(_ json: Span<UInt8>, in range: Range<Int>) -> Bool {
        (try? object.read(json, in: range, isChecked: true)) != nil
    }

    /// Fills the columns of the object that was read.
    mutating func fill(_ row: inout RowCells, _ json: Span<UInt8>, isOutermost: Bool) {
        // A local value, which the compiler knows to stay the same.
        let sources = sources
        for index in sources.indices {
            let source = sources[index]
            let value = object[source.member]
            if value == nil, source.needsValue { continue }
            if row.filled.contains(source.column) || source.isOutermost && !isOutermost { continue }
            guard let cell = row.bytes.append(value, by: source.rule, of: json) else { continue }
            row.fill(source.column, cell)
        }
    }
}

extension RowSource.Rule {
    /// Whether an absent member has no value.
    var needsValue: Bool {
        switch self {
        case .priceIncreaseStatus, .form(.flag), .form(.integerOrOne): false
        default: true
        }
    }
}
