import SeededRandom

/// A JSON value that keeps its spelling, the order of its members and repeated members, so that a test can
/// change it.
indirect enum PayloadTree: Sendable {
    /// A number, text, literal, or anything else that is written as it is.
    case scalar(String)
    case array([PayloadTree])
    case object([(name: String, value: PayloadTree)])

    /// The JSON.
    ///
    /// - Parameter space: is asked for the white space at each place that may have some.
    func json(_ space: () -> String) -> String {
        switch self {
        case .scalar(let text): text
        case .array(let elements):
            "[" + space() + elements.map { $0.json(space) + space() }.joined(separator: "," + space()) + "]"
        case .object(let members):
            "{" + space()
                + members.map { "\"\($0.name)\"" + space() + ":" + space() + $0.value.json(space) + space() }
                .joined(separator: "," + space()) + "}"
        }
    }

    /// The first member of this name.
    subscript(name: String) -> PayloadTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Changes one place.
    mutating func change(_ random: inout SplitMix64) {
        switch self {
        case .scalar(let text):
            self = .scalar(
                Int.random(in: 0..<4, using: &random) == 0 ? Self.respelt(text, &random) : Self.value(&random)
            )
        case .array(var elements):
            if let index = elements.indices.randomElement(using: &random), Bool.random(using: &random) {
                elements[index].change(&random)
            } else if let index = elements.indices.randomElement(using: &random), Bool.random(using: &random)
            {
                elements.remove(at: index)
            } else {
                elements.insert(
                    .scalar(Self.value(&random)), at: Int.random(in: 0...elements.count, using: &random))
            }
            self = .array(elements)
        case .object(var members):
            guard let index = members.indices.randomElement(using: &random) else {
                return self = .scalar(Self.value(&random))
            }
            switch Int.random(in: 0..<16, using: &random) {
            case 0: members.remove(at: index)
            case 1: members.shuffle(using: &random)
            case 2:
                members.insert(
                    (members[index].name, .scalar(Self.value(&random))),
                    at: Int.random(in: 0...members.count, using: &random))
            case 3: members[index].name = Self.respelt("\"\(members[index].name)\"", &random).dropQuotes
            case 4: members[index].value = .array([members[index].value])
            case 5: members[index].value = .object([("a", members[index].value)])
            case 6: members[index].value = .scalar(Self.value(&random))
            default: members[index].value.change(&random)
            }
            self = .object(members)
        }
    }

    /// A text with some characters escaped that need no escape.
    private static func respelt(_ text: String, _ random: inout SplitMix64) -> String {
        guard text.hasPrefix("\""), !text.contains("\\") else { return text }
        var output = ""
        for scalar in text.dropQuotes.unicodeScalars {
            let isEscaped = Int.random(in: 0..<6, using: &random) == 0 && scalar.value < 0x1_0000
            output +=
                isEscaped ? "\\u" + String(scalar.value + 0x1_0000, radix: 16).dropFirst() : String(scalar)
        }
        return "\"\(output)\""
    }

    /// A value of any form that the code distinguishes, or nearly of such a form.
    static func value(_ random: inout SplitMix64) -> String {
        func digits(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }
            .joined()
        }
        func picked(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
        let sign = picked(["", "", "", "-"])
        switch Int.random(in: 0..<13, using: &random) {
        case 0: return picked(["null", "true", "false", "[]", "{}", "\"\"", "0", "-0", "1", "-1", "2", "3"])
        case 1, 2: return sign + picked(["1", "9", "20", "990"]) + digits(0...20)
        case 3: return sign + picked(["0", "1", "17", "1700000000000"]) + "." + digits(1...18)
        case 4:
            return sign + picked(["0", "1.5", "25", "9.99"]) + picked(["e", "E"]) + picked(["", "+", "-"])
                + digits(1...3)
        case 5:
            return picked([
                "253402300799999", "253402300800000", "-62135596800000", "-62135596800001", "999999999999999",
                "-999999999999999", "1000000000000000", "18446744073709551615", "18446744073709551616",
                "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e400", "0.0001",
                "-0.4",
                "951782400000", "951868800000", "4107542400000", "-2203891200001", "1765000000123.999",
                "1765000000123.5", "0e5", "-0.0", "1e3", "100000", "1000", "1001", "1010", "1100", "5", "50",
                "500",
            ])
        case 6: return "\"\(picked(["", "0", "00", "1", "9"]))\(digits(0...21))\""
        case 7:
            return "\""
                + picked([
                    "a\u{7f}b", #"\u0000\u001f\n\t\"\\\/"#, "é\u{301}漢字\u{1f468}\u{200d}\u{1f469}",
                    #"\ud83d\ude00"#, "\u{212a}",
                    "\u{feff}x", "Sandbox", "SANDBOX_1", "production", "eur", "USD", " ", "\\u007f",
                    "\\u00e9",
                ]) + "\""
        case 8:
            return "\""
                + picked([
                    "P1M", "P3D", "P1W", "P12M", "P01Y", "P0D", "PM", "P1", "p1M", "P1H", "P-1D",
                    "P99999999999999999999D",
                    "P1M\u{301}", "\\u00501M", "P\u{301}1M", "P1\\u004d",
                ]) + "\""
        case 9:
            return "\""
                + picked([
                    "5d12dde6-ac41-4a06-9e45-731fb5d35ac3", "5D12DDE6-AC41-4A06-9E45-731FB5D35AC3",
                    "5d12dde6-ac41-4a06-9e45-731fb5d35ac", "5d12dde6xac41-4a06-9e45-731fb5d35ac3",
                    "gd12dde6-ac41-4a06-9e45-731fb5d35ac3", "5d12dde6-ac41-4a06-9e45-731fb5d35ac\\u0033",
                    "5d12dde6-ac41-4a06-9e45-731fb5d35a@c", "5d12dde6-ac41-4a06-9e45-731fb5d3\u{7f}ac3",
                ]) + "\""
        case 10:
            let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".map(String.init)
            let count = picked(["64", "64", "4", "8", "63", "60", "66"])
            let text = (0..<(Int(count) ?? 0)).map { _ in letters.randomElement(using: &random) ?? "A" }
                .joined()
            return "\"" + text + picked(["", "", "", "=", "==", "QQ==", "QUE=", "QR==", "-", " "]) + "\""
        case 11:
            return "\"" + picked(["", "-", " ", "+"])
                + picked(["0", "00", "1", "0.15", "12.340", ".5", "5.", "1e3", "x1"])
                + picked(["", "0", "x", " "]) + "\""
        default:
            return picked([
                #"{"offerType":1}"#, #"["a",1,"b",null,"c\u0041"]"#, "[[],{}]",
                #"[{"SKU":"x","refunds":[{}]},{}]"#,
                #"{"commitmentPrice":1000}"#, "[1,2]",
            ])
        }
    }
}

extension String {
    fileprivate var dropQuotes: String { String(dropFirst().dropLast()) }
}
