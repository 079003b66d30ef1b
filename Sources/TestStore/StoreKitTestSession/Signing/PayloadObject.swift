internal import WireFormats

/// A JSON object that is written member by member, as payloads are: dates in milliseconds, absent members left out.
///
/// Names are constants of the source and need no escaping. Values are escaped.
struct PayloadObject {
    private(set) var text: [UInt8] = [UInt8(ascii: "{")]

    /// The pointer of a static string lives as long as the process.
    private mutating func name(_ name: StaticString) {
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "\""))
        unsafe text.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        text.append(UInt8(ascii: "\""))
        text.append(UInt8(ascii: ":"))
    }

    mutating func add(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        self.name(name)
        appendJSON(value, to: &text)
    }

    mutating func add(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        self.name(name)
        appendDecimal(value, to: &text)
    }

    mutating func add(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        self.name(name)
        text.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// An empty list is written as one: a caller that wants no member leaves the call out.
    mutating func add(_ name: StaticString, _ values: [String]) {
        self.name(name)
        text.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            appendJSON(value, to: &text)
        }
        text.append(UInt8(ascii: "]"))
    }

    mutating func add(_ name: StaticString, object: PayloadObject?) {
        guard let object else { return }
        self.name(name)
        text.append(contentsOf: object.finished)
    }

    mutating func add(_ name: StaticString, objects: [PayloadObject]) {
        self.name(name)
        text.append(UInt8(ascii: "["))
        for (index, object) in objects.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: object.finished)
        }
        text.append(UInt8(ascii: "]"))
    }

    /// The whole object.
    ///
    /// A copy: an object can be written into another one, and go on.
    var finished: [UInt8] { text + [UInt8(ascii: "}")] }
}
