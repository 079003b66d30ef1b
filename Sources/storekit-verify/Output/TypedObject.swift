import Libcrypto
import StoreKitVerify
import WireFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Properties by their StoreKit names, written as JSON. Dates have the form of ISO 8601, and prices are
/// decimals. Identifiers are strings, because many readers would lose digits of a number. Absent properties
/// are left out.
struct TypedObject {
    private var members: [(name: String, value: String)] = []

    /// The object on one line.
    var json: String { "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}" }

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        members.append((name, Self.quoted(value)))
    }

    /// Adds the name of the object's file.
    mutating func add(file: FileName?) {
        guard let file else { return }
        var bytes: [UInt8] = []
        appendJSON(message: file.text, to: &bytes)
        add("file", json: String(decoding: bytes, as: UTF8.self))
    }

    /// Adds a text, unless it is empty. Old payloads do not have it.
    mutating func addUnlessEmpty(_ name: String, _ value: String) { add(name, value.isEmpty ? nil : value) }

    mutating func add(_ name: String, id: UInt64?) { add(name, id.map { String($0) }) }

    mutating func add(_ name: String, _ value: Int?) { add(name, json: value.map { String($0) }) }

    mutating func add(_ name: String, _ value: Bool?) { add(name, json: value.map { $0 ? "true" : "false" }) }

    mutating func add(_ name: String, _ value: Decimal?) { add(name, json: value?.description) }

    mutating func add(_ name: String, _ value: Date?) { add(name, value?.typedText) }

    mutating func add(_ name: String, _ value: UUID?) { add(name, value?.uuidString.lowercased()) }

    mutating func add(_ name: String, _ value: TypedObject?) { add(name, json: value?.json) }

    /// Adds an array, unless it is empty.
    mutating func add(_ name: String, _ values: [String]) {
        guard !values.isEmpty else { return }
        add(name, json: "[" + values.map(Self.quoted).joined(separator: ",") + "]")
    }

    /// Adds an array, unless it is empty.
    mutating func add(_ name: String, _ values: [TypedObject]) {
        guard !values.isEmpty else { return }
        add(name, json: "[" + values.map(\.json).joined(separator: ",") + "]")
    }

    /// Adds an array, even if it is empty.
    mutating func add(_ name: String, all values: [TypedObject]) {
        add(name, json: "[" + values.map(\.json).joined(separator: ",") + "]")
    }

    /// Adds a value that its readers expect as a JSON number, however large it is.
    mutating func add(_ name: String, number: UInt64?) { add(name, json: number.map { String($0) }) }

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
