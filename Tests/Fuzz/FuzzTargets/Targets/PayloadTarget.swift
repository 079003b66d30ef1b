import SignedPayloads
import WireFormats

/// A payload's JSON: compares the reader of JSON with the plain one, and what it finds in a payload with the
/// contract's rules applied to a tree.
package struct PayloadTarget: FuzzTarget {
    package static let name = "payload-json"

    private static let wanted = ["signedDate", "environment", "bundleId", "data", "a"]
    private static let wantedNames = MemberNames(wanted)
    private static let noNames = MemberNames([])

    package init() {}

    package func check(_ input: [UInt8]) throws(Violation) {
        let expected = PlainJSON(input)
        let events: PlainJSON?
        do throws(JSONError) {
            events = try PlainJSON(readFrom: input.span)
        } catch {
            try expect(!error.description.isEmpty, "an error without a sentence")
            try expect((0...input.count).contains(error.offset), "an error at byte \(error.offset)")
            events = nil
        }
        try expect(events == expected, "the readers disagree: \(events == nil) \(expected == nil)")
        if let expected {
            try expect(PlainJSON(expected.written) == expected, "the second reader contradicts itself")
        }
        try checkObject(input, expected)
        try checkClaims(input, expected)
        try checkEnvelope(input, expected)
    }

    /// Checks finding wanted members.
    private func checkObject(_ input: [UInt8], _ expected: PlainJSON?) throws(Violation) {
        guard let object = try? JSONObject(input.span, wanted: Self.wantedNames) else {
            if case .object? = expected { throw Violation("refuses an object") }
            return
        }
        guard let expected, case .object = expected else { throw Violation("takes something for an object") }
        for name in Self.wanted {
            let members = expected.members(name)
            let found = object[name].flatMap { PlainJSON($0, in: input) }
            try expect(found == members.first, "another \(name)")
            try expect(object.duplicates.contains(name) == (members.count > 1), "duplicates of \(name)")
        }
        let isUnique = (try? JSONObject(input.span, wanted: Self.noNames, uniqueNames: .required)) != nil
        try expect(isUnique == expected.hasUniqueNames, "unique names: \(isUnique)")
    }

    /// Checks what is read of a payload for its checks.
    private func checkClaims(_ input: [UInt8], _ expected: PlainJSON?) throws(Violation) {
        var reader = ClaimsReader()
        let contract = expected.flatMap { PlainClaims($0) }
        // A reader that has read another payload before must read the same.
        for _ in 0..<2 {
            let found = (try? reader.read(input.span)).map { PlainClaims($0, in: input) }
            try expect(found == contract, "claims \(found as Any), not \(contract as Any)")
        }
    }

    /// Checks finding the token in a line of a log.
    private func checkEnvelope(_ input: [UInt8], _ expected: PlainJSON?) throws(Violation) {
        guard input.first == UInt8(ascii: "{") else { return }
        let tokens = [
            "signedPayload", "signedTransactionInfo", "signedTransaction", "signedRenewalInfo",
            "signedAppTransactionInfo",
        ].map { expected?.members($0) ?? [] }
        let present = tokens.filter { $0.contains { $0 != .null } }
        let isClear = tokens.allSatisfy { $0.count < 2 } && present.count == 1
        let token = isClear ? present[0][0].stringBytes : nil
        let found = (try? TokenEnvelope.token(in: input.span)) ?? nil
        try expect(found == token, "another token in the line")
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] {
        let payload = line.split(separator: UInt8(ascii: ".")).dropFirst().first
        return (payload.flatMap(Base64URL.decoded).map { [$0] } ?? [])
            + (line.first == UInt8(ascii: "{") ? [line] : [])
    }

    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        JSONMutator.changed(input, &tools)
    }
}

extension PlainJSON {
    /// The tree of what the strict reader has read.
    init?(readFrom text: Span<UInt8>) throws(JSONError) {
        var reader = JSONReader(0..<text.count)
        var open: [(container: PlainJSON, name: [UInt8])] = []
        var name: [UInt8] = []
        var root: PlainJSON?
        while let event = try reader.next(in: text) {
            let value: PlainJSON
            switch event {
            case .beginObject:
                open.append((.object([]), name))
                continue
            case .beginArray:
                open.append((.array([]), name))
                continue
            case .name(let string):
                name = string.bytes(in: text)
                continue
            case .endObject, .endArray:
                guard let closed = open.popLast() else { return nil }
                (value, name) = (closed.container, closed.name)
            case .string(let string): value = .string(string.bytes(in: text))
            case .number(let range): value = .number(range.map { text[$0] })
            case .true: value = .true
            case .false: value = .false
            case .null: value = .null
            }
            guard let outer = open.indices.last else {
                root = value
                continue
            }
            switch open[outer].container {
            case .object(let members):
                open[outer].container = .object(members + [Member(name: name, value: value)])
            case .array(let elements): open[outer].container = .array(elements + [value])
            default: return nil
            }
        }
        guard let root else { return nil }
        self = root
    }

    /// The tree of a value in a text.
    init?(_ value: JSONValue, in text: [UInt8]) {
        switch value {
        case .object(let range), .array(let range): self.init(Array(text[range]))
        case .string(let string): self = .string(string.bytes(in: text.span))
        case .number(let range): self = .number(Array(text[range]))
        case .true: self = .true
        case .false: self = .false
        case .null: self = .null
        }
    }
}
