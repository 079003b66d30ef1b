extension JSONObject {
    /// The member names that must not occur twice.
    package enum UniqueNames: Sendable {
        /// Only the wanted names; `duplicates` lists those that occur again.
        case noted
        /// All names, also in nested objects: a second one is an error. RFC 7515, section 4, requires this of
        /// headers.
        case required
    }
}

/// The member names so far in each open object.
struct OpenObjectNames {
    /// The maximum number of names, including those of closed objects. The App Store's headers have two to
    /// four. Comparing 1 MiB of names would take 50 ms.
    static let limit = 1_024

    private var levels: [Set<[UInt8]>] = []
    private var count = 0

    /// Whether another name is allowed.
    var hasRoom: Bool { count < Self.limit }

    mutating func open() { levels.append([]) }

    mutating func close() { levels.removeLast() }

    /// Adds a name to the innermost object. Returns the name if it was there already.
    mutating func add(_ name: JSONString, in text: Span<UInt8>) -> String? {
        count += 1
        let inserted = levels[levels.count - 1].insert(name.bytes(in: text)).inserted
        return inserted ? nil : name.value(in: text)
    }
}
