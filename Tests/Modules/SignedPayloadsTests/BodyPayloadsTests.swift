import SignedPayloads
import Testing
import WireFormats

/// Checks which payloads a body has, and where they stood.
@Suite struct BodyPayloadsTests {
    private static let limits = LineLimits(maximumTokenBytes: 1_000)

    /// Each payload as `line:member text`.
    private func payloads(_ body: String, atMost maximum: Int = 10) throws(BodyPayloads.Failure) -> [String] {
        let payloads = try BodyPayloads(Array(body.utf8), Self.limits, atMost: maximum)
        return zip(payloads.lines, payloads.places).map { line, place in
            let text = String(decoding: payloads.buffer[line.place], as: UTF8.self)
            return "\(place.line):\(place.member ?? "-") \(text)"
        }
    }

    @Test(arguments: [
        ("eyJ.a.b", ["1:- eyJ.a.b"]), ("eyJ.a.b\r\n", ["1:- eyJ.a.b"]),
        ("eyJ.a.b\n\neyJ.c.d\nhello", ["1:- eyJ.a.b", "3:- eyJ.c.d", "4:- hello"]),
        (" eyJ.a.b", ["1:-  eyJ.a.b"]), ("\"eyJ.a.b\"", ["1:- eyJ.a.b"]),
        (#"{"signedTransactionInfo":"eyJ.a.b"}"#, ["1:signedTransactionInfo eyJ.a.b"]),
        ("\n [\"eyJ.a.b\",\n\"eyJ.c.d\"]", ["2:[0] eyJ.a.b", "3:[1] eyJ.c.d"]),
        (
            "{\"x\":{\"signedTransactions\":[\"eyJ.a.b\",7]}}",
            ["1:x.signedTransactions[0] eyJ.a.b", "1:x.signedTransactions[1] 7"]
        ),
        ("{\"a\":\"eyJ.a.b\"}\n{\"a\":\"eyJ.c.d\"}", ["1:a eyJ.a.b", "2:a eyJ.c.d"]),
        ("{}", ["1:- {}"]), (#"{"signedTransactions":[],"hasMore":false}"#, []),
        // One damaged line among objects.
        ("{\"a\":1}\n{\"a\":\nx", ["1:- {\"a\":1}", "2:- {\"a\":", "3:- x"]),
        ("MIIabc\nMIIdef", ["1:- MIIabc\nMIIdef"]),
    ])
    func `a body has these payloads`(body: String, expected: [String]) throws {
        #expect(try payloads(body) == expected)
    }

    @Test(arguments: ["", "\n", "\r\n\r\n"])
    func `a body of line breaks is empty`(body: String) {
        #expect(throws: BodyPayloads.Failure.empty) { () throws(BodyPayloads.Failure) in try payloads(body) }
    }

    @Test(arguments: ["{", "[\"eyJ.a.b\"", "{\"a\":1}x", "[1]\n[", "\"eyJ.a.b"])
    func `what begins like JSON, and is none, is an error`(body: String) {
        let error = #expect(throws: BodyPayloads.Failure.self) { () throws(BodyPayloads.Failure) in
            try payloads(body)
        }
        guard case .notJSON? = error else {
            Issue.record("\(body): \(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["a\nb\nc", #"["eyJ.a.b","eyJ.a.b","eyJ.a.b"]"#])
    func `more payloads than are taken are an error`(body: String) throws {
        #expect(throws: BodyPayloads.Failure.tooMany) { () throws(BodyPayloads.Failure) in
            try payloads(body, atMost: 2)
        }
        #expect(try payloads(body, atMost: 3).count == 3)
    }

    @Test func `a payload that is too long has a verdict`() throws {
        let long = String(repeating: "a", count: 1_001)
        let payloads = try BodyPayloads(Array("eyJ.a.b\n\(long)".utf8), Self.limits, atMost: 10)
        guard case .oversized(bytes: 1_001, limit: 1_000)? = payloads.lines.last else {
            Issue.record("\(payloads.lines)")
            return
        }
    }
}
