import CompactJWS
import Minting
import Testing
import WireFormats

/// Splitting tokens and reading headers (RFC 7515).
@Suite struct CompactJWSTests {
    @Test func `a token is three ranges and two decoded segments`() throws {
        let token = Array("aGVhZGVy.cGF5bG9hZA.c2ln".utf8)
        let jws = try CompactJWS(token.span)
        #expect(jws.header == 0..<8)
        #expect(jws.payload == 9..<19)
        #expect(jws.signature == 20..<24)
        #expect(jws.signingInput == 0..<19)
        #expect(jws.payloadBytes == Array("payload".utf8))
        #expect(jws.signatureBytes == Array("sig".utf8))
    }

    @Test func `segments may be empty, which is for later checks to judge`() throws {
        let jws = try CompactJWS(Array("..".utf8).span)
        #expect(jws.payloadBytes.isEmpty)
        #expect(jws.signatureBytes.isEmpty)
    }

    @Test(
        "any other number of segments than three is refused",
        arguments: [("", 1), ("abcd", 1), ("abcd.abcd", 2), ("a.b.c.d", 4), ("....", 5)])
    func refusesSegmentCounts(text: String, count: Int) throws {
        #expect(throws: CompactJWSError.segmentCount(count)) { try CompactJWS(Array(text.utf8).span) }
    }

    @Test func `the segment that is not base64url is named, with its place`() throws {
        #expect(
            throws: CompactJWSError.base64url(.payload, .invalidCharacter(0x20, offset: 1), segmentOffset: 5)
        ) { try CompactJWS(Array("abcd.a cd.abcd".utf8).span) }
        #expect(throws: CompactJWSError.base64url(.signature, .invalidLength(1), segmentOffset: 10)) {
            try CompactJWS(Array("abcd.abcd.a".utf8).span)
        }
        let jws = try CompactJWS(Array("ab=d.abcd.abcd".utf8).span)
        #expect(
            throws: CompactJWSError.base64url(.header, .invalidCharacter(0x3d, offset: 2), segmentOffset: 0)
        ) {
            try jws.readHeader(of: Array("ab=d.abcd.abcd".utf8).span)
        }
    }

    @Test func `a header is read in any order of members, with escapes, unknown ones and white space`() throws
    {
        let header = try JOSEHeader(
            Array(
                #" { "x5c" : [ "AQ==" , "\u0041g==", "A\/8=" ] , "kid":"k", "typ":"JWT", "alg":"\u0045S256" } "#
                    .utf8))
        guard case .chain(let leaf, let intermediate, let root) = header.x5c else {
            return #expect(Bool(false), "three certificates")
        }
        #expect(leaf == .der([1]))
        #expect(intermediate == .der([2]))
        #expect(root == .der([3, 255]))
    }

    @Test func `a certificate longer than the limit is counted and not kept, unless its base64 is wrong`()
        throws
    {
        func header(_ certificate: String) throws(CompactJWSError) -> JOSEHeader {
            try JOSEHeader(Array(#"{"alg":"ES256","x5c":["\#(certificate)","",""]}"#.utf8))
        }
        // Four characters are three bytes; 16,384 bytes leave one byte to the last four.
        let longest = String(repeating: "AAAA", count: 5_461)
        for (text, count) in [
            (longest + "AA==", 16_384), (longest + "AAA=", 16_385), (longest + "AAAA", 16_386),
        ] {
            guard case .chain(let leaf, _, _) = try header(text).x5c else {
                return #expect(Bool(false), "three certificates")
            }
            let bytes = [UInt8](repeating: 0, count: count)
            #expect(leaf == (count > 16_384 ? .oversized(bytes: count) : .der(bytes)))
        }
        for text in [longest + "AAA-", longest + "AAB=", longest + "AAA", longest + "A===", longest + "="] {
            let error = #expect(throws: CompactJWSError.self) { try header(text) }
            #expect(error?.detail == "x5cBase64")
        }
    }

    /// The fine code of the error about a header; `nil` if the header is accepted.
    private static func detail(_ json: String) -> String? {
        do throws(CompactJWSError) {
            _ = try JOSEHeader(Array(json.utf8))
            return nil
        } catch {
            return error.detail
        }
    }

    @Test func `a header has no name twice, however many names it has`() {
        for (open, close) in [("", ""), ("\"deep\":{", "}")] {
            for (count, detail) in [
                (5_000, nil), (100_000, "headerSize"), (100_001, "duplicateHeaderName"),
            ] {
                let members = (0..<count).map { #""\#($0 % 100_000)":0"# }.joined(separator: ",")
                let json = #"{"alg":"ES256","x5c":["","",""],\#(open)\#(members)\#(close)}"#
                #expect(Self.detail(json) == detail)
            }
        }
    }

    @Test func `a header has 65,536 bytes besides x5c at most, and x5c does not count`() {
        let chain = #"["\#(String(repeating: "AAAA", count: 20_000))","",""]"#
        let (start, end) = (#"{"alg":"ES256","x5c":\#(chain),"kid":""#, #""}"#)
        let others = start.utf8.count + end.utf8.count - chain.utf8.count
        for (bytes, detail) in [(65_536, nil), (65_537, "headerSize")] {
            #expect(Self.detail(start + String(repeating: "k", count: bytes - others) + end) == detail)
        }
    }

    @Test(
        "a header that breaks a rule is refused for that rule",
        arguments: [
            (#"{"alg":"ES384","x5c":["","",""]}"#, .algorithm(found: "\"ES384\"")),
            (#"{"alg":"none","x5c":["","",""]}"#, .algorithm(found: "\"none\"")),
            (#"{"alg":"es256","x5c":["","",""]}"#, .algorithm(found: "\"es256\"")),
            (#"{"x5c":["","",""]}"#, .algorithm(found: nil)),
            (#"{"alg":["ES256"],"x5c":["","",""]}"#, .algorithm(found: "an array")),
            (#"{"alg":null,"x5c":["","",""]}"#, .algorithm(found: "null")),
            (#"{"alg":"ES256","crit":["b64"],"b64":false,"x5c":["","",""]}"#, .criticalHeader),
            (#"{"alg":"ES256","crit":null,"x5c":["","",""]}"#, .criticalHeader),
            (#"{"alg":"ES256"}"#, .missingX5C),
            (#"{"alg":"ES256","x5c":null}"#, .x5cNotArray(found: "null")),
            (#"{"alg":"ES256","x5c":"AQ=="}"#, .x5cNotArray(found: "a string")),
            (#"{"alg":"ES256","x5c":[]}"#, .x5cCount(0)),
            (#"{"alg":"ES256","x5c":["",""]}"#, .x5cCount(2)),
            (#"{"alg":"ES256","x5c":["","","",""]}"#, .x5cCount(4)),
            (#"{"alg":"ES256","x5c":["","",3]}"#, .x5cElementNotString(index: 2, found: "a number")),
            (#"{"alg":"ES256","x5c":["AQ","",""]}"#, .x5cBase64(index: 0, .invalidLength(2))),
            (
                #"{"alg":"ES256","x5c":["","A_==",""]}"#,
                .x5cBase64(index: 1, .invalidCharacter(0x5f, offset: 1))
            ),
        ] as [(String, CompactJWSError)])
    func refusesHeaders(json: String, expected: CompactJWSError) throws {
        #expect(throws: expected) { try JOSEHeader(Array(json.utf8)) }
    }

    @Test(
        "a header that is not one JSON object with unique names is refused",
        arguments: [
            "", "[]", "null", #"{"alg":"ES256","alg":"ES256","x5c":["","",""]}"#,
            #"{"alg":"ES256","x5c":["","",""],"jwk":{"a":1,"a":1}}"#, #"{"alg":"ES256","x5c":["","",""]} x"#,
            "\u{feff}{\"alg\":\"ES256\"}",
        ])
    func refusesHeaderJSON(json: String) throws {
        let error = #expect(throws: CompactJWSError.self) { try JOSEHeader(Array(json.utf8)) }
        guard case .headerJSON? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func `every error has a detail and a sentence, and no two rules share a detail by accident`() {
        let errors: [CompactJWSError] = [
            .segmentCount(2), .base64url(.header, .invalidLength(1), segmentOffset: 0),
            .headerJSON(JSONError(.invalidNumber, at: 1)), .headerJSON(JSONError(.duplicateName("a"), at: 1)),
            .algorithm(found: nil), .criticalHeader, .missingX5C, .x5cNotArray(found: "null"), .x5cCount(1),
            .x5cBase64(index: 0, .invalidPadding(offset: 0)),
        ]
        #expect(Set(errors.map(\.detail)).count == errors.count)
        for error in errors { #expect(error.description.count > 20) }
    }
}
