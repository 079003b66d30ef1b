import StoreKitTestSession
import TestServerAPI
import Testing

/// The path and the query of a request line. Percent-encoding is in the shared table of cases (`DoorCaseTests`).
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
        for target in ["", "/", "/?", "?"] {
            #expect(ServerAPIRequest("GET", target: target).query.isEmpty, "\(target)")
        }
    }
}
