/// One way in which a text violates JSON (RFC 8259).
struct JSONFlaw {
    let name: String
    let bytes: [UInt8]
    let why: String

    init(_ name: String, _ text: String, _ why: String) {
        self.init(name, bytes: Array(text.utf8), why)
    }

    init(_ name: String, bytes: [UInt8], _ why: String) {
        self.name = name
        self.bytes = bytes
        self.why = why
    }

    /// Documents that are not one object, made from a good one.
    static func documents(_ good: String) -> [JSONFlaw] {
        let inner = good.dropFirst().dropLast()
        let utf16 = good.utf16.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        return [
            JSONFlaw("null", "null", "null, which Apple has signed at least once."),
            JSONFlaw("array", "[\(good)]", "An array."),
            JSONFlaw("text", #""text""#, "A string."),
            JSONFlaw("number", "1", "A number."),
            JSONFlaw("true", "true", "A literal."),
            JSONFlaw("white-space-only", " \n", "White space only."),
            JSONFlaw("truncated", String(good.dropLast()), "The last brace is missing."),
            JSONFlaw("truncated-half", String(good.prefix(good.count / 2)), "Half of it."),
            JSONFlaw("open", "{", "One brace."),
            JSONFlaw("trailing-brace", good + "}", "A brace too many."),
            JSONFlaw("trailing-text", good + "x", "A letter behind."),
            JSONFlaw("trailing-comma-outside", good + ",", "A comma behind."),
            JSONFlaw("two-documents", good + good, "Two documents."),
            JSONFlaw("two-lines", good + "\n" + good, "Two documents on two lines."),
            JSONFlaw("trailing-nul", good + "\0", "A NUL behind."),
            JSONFlaw("byte-order-mark", "\u{FEFF}" + good, "A byte order mark in front."),
            JSONFlaw("utf-16", bytes: utf16, "UTF-16."),
            JSONFlaw("utf-16-mark", bytes: [0xFF, 0xFE] + utf16, "UTF-16 with its mark."),
            JSONFlaw("no-break-space", "\u{A0}" + good, "A no-break space in front."),
            JSONFlaw("form-feed", "\u{0C}" + good, "A form feed in front."),
            JSONFlaw("vertical-tab", good + "\u{0B}", "A vertical tab behind."),
            JSONFlaw("trailing-comma", "{\(inner),}", "A comma before the closing brace."),
            JSONFlaw("leading-comma", "{,\(inner)}", "A comma behind the opening brace."),
            JSONFlaw("double-comma", "{\"a\":1,,\(inner)}", "Two commas."),
            JSONFlaw("no-comma", "{\"a\":1 \(inner)}", "No comma between two members."),
            JSONFlaw("no-colon", "{\"a\" 1,\(inner)}", "No colon."),
            JSONFlaw("two-colons", "{\"a\"::1,\(inner)}", "Two colons."),
            JSONFlaw("no-value", "{\"a\":,\(inner)}", "No value."),
            JSONFlaw("bare-name", "{a:1,\(inner)}", "A name without quotation marks."),
            JSONFlaw("single-quotes", "{'a':1,\(inner)}", "A name in single quotes."),
            JSONFlaw("number-name", "{1:1,\(inner)}", "A number for a name."),
            JSONFlaw("null-name", "{null:1,\(inner)}", "null for a name."),
            JSONFlaw("comment", "{/* a */\(inner)}", "A comment."),
            JSONFlaw("line-comment", "{// a\n\(inner)}", "A comment to the end of the line."),
            JSONFlaw("hash-comment", good + "# a", "A comment behind."),
            JSONFlaw("wrong-bracket", "{\(inner)]", "Closed by the wrong bracket."),
        ]
    }

    /// Member values that are not JSON values.
    static let values: [JSONFlaw] = numbers + strings + utf8 + containers

    private static let numbers: [JSONFlaw] =
        [
            ("leading-zero", "01"), ("leading-zero-negative", "-01"), ("zero-zero", "00"), ("plus", "+1"),
            ("no-integer", ".5"), ("no-fraction", "1."), ("no-exponent", "1e"), ("exponent-sign-only", "1e+"),
            ("fraction-exponent", "1.e5"), ("hexadecimal", "0x10"), ("minus", "-"), ("double-minus", "--1"),
            ("nan", "NaN"), ("infinity", "Infinity"), ("minus-infinity", "-Infinity"),
            ("underscore", "1_000"), ("suffix", "1f"), ("two-points", "1.2.3"), ("decimal-comma", "1,5"),
            ("full-width", "１"), ("upper-true", "True"), ("short-null", "nul"), ("long-null", "nulll"),
            ("undefined", "undefined"), ("bare-text", "text"), ("single-quoted", "'text'"),
        ].map { JSONFlaw("value-\($0.0)", $0.1, "A value is written \($0.1).") }

    private static let strings: [JSONFlaw] = [
        JSONFlaw("string-unterminated-escape", #""\""#, "A string whose end is escaped."),
        JSONFlaw("string-escape-x", #""\x41""#, "An escape that JSON does not have."),
        JSONFlaw("string-escape-quote", #""\'""#, "An escaped single quote."),
        JSONFlaw("string-escape-zero", #""\0""#, "An octal escape."),
        JSONFlaw("string-escape-short", #""\u12""#, "An escape of two digits."),
        JSONFlaw("string-escape-not-hex", #""\u12G4""#, "An escape with a letter beyond F."),
        JSONFlaw("string-escape-braces", #""\u{41}""#, "An escape in braces."),
        JSONFlaw("string-escape-upper", #""\U0041""#, "An escape with a capital U."),
        JSONFlaw("string-high-surrogate", #""\uD800""#, "A high surrogate alone."),
        JSONFlaw("string-low-surrogate", #""\uDC00""#, "A low surrogate alone."),
        JSONFlaw("string-two-high-surrogates", #""\uD800\uD800""#, "Two high surrogates."),
        JSONFlaw("string-swapped-surrogates", #""\uDC00\uD800""#, "A pair the wrong way round."),
        JSONFlaw("string-surrogate-and-letter", #""\uD83Cx""#, "A high surrogate before a letter."),
        JSONFlaw(
            "string-surrogate-and-escape", #""\uD83C\u0041""#, "A high surrogate before a letter's escape."),
        JSONFlaw("string-surrogate-and-newline", #""\uD83C\n""#, "A high surrogate before a short escape."),
        JSONFlaw("name-surrogate", #"{"\uD800":1}"#, "A lone surrogate in a name."),
        JSONFlaw("string-line-feed", "\"a\nb\"", "A line feed in a string."),
        JSONFlaw("string-tab", "\"a\tb\"", "A tab in a string."),
        JSONFlaw("string-nul", "\"a\0b\"", "A NUL in a string."),
        JSONFlaw("string-control", "\"a\u{1F}b\"", "The last control character in a string."),
        JSONFlaw("name-control", "{\"a\u{01}\":1}", "A control character in a name."),
    ]

    private static let utf8: [JSONFlaw] =
        [
            ("continuation", [0x80]), ("two-continuations", [0xBF, 0xBF]), ("overlong-2", [0xC0, 0x80]),
            ("overlong-slash", [0xC0, 0xAF]), ("overlong-3", [0xE0, 0x80, 0xAF]),
            ("overlong-4", [0xF0, 0x80, 0x80, 0xAF]), ("surrogate", [0xED, 0xA0, 0x80]),
            ("surrogate-pair", [0xED, 0xA0, 0xBC, 0xED, 0xBC, 0xB1]), ("beyond", [0xF4, 0x90, 0x80, 0x80]),
            ("five-bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]), ("fe", [0xFE]), ("ff", [0xFF]),
            ("truncated-2", [0xC3]), ("truncated-3", [0xE2, 0x82]), ("truncated-4", [0xF0, 0x9F, 0x8C]),
            ("latin-1", [0x47, 0xE4, 0x72]),
        ].map { name, bytes in
            let hex = bytes.map { String($0, radix: 16, uppercase: true) }.joined(separator: " ")
            return JSONFlaw(
                "utf8-\(name)", bytes: [0x22] + bytes.map { UInt8($0) } + [0x22],
                "A string of the bytes \(hex), which are not UTF-8.")
        }

    private static let containers: [JSONFlaw] = [
        JSONFlaw("array-trailing-comma", "[1,]", "A comma before the closing bracket."),
        JSONFlaw("array-no-comma", "[1 2]", "No comma between two elements."),
        JSONFlaw("array-open", "[1", "An array without an end."),
        JSONFlaw("array-wrong-end", "[1}", "An array ended by a brace."),
        JSONFlaw("object-open", "{\"a\":1", "An object without an end."),
        JSONFlaw("object-name-only", "{\"a\"}", "A name without a value."),
        JSONFlaw("object-trailing-comma", "{\"a\":1,}", "A comma before the closing brace."),
    ]
}
