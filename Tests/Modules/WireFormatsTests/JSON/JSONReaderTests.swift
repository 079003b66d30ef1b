import Testing
import WireFormats

/// Strict reading of JSON, exactly as RFC 8259 requires.
@Suite struct JSONReaderTests {
    @Test(
        "well-formed documents are read to their end",
        arguments: [
            "{}", "[]", "0", "-0", "1.5e-10", "\"\"", "true", "false", "null",
            " \t\r\n{ \"a\" : [ 1 , {} ] } ",
            "1E+400", "-123456789012345678901234567890.5",
            "\"\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\\\\\\\"\"",
            "\"é😀\u{7f}\u{10ffff}\"", "[[[[]]]]", "{\"\":{\"\":[null,true,false]}}", "1e0", "0.0", "0e5",
        ])
    func acceptsWellFormed(text: String) throws {
        #expect(try problem(of: text) == nil)
    }

    @Test(
        "what the grammar does not allow is refused, with its place",
        arguments: [
            ("", .unexpectedEnd(expected: .value), 0),
            ("  ", .unexpectedEnd(expected: .value), 2),
            ("{", .unexpectedEnd(expected: .memberName), 1),
            ("{\"a\"", .unexpectedEnd(expected: .colon), 4),
            ("{\"a\":", .unexpectedEnd(expected: .value), 5),
            ("{\"a\":1", .unexpectedEnd(expected: .commaOrObjectEnd), 6),
            ("{\"a\":1,}", .unexpectedByte(0x7d, expected: .memberName), 7),
            ("{\"a\":1 \"b\":2}", .unexpectedByte(0x22, expected: .commaOrObjectEnd), 7),
            ("{a:1}", .unexpectedByte(0x61, expected: .memberName), 1),
            ("{'a':1}", .unexpectedByte(0x27, expected: .memberName), 1),
            ("[1,]", .unexpectedByte(0x5d, expected: .value), 3),
            ("[1 2]", .unexpectedByte(0x32, expected: .commaOrArrayEnd), 3),
            ("[1}", .unexpectedByte(0x7d, expected: .commaOrArrayEnd), 2),
            ("{}{}", .trailingData, 2),
            ("nul", .unexpectedEnd(expected: .value), 3),
            ("True", .unexpectedByte(0x54, expected: .value), 0),
            ("NaN", .unexpectedByte(0x4e, expected: .value), 0),
            ("+1", .unexpectedByte(0x2b, expected: .value), 0),
            ("01", .invalidNumber, 1),
            ("-", .invalidNumber, 1),
            ("1.", .invalidNumber, 2),
            (".5", .unexpectedByte(0x2e, expected: .value), 0),
            ("1e", .invalidNumber, 2),
            ("1e+", .invalidNumber, 3),
            ("0x10", .trailingData, 1),
            ("\"abc", .unexpectedEnd(expected: .closingQuote), 4),
            ("\"a\nb\"", .controlCharacter(0x0a), 2),
            ("\"\\x\"", .invalidEscape, 1),
            ("\"\\u12g4\"", .invalidEscape, 1),
            ("\"\\", .invalidEscape, 1),
            ("\"\\ud800\"", .loneSurrogate, 1),
            ("\"\\udc00\"", .loneSurrogate, 1),
            ("\"\\ud800\\u0041\"", .loneSurrogate, 1),
            ("\"\\ud800x\"", .loneSurrogate, 1),
            ("// comment\n1", .unexpectedByte(0x2f, expected: .value), 0),
            ("\u{feff}{}", .unexpectedByte(0xef, expected: .value), 0),
        ] as [(String, JSONError.Problem, Int)])
    func refusesMalformed(text: String, expected: JSONError.Problem, offset: Int) throws {
        let error = try #require(try problem(of: text))
        #expect(error.problem == expected)
        #expect(error.offset == offset)
    }

    @Test(
        "bytes that are not UTF-8 are refused in strings (RFC 3629)",
        arguments: [
            [0x80], [0xc0, 0x80], [0xc1, 0xbf], [0xc3], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xe2, 0x82],
            [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff],
            [0xe2, 0x28, 0xa1],
        ] as [[UInt8]])
    func refusesInvalidUTF8(bytes: [UInt8]) throws {
        let text = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        #expect(try problem(of: text)?.problem == .invalidUTF8)
        #expect(String(validating: bytes, as: UTF8.self) == nil, "the test's own bytes must be wrong")
    }

    @Test func `every UTF-8 lead and second byte is judged as Swift's own decoder judges it`() throws {
        for first in UInt8(0x80)...0xff {
            for second in UInt8.min...0xff where second >= 0x80 {
                for tail in [[], [0x80], [0x80, 0x80]] as [[UInt8]] {
                    let bytes = [first, second] + tail
                    let isValid = String(validating: bytes, as: UTF8.self) != nil
                    #expect((try problem(of: [0x22] + bytes + [0x22]) == nil) == isValid, "\(bytes)")
                }
            }
        }
    }

    @Test func `nesting of 128 levels is read and of 129 refused, however deep the rest`() throws {
        let open = String(repeating: "[", count: 128)
        let close = String(repeating: "]", count: 128)
        #expect(try problem(of: open + close) == nil)
        #expect(try problem(of: "{\"a\":" + open.dropLast() + close.dropLast() + "}") == nil)
        let deeper = try #require(try problem(of: "[" + open + close + "]"))
        #expect(deeper.problem == .nestingTooDeep(limit: 128))
        #expect(deeper.offset == 128)
        #expect(
            try problem(of: String(repeating: "{\"a\":", count: 100_000))?.problem
                == .nestingTooDeep(limit: 128))
    }

    @Test func `no prefix of an object is a document`() throws {
        let text = Array(#"{"a":[1,2.5e3,{"b":"\u00e9é"},null,true],"c":{}}"#.utf8)
        for length in 0..<text.count {
            #expect(try problem(of: Array(text[..<length])) != nil, "\(length) bytes")
        }
        #expect(try problem(of: text) == nil)
    }

    @Test func `a document is read within its range only`() throws {
        let text = Array("xx{\"a\":1}yy".utf8)
        var reader = JSONReader(2..<9)
        var events: [JSONEvent] = []
        while let event = try reader.next(in: text.span) { events.append(event) }
        #expect(events.count == 4)
        #expect(reader.position == 9)
    }

    private func problem(of text: String) throws -> JSONError? { try problem(of: Array(text.utf8)) }

    private func problem(of bytes: [UInt8]) throws -> JSONError? {
        var reader = JSONReader(0..<bytes.count)
        do throws(JSONError) {
            while try reader.next(in: bytes.span) != nil {}
            return nil
        } catch {
            return error
        }
    }
}
