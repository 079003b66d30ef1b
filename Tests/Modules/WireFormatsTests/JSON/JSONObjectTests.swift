import Testing
import WireFormats

/// Finding members, including duplicate ones.
@Suite struct JSONObjectTests {
    @Test func `wanted members are found with their values, at the top level only`() throws {
        let text = Array(
            #"{"x":{"a":9,"b":[{"a":8}]},"a":"one","b":-1.5,"c":[1,"]"],"d":{"a":"}"},"e":null}"#.utf8)
        let object = try JSONObject(text.span, wanted: MemberNames(["a", "b", "c", "d", "e", "f"]))
        guard case .string(let string)? = object["a"] else { return #expect(Bool(false), "a is a string") }
        #expect(string.value(in: text.span) == "one")
        #expect(written(object["b"], in: text) == "-1.5")
        #expect(written(object["c"], in: text) == #"[1,"]"]"#)
        #expect(written(object["d"], in: text) == #"{"a":"}"}"#)
        #expect(object["e"] == .null)
        #expect(object["f"] == nil)
        #expect(object["x"] == nil, "not wanted")
        #expect(object.duplicates.isEmpty)
    }

    @Test func `a name is told from the one in the objects before, of any length and by any byte`() throws {
        for length in 1...40 {
            let name = String(repeating: "n", count: length)
            var object = JSONObject(wanted: MemberNames([name, "last"]))
            // The first reading expects nothing, the second one learns, the third one meets the expected names.
            for _ in 0..<3 {
                let text = Array(#"{"\#(name)":1,"last":2}"#.utf8)
                try object.read(text.span)
                #expect(written(object[name], in: text) == "1")
                #expect(written(object["last"], in: text) == "2")
            }
            for place in 0..<length {
                var other = Array(name.utf8)
                other[place] = UInt8(ascii: "N")
                let text = Array(#"{"\#(String(decoding: other, as: UTF8.self))":1,"last":2}"#.utf8)
                try object.read(text.span)
                #expect(object[name] == nil, "\(length) bytes, another one at \(place)")
                #expect(written(object["last"], in: text) == "2")
            }
            let twice = Array(#"{"\#(name)" :1,"\#(name)":2}"#.utf8)
            try object.read(twice.span)
            #expect(written(object[name], in: twice) == "1")
            #expect(object.duplicates == [name])
        }
    }

    @Test func `a name is the same name however it is escaped`() throws {
        let text = Array(#"{"sign\u0065dDate":1,"signedDate":2,"other":3,"other":4}"#.utf8)
        let object = try JSONObject(text.span, wanted: MemberNames(["signedDate"]))
        #expect(written(object["signedDate"], in: text) == "1")
        #expect(object.duplicates == ["signedDate"], "'other' was not asked for")
    }

    @Test func `a wanted name is found among a hundred thousand others, escaped or not`() throws {
        let cases = [
            ("\"\":0", "\"signedDate\""), (#""\n":0"#, #""\u0073ignedDate""#),
            (#""signedDatf":0"#, #""signedDat\u0065""#),
        ]
        for (other, wanted) in cases {
            let members = [String](repeating: other, count: 50_000).joined(separator: ",")
            let text = Array("{\(members),\(wanted):1,\(members)}".utf8)
            let object = try JSONObject(
                text.span, wanted: MemberNames(["", "signedDate", "\u{e9}\u{1f600}"]))
            #expect(written(object["signedDate"], in: text) == "1")
            #expect(object.duplicates == (other.hasPrefix("\"\"") ? [""] : []))
        }
    }

    @Test func `an escape stands for its UTF-8, of every length`() throws {
        let text = Array(#"{"\u00e9\u20ac\ud83d\ude00\u0041":1}"#.utf8)
        for (name, isFound) in [("é€😀A", true), ("é€😀", false), ("é€😀AA", false), ("é€😁A", false)] {
            #expect((try JSONObject(text.span, wanted: MemberNames([name]))[name] != nil) == isFound)
        }
    }

    @Test func `of a hundred thousand names, in one object or in many, a second one is found`()
        throws
    {
        let names = (0..<50_000).map { $0 % 3 == 0 ? #""\u006e\#($0)":0"# : #""n\#($0)":0"# }
        let objects = (0..<50_000).map { #"{"n\#($0 % 7)":0,"m":0}"# }
        let start = "{" + names.joined(separator: ",") + #","x":["# + objects.joined(separator: ",") + "]"
        #expect(throws: Never.self) {
            try JSONObject(Array((start + "}").utf8).span, wanted: MemberNames([]), uniqueNames: .required)
        }
        for repeated in [#""n0""#, #""n1""#, #""\u006e49999""#, #""x""#] {
            let error = #expect(throws: JSONError.self) {
                try JSONObject(
                    Array((start + ",\(repeated):0}").utf8).span, wanted: MemberNames([]),
                    uniqueNames: .required)
            }
            #expect(error?.offset == start.utf8.count + 1)
        }
    }

    @Test func `names of every length are told apart`() throws {
        // Names are hashed seven bytes at a time, zeros among them.
        let names = (0..<40).flatMap { count in
            ["a", #"\u0000"#].map { "\"\(String(repeating: $0, count: count))x\":0" }
        }.dropFirst()
        let text = Array("{\(names.joined(separator: ","))}".utf8)
        #expect(throws: Never.self) {
            try JSONObject(text.span, wanted: MemberNames([]), uniqueNames: .required)
        }
        // Nested as deep as can be, in the fewest bytes.
        let deep = String(repeating: #"{"":"#, count: 128) + "0" + String(repeating: "}", count: 128)
        #expect(throws: Never.self) {
            try JSONObject(Array(deep.utf8).span, wanted: MemberNames([]), uniqueNames: .required)
        }
    }

    @Test func `names that only look alike are different`() throws {
        // U+212A KELVIN SIGN is canonically equivalent to K.
        let text = Array("{\"\u{212a}\":1,\"\\u212a\":2}".utf8)
        #expect(try JSONObject(text.span, wanted: MemberNames(["K"]))["K"] == nil)
    }

    @Test(
        "where unique names are required, a second one is refused at any depth",
        arguments: [
            (#"{"a":1,"a":2}"#, 7), (#"{"a":1,"\u0061":2}"#, 7), (#"{"x":{"b":1,"b":1}}"#, 12),
            (#"{"x":[{"b":1},{"b":1,"c":2,"b":3}]}"#, 27),
        ])
    func refusesDuplicates(text: String, offset: Int) throws {
        let error = #expect(throws: JSONError.self) {
            try JSONObject(Array(text.utf8).span, wanted: MemberNames([]), uniqueNames: .required)
        }
        #expect(error?.offset == offset)
        guard case .duplicateName? = error?.problem else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
    }

    @Test func `one name in several objects is no duplicate`() throws {
        let text = Array(#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}"#.utf8)
        #expect(throws: Never.self) {
            try JSONObject(text.span, wanted: MemberNames([]), uniqueNames: .required)
        }
    }

    @Test(
        "anything but an object is refused, if it is JSON at all",
        arguments: ["null", "[]", "\"{}\"", "1", " [ {} ] "])
    func refusesOtherValues(text: String) throws {
        let error = #expect(throws: JSONError.self) {
            try JSONObject(Array(text.utf8).span, wanted: MemberNames([]))
        }
        guard case .unexpectedByte(_, expected: .object)? = error?.problem else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
    }

    @Test func `a text that is no JSON is reported as that`() throws {
        let error = #expect(throws: JSONError.self) {
            try JSONObject(Array("[1,".utf8).span, wanted: MemberNames([]))
        }
        #expect(error?.problem == .unexpectedEnd(expected: .value))
    }

    @Test func `elements of an array are counted beyond those that are kept`() throws {
        let text = Array(#"["a",{"x":[1,2]},[[3]],null,5]"#.utf8)
        let elements = try JSONArray.elements(of: text.span, in: 0..<text.count, limit: 3)
        #expect(elements.count == 5)
        #expect(elements.first.map { written($0, in: text) } == ["a", #"{"x":[1,2]}"#, "[[3]]"])
    }

    @Test(
        "escapes are resolved",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9\u20ac""#, "Aé€"),
            (#""\ud83d\ude00\uDBFF\uDFFF""#, "😀\u{10ffff}"), (#""plain é""#, "plain é"),
        ])
    func resolvesEscapes(text: String, expected: String) throws {
        let bytes = Array(text.utf8)
        var reader = JSONReader(0..<bytes.count)
        guard case .string(let string)? = try reader.next(in: bytes.span) else {
            return #expect(Bool(false), "a string")
        }
        #expect(string.value(in: bytes.span) == expected)
        let (isSame, isOther) = (
            string.equals(expected, in: bytes.span), string.equals(expected + "x", in: bytes.span)
        )
        #expect(isSame && !isOther)
    }

    private func written(_ value: JSONValue?, in text: [UInt8]) -> String? {
        switch value {
        case .object(let range), .array(let range), .number(let range):
            String(decoding: text[range], as: UTF8.self)
        case .string(let string): string.value(in: text.span)
        case nil: nil
        default: "literal"
        }
    }
}
