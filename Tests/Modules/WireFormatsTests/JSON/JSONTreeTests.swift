import Testing
import WireFormats

/// The reader of configurations.
@Suite struct JSONTreeTests {
    private func tree(_ text: String) throws(JSONError) -> JSONTree { try JSONTree(Array(text.utf8).span) }

    private func members(_ text: String) throws(JSONError) -> [JSONTree.Member] {
        try JSONTree.members(of: Array(text.utf8).span)
    }

    @Test func `members keep their order, and numbers their digits`() throws {
        let tree = try tree(#" {"b":[1.50,"\u0041",true,null],"a":{"c":-1e400}} "#)
        #expect(tree.members?.map(\.name) == ["b", "a"])
        #expect(tree["b"] == .array([.number("1.50"), .string("A"), .bool(true), .null]))
        #expect(tree["a"]?["c"] == .number("-1e400"))
        #expect(tree["c"] == nil)
    }

    @Test func `a name may stand in two objects, but not twice in one`() throws {
        #expect(try tree(#"{"a":{"a":1},"b":[{"a":1},{"a":1}]}"#).members?.count == 2)
        for text in [#"{"a":1,"a":2}"#, #"[{"b":{}},{"a":1,"\u0061":2}]"#, #"{"x":{"a":{"a":1},"a":2}}"#] {
            let error = #expect(throws: JSONError.self) { try tree(text) }
            #expect(error?.problem == .duplicateName("a"), "\(text)")
        }
        #expect(throws: JSONError(.duplicateName("a"), at: 7)) { try tree(#"{"a":1,"a":2}"#) }
        #expect(throws: JSONError(.duplicateName("a"), at: 7)) { try members(#"{"a":1,"a":2}"#) }
    }

    @Test func `a text that is more or less than one document is refused`() {
        #expect(throws: JSONError(.unexpectedEnd(expected: .value), at: 1)) { try tree(" ") }
        #expect(throws: JSONError(.trailingData, at: 3)) { try tree("{} {}") }
        #expect(throws: JSONError.self) { try tree("\u{feff}{}") }
    }

    @Test func `members are of one object`() throws {
        #expect(try members(#"{"a":1}"#).map(\.name) == ["a"])
        #expect(throws: JSONError(.unexpectedByte(UInt8(ascii: "["), expected: .object), at: 1)) {
            try members(" [1]")
        }
    }
}
