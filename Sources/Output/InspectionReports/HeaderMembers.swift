internal import WireFormats

/// The members of a header, for display. Certificates are counted; all other values stay as they were
/// written.
enum HeaderMembers {
    /// Names and values. A malformed header gives those before the first error.
    static func all(in json: [UInt8]) -> [(name: String, value: String)] {
        let text = json.span
        var reader = JSONReader(0..<json.count)
        var members: [(name: String, value: String)] = []
        var name = ""
        var start = 0
        while let event = try? reader.next(in: text) {
            if case .name(let found) = event, reader.depth == 1 {
                name = found.value(in: text).abbreviated(to: 64)
                start = reader.position
                continue
            }
            guard reader.depth == 1, start > 0 else { continue }
            members.append((name, value(of: name, written: json[start..<reader.position])))
            start = 0
        }
        return members
    }

    private static func value(of name: String, written: ArraySlice<UInt8>) -> String {
        let text = String(decoding: written, as: UTF8.self)
        guard name == "x5c", text.hasPrefix("[") else { return text.abbreviated() }
        let count = written.count { $0 == UInt8(ascii: "\"") } / 2
        return "\(count) certificate\(count == 1 ? "" : "s")"
    }
}
