/// JSON whose members keep the order in which they are written, duplicates included.
enum JSONText: Sendable {
    case string(String)
    case number(Int)
    case boolean(Bool)
    case array([JSONText])
    case object([(name: String, value: JSONText)])
    /// Any text in place of a value, valid or not.
    case raw(String)

    var text: String {
        switch self {
        case .string(let value): Self.quoted(value)
        case .number(let value): String(value)
        case .boolean(let value): value ? "true" : "false"
        case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(Self.quoted($0.name)):\($0.value.text)" }.joined(separator: ","))}"
        case .raw(let text): text
        }
    }

    var bytes: [UInt8] { Array(text.utf8) }

    /// A copy of the object in which this member's value is replaced in place, or added at the end.
    func setting(_ name: String, _ value: JSONText) -> JSONText {
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = value
        } else {
            members.append((name, value))
        }
        return .object(members)
    }

    /// A copy of the object with one more member at the end, even if the name exists already.
    func appending(_ name: String, _ value: JSONText) -> JSONText {
        guard case .object(let members) = self else { return self }
        return .object(members + [(name, value)])
    }

    func appending(contentsOf other: JSONText) -> JSONText {
        guard case .object(let members) = self, case .object(let more) = other else { return self }
        return .object(members + more)
    }

    func removing(_ names: String...) -> JSONText {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !names.contains($0.name) })
    }

    /// A string literal with only the escapes that RFC 8259, 7, requires.
    static func quoted(_ value: String) -> String {
        var output = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }
}

extension JSONText: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension JSONText: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral {
    init(arrayLiteral elements: JSONText...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSONText)...) { self = .object(elements.map { ($0, $1) }) }
    init(nilLiteral: ()) { self = .raw("null") }
}
