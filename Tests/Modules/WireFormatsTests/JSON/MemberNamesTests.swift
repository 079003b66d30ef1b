import SeededRandom
import Testing
import WireFormats

/// The table that finds names: it finds all of its names, and no others.
@Suite struct MemberNamesTests {
    /// Lists of names of every length, with many pairs that have the same ends.
    private static func lists() -> [[String]] {
        var random = SplitMix64(seed: 4)
        var lists: [[String]] = [
            [], [""], ["a"], ["\u{e9}"], (0..<64).map { String(repeating: "n", count: $0 + 1) },
            [
                "signedDate", "signedDatf", "tignedDate", "environment", "bundleId", "appAppleId",
                "renewalDate",
            ],
        ]
        for count in 1...64 {
            var names: Set<String> = []
            while names.count < count {
                names.insert(Self.name(length: Int(random.next() % 64) + 1, &random))
            }
            lists.append(names.sorted())
        }
        return lists
    }

    private static func name(length: Int, _ random: inout SplitMix64) -> String {
        String((0..<length).map { _ in Character(UnicodeScalar(UInt8(0x61 + random.next() % 26))) })
    }

    @Test func `each name is found, by itself and in an object, and is the only one`() throws {
        for list in Self.lists() {
            let names = MemberNames(list)
            for (index, name) in list.enumerated() {
                #expect(names.index(of: name) == index)
                try Self.expect([index], of: names, in: #"{"\#(name)":1}"#)
                try Self.expect(
                    [index], of: names, in: #"{"other.":2,"\#(name)" : 1,"other.":{"\#(name)":3}}"#)
                try Self.expect([index], of: names, in: "{\"\(Self.escaped(name))\":1}")
            }
            let all = list.reversed().map { #""\#($0)":0"# }.joined(separator: ",")
            try Self.expect(Array(list.indices), of: names, in: "{\(all)}")
        }
    }

    @Test func `other names are not found, whatever they share with one in the list`() throws {
        var random = SplitMix64(seed: 5)
        for list in Self.lists() {
            let names = MemberNames(list)
            var others = (0..<50).map { _ in Self.name(length: Int(random.next() % 80), &random) }
            for name in list {
                let bytes = Array(name.utf8)
                others += [
                    name + "x", "x" + name, name + name, String(name.dropLast()), String(name.dropFirst()),
                ]
                others += [name + "\u{0}", name.uppercased(), String(repeating: "\u{0}", count: bytes.count)]
                for place in bytes.indices where bytes[place] < 0x80 {
                    // The ends, and the length, stay as they are unless this is one of them.
                    var other = bytes
                    other[place] = bytes[place] == UInt8(ascii: "~") ? UInt8(ascii: "|") : UInt8(ascii: "~")
                    others.append(String(decoding: other, as: UTF8.self))
                }
            }
            for other in others where !list.contains(where: { $0.utf8.elementsEqual(other.utf8) }) {
                #expect(names.index(of: other) == nil, "\(other)")
                try Self.expect([], of: names, in: #"{"\#(Self.escaped(other))":1}"#)
                guard !other.utf8.contains(0) else { continue }
                try Self.expect([], of: names, in: #"{"\#(other)":1}"#)
            }
        }
    }

    @Test func `a name that an object's text ends with is found, and its end is not read over`() throws {
        // A text that is a part of a larger one, so that other bytes stand where a name has ended.
        for list in Self.lists() {
            let names = MemberNames(list)
            for (index, name) in list.enumerated() {
                for suffix in ["", "x", "xxxxxxxxxxxxxxxx"] {
                    let text = Array(#"{"\#(name)":0}"#.utf8)
                    let framed = (text + Array(suffix.utf8))
                    var object = JSONObject(wanted: names)
                    try object.read(framed.span, in: 0..<text.count)
                    #expect(object.found == 1 << UInt64(index))
                }
                #expect(throws: JSONError.self) {
                    try JSONObject(Array(#"{"\#(name)""#.utf8).span, wanted: names)
                }
            }
        }
    }

    /// Expects that exactly these names are found in an object.
    private static func expect(_ indices: [Int], of names: MemberNames, in text: String) throws {
        let object = try JSONObject(Array(text.utf8).span, wanted: names)
        let found = object.found
        #expect(found == indices.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }, "\(text)")
    }

    /// The name with every character escaped.
    private static func escaped(_ name: String) -> String {
        name.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
