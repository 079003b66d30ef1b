package import Essentials

/// A JSON object on one line that is written member by member. Absent members are left out.
///
/// Names are constants of the source and need no escapes. Dates have the form of ISO 8601, prices are decimals, and
/// identifiers are strings, because many readers would lose digits of a number.
package struct ObjectText: Hashable, Sendable {
    /// The members, each with a comma before it.
    private var members: [UInt8] = []

    /// An object without members.
    package init() {}

    /// The object in UTF-8.
    package var utf8: [UInt8] {
        var object = members
        object.closeObject(from: 0)
        return object
    }

    package var json: String { String(decoding: utf8, as: UTF8.self) }

    /// Adds a value that is JSON already.
    package mutating func add(_ name: String, json: [UInt8]?) {
        guard let json else { return }
        members.appendName(name)
        members.append(json.span)
    }

    private mutating func add(_ name: String, text: String?) { add(name, json: text.map { Array($0.utf8) }) }

    package mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        members.appendName(name)
        appendJSON(value, to: &members)
    }

    /// Adds a text that may quote any input: hidden characters are escaped too.
    package mutating func add(_ name: String, message: String?) {
        guard let message else { return }
        members.appendName(name)
        appendJSON(message: message, to: &members)
    }

    /// Adds a text, unless it is empty. Old payloads do not have it.
    package mutating func addUnlessEmpty(_ name: String, _ value: String) {
        add(name, value.isEmpty ? nil : value)
    }

    package mutating func add(_ name: String, id: UInt64?) { add(name, id.map { String($0) }) }

    package mutating func add(_ name: String, _ value: Int?) { add(name, text: value.map { String($0) }) }

    /// Adds a value that its readers expect as a JSON number, however large it is.
    package mutating func add(_ name: String, number: UInt64?) { add(name, text: number.map { String($0) }) }

    package mutating func add(_ name: String, _ value: Bool?) {
        add(name, text: value.map { $0 ? "true" : "false" })
    }

    package mutating func add(_ name: String, _ value: Decimal?) { add(name, text: value?.description) }

    package mutating func add(_ name: String, _ value: Date?) { add(name, value?.typedText) }

    package mutating func add(_ name: String, _ value: UUID?) { add(name, value?.uuidString.lowercased()) }

    package mutating func add(_ name: String, _ value: ObjectText?) { add(name, json: value?.utf8) }

    /// Adds an array, unless it is empty.
    package mutating func add(_ name: String, _ values: [String]) {
        if !values.isEmpty { add(name, all: values) }
    }

    /// Adds an array, unless it is empty.
    package mutating func add(_ name: String, _ values: [ObjectText]) {
        if !values.isEmpty { add(name, all: values) }
    }

    /// Adds an array, even if it is empty.
    package mutating func add(_ name: String, all values: [String]) {
        var texts: [[UInt8]] = values.map { _ in [] }
        for (index, value) in values.enumerated() { appendJSON(value, to: &texts[index]) }
        add(name, json: Self.array(texts))
    }

    /// Adds an array, even if it is empty.
    package mutating func add(_ name: String, all values: [ObjectText]) { add(name, json: Self.json(values)) }

    /// Objects as an array on one line.
    package static func json(_ values: [ObjectText]) -> [UInt8] { array(values.map(\.utf8)) }

    private static func array(_ elements: [[UInt8]]) -> [UInt8] {
        var text = [UInt8(ascii: "[")]
        text.reserveCapacity(elements.reduce(1) { $0 + $1.count + 1 })
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            // In one copy, where a joined sequence would go byte by byte.
            text += element
        }
        text.append(UInt8(ascii: "]"))
        return text
    }
}
