#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Properties by their StoreKit names, written as JSON. Dates have the form of ISO 8601, and prices are
/// decimals. Identifiers are strings, because many readers would lose digits of a number. Absent properties
/// are left out.
package struct TypedObject {
    private var members: [(name: String, value: String)] = []

    /// An object without members.
    package init() {}

    /// The object on one line.
    package var json: String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    package mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        members.append((name, Self.quoted(value)))
    }

    /// Adds the name of the object's file.
    package mutating func add(file: String?) {
        guard let file else { return }
        var bytes: [UInt8] = []
        appendJSON(message: file, to: &bytes)
        add("file", json: String(decoding: bytes, as: UTF8.self))
    }

    /// Adds a text, unless it is empty. Old payloads do not have it.
    package mutating func addUnlessEmpty(_ name: String, _ value: String) {
        add(name, value.isEmpty ? nil : value)
    }

    package mutating func add(_ name: String, id: UInt64?) { add(name, id.map { String($0) }) }

    package mutating func add(_ name: String, _ value: Int?) { add(name, json: value.map { String($0) }) }

    package mutating func add(_ name: String, _ value: Bool?) {
        add(name, json: value.map { $0 ? "true" : "false" })
    }

    package mutating func add(_ name: String, _ value: Decimal?) { add(name, json: value?.description) }

    package mutating func add(_ name: String, _ value: Date?) { add(name, value?.typedText) }

    package mutating func add(_ name: String, _ value: UUID?) { add(name, value?.uuidString.lowercased()) }

    package mutating func add(_ name: String, _ value: TypedObject?) { add(name, json: value?.json) }

    /// Adds an array, unless it is empty.
    package mutating func add(_ name: String, _ values: [String]) {
        guard !values.isEmpty else { return }
        add(name, json: "[" + values.map(Self.quoted).joined(separator: ",") + "]")
    }

    /// Adds an array, unless it is empty.
    package mutating func add(_ name: String, _ values: [TypedObject]) {
        guard !values.isEmpty else { return }
        add(name, all: values)
    }

    /// Adds an array, even if it is empty.
    package mutating func add(_ name: String, all values: [TypedObject]) {
        add(name, json: Self.json(values))
    }

    /// Objects as an array on one line.
    package static func json(_ values: [TypedObject]) -> String {
        "[" + values.map(\.json).joined(separator: ",") + "]"
    }

    /// Adds a value that its readers expect as a JSON number, however large it is.
    package mutating func add(_ name: String, number: UInt64?) { add(name, json: number.map { String($0) }) }

    private mutating func add(_ name: String, json: String?) {
        guard let json else { return }
        members.append((name, json))
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        appendJSON(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
