import StoreKitTestSession
import TestServerAPI
import Testing

/// The path and the query of a request line.
@Suite struct RequestTargetTests {
    private typealias Field = ServerAPIRequest.Field

    @Test func `a query is decoded, in its order, and a path is not`() {
        let request = ServerAPIRequest("GET", target: "/a%20b/c?x=1&y=a%2Bb+c&x=&z&=v&e=a=b&&u=%C3%A9")
        #expect(request.path == "/a%20b/c")
        let expected: [Field] = [
            .init("x", "1"), .init("y", "a+b c"), .init("x", ""), .init("z", ""), .init("", "v"),
            .init("e", "a=b"), .init("u", "é"),
        ]
        #expect(request.query == expected)
    }

    @Test func `broken percent-encoding stays as it is`() {
        let query = ServerAPIRequest("GET", target: "/?a=%&b=%2&c=%+1&d=%zz&e=%ff").query
        #expect(query.map(\.value) == ["%", "%2", "%+1", "%zz", "%ff"])
    }

    @Test(arguments: ["", "/", "/?", "?"])
    func `a target without a query has no items`(target: String) {
        #expect(ServerAPIRequest("GET", target: target).query.isEmpty)
    }
}
