/// Changes JSON as a tree. It adds, repeats, drops and renames members and replaces values, then writes the
/// whole in one of many styles.
enum JSONMutator {
    /// Names that the code reads.
    private static let names = [
        "signedDate", "receiptCreationDate", "environment", "receiptType", "bundleId", "appAppleId",
        "deviceVerification", "deviceVerificationNonce", "data", "summary", "externalPurchaseToken",
        "appData", "unclaimInfo",
        "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "signedPayload",
        "signedTransaction", "transactionId", "originalTransactionId", "notificationType", "notificationUUID",
        "externalPurchaseId", "requestIdentifier", "renewalDate", "alg", "x5c", "crit", "kid", "receipt-data",
    ]

    /// Values that the code distinguishes, as JSON.
    private static let values = [
        "0", "-0", "1", "-1", "1765000000123", "1765000000123.999", "1.765000000123e12", "1e400", "1E-400",
        "253402300799999", "253402300800000", "-62135596800001", "9223372036854775807",
        "18446744073709551616",
        "123456789012345678", "1234567890123456789", "null", "true", "false", "[]", "{}", "\"\"",
        "\"Xcode\"", "\"LocalTesting\"", "\"Sandbox\"", "\"Production\"", "\"com.example.garden\"",
        "\"ES256\"", "\"SANDBOX_\"", "[[[[]]]]", "\"\\ud83d\\ude00\"",
    ]

    /// The text after a change.
    static func changed(_ text: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        guard !tools.oneIn(4), var tree = PlainJSON(text) else { return tools.havoc(text) }
        for _ in 0...tools.below(3) { change(&tree, &tools) }
        let written = write(tree, style: tools.below(6), &tools)
        return Array(written.prefix(tools.maximumBytes))
    }

    private static func change(_ tree: inout PlainJSON, _ tools: inout MutationTools) {
        switch tree {
        case .object(var members):
            if !members.isEmpty, !tools.oneIn(3) {
                change(&members[tools.below(members.count)].value, &tools)
            } else {
                change(&members, &tools)
            }
            tree = .object(members)
        case .array(var elements):
            if !elements.isEmpty, !tools.oneIn(3) {
                change(&elements[tools.below(elements.count)], &tools)
            } else if let index = elements.indices.randomElement(using: &tools.random), tools.oneIn(2) {
                elements.remove(at: index)
            } else {
                elements.append(elements.randomElement(using: &tools.random) ?? value(&tools))
            }
            tree = .array(elements)
        case .string(let bytes):
            guard !tools.oneIn(4) else { return tree = value(&tools) }
            // Decoding repairs a text that is no longer UTF-8.
            tree = .string(Array(String(decoding: tools.havoc(bytes), as: UTF8.self).utf8))
        case .number, .true, .false, .null: tree = value(&tools)
        }
    }

    private static func change(_ members: inout [PlainJSON.Member], _ tools: inout MutationTools) {
        let place = tools.below(members.count + 1)
        guard place < members.count else {
            let name = Array((tools.pick(names) ?? "").utf8)
            return members.append(PlainJSON.Member(name: name, value: value(&tools)))
        }
        switch tools.below(6) {
        case 0: members.remove(at: place)
        case 1: members.insert(members[place], at: tools.below(members.count))
        case 2: members.swapAt(place, tools.below(members.count))
        case 3: members[place].name = Array((tools.pick(names) ?? "").utf8)
        case 4: members[place].value = .object([members[place]])
        default: members[place].value = members.randomElement(using: &tools.random)?.value ?? .null
        }
    }

    private static func value(_ tools: inout MutationTools) -> PlainJSON {
        PlainJSON(Array((tools.pick(values) ?? "null").utf8)) ?? .null
    }

    /// - Parameter style: 0 inserts white space, 1 escapes characters without need, others are plain.
    private static func write(
        _ tree: PlainJSON, style: Int, _ tools: inout MutationTools
    ) -> [UInt8] {
        let written = tree.written
        guard style < 2 else { return written }
        var output: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in written {
            let isLetter = (0x61...0x7a).contains(byte)
            if isInString, style == 1, isLetter, !isEscaped, tools.oneIn(8) {
                output += Array("\\u00\(String(byte, radix: 16))".utf8)
                continue
            }
            output.append(byte)
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
            if style == 0, !isInString, UInt8(ascii: ",") == byte || UInt8(ascii: ":") == byte {
                output.append(tools.pick([0x20, 0x09, 0x0d]) ?? 0x20)
            }
        }
        return output
    }
}
