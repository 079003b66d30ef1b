import Foundation

/// A JSON value, read and written by Foundation: an oracle for the package's own reader.
enum JSONValue: Hashable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    init(_ json: some Sequence<UInt8>) throws {
        self.init(try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed))
    }

    private init(_ value: Any) {
        switch value {
        case let members as [String: Any]: self = .object(members.mapValues { JSONValue($0) })
        case let elements as [Any]: self = .array(elements.map { JSONValue($0) })
        case let text as String: self = .string(text)
        case let number as NSNumber:
            // Foundation writes the type of a Boolean so.
            let isBool = unsafe String(cString: number.objCType) == "c"
            self = isBool ? .bool(number.boolValue) : .number(number.doubleValue)
        default: self = .null
        }
    }

    /// The value as JSON.
    var text: String {
        switch self {
        case .object(let members):
            let pairs = members.map { "\(JSONValue.string($0.key).text):\($0.value.text)" }
            return "{\(pairs.joined(separator: ","))}"
        case .array(let elements): return "[\(elements.map(\.text).joined(separator: ","))]"
        case .string(let text): return Self.quoted(text)
        case .number(let number): return number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .bool(let value): return "\(value)"
        case .null: return "null"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The number of members in all objects.
    var memberCount: Int {
        switch self {
        case .object(let members): members.values.reduce(members.count) { $0 + $1.memberCount }
        case .array(let elements): elements.reduce(0) { $0 + $1.memberCount }
        default: 0
        }
    }

    /// The value with one member replaced, or removed.
    ///
    /// - Parameter number: the member's place among all members, from 0 on.
    func replacingMember(_ number: Int, by new: JSONValue?) -> JSONValue {
        var rest = number
        return replacing(&rest, new)
    }

    private func replacing(_ rest: inout Int, _ new: JSONValue?) -> JSONValue {
        switch self {
        case .object(let members):
            var changed = members
            for name in members.keys.sorted() {
                if rest == 0 { changed[name] = new } else { changed[name] = members[name] }
                rest -= 1
                if rest >= 0 { changed[name] = members[name]?.replacing(&rest, new) }
            }
            return .object(changed)
        case .array(let elements): return .array(elements.map { $0.replacing(&rest, new) })
        default: return self
        }
    }
}
