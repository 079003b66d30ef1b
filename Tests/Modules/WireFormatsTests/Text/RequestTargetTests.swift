import RepositoryFiles
import Testing
import WireFormats

/// Paths and queries of requests, as every server here reads them.
@Suite struct RequestTargetTests {
    private func parameters(_ template: String, _ path: String) -> [String: String]? {
        PathTemplate(template).parameters(of: PathTemplate.segments(of: path))
    }

    @Test func `a segment in braces stands for any text that is not empty`() {
        #expect(
            parameters("/v1/customers/{name}/timeline", "/v1/customers/a%2Fb/timeline") == ["name": "a/b"])
        #expect(parameters("/{a}/{b}", "/1/+") == ["a": "1", "b": "+"])
        #expect(parameters("/v1/verify", "/v1/verify") == [:])
        for path in [
            "/v1/customers//timeline", "/v1/customers/a/timeline/", "/v1/customers/a",
            "v1/customers/a/timeline",
            "/v1/Customers/a/timeline", "/v1/%63ustomers/a/timeline", "/v1/customers/a/b/timeline", "",
        ] {
            #expect(parameters("/v1/customers/{name}/timeline", path) == nil, "\(path)")
        }
        #expect(PathTemplate("/a/{b}").hasParameters && !PathTemplate("/a/b").hasParameters)
    }

    @Test func `a target is a path and a query`() {
        let target = RequestTarget("/a%20b?x=1&y&=z&x=a+b%3D&&q=1=2?")
        #expect(target.path == "/a%20b")
        #expect(target.items.map(\.name) == ["x", "y", "", "x", "q"])
        #expect(target.items.map(\.value) == ["1", "", "z", "a b=", "1=2?"])
        for (text, path) in [
            ("/a", "/a"), ("/a?", "/a"), ("?x", ""), ("http://a/b?c", "http://a/b"), ("*", "*"),
        ] {
            #expect(RequestTarget(text).path == path)
        }
        #expect(RequestTarget("/a").items.isEmpty && RequestTarget("/a?").items.isEmpty)
    }

    @Test func `the shared cases are decoded, or stay as they were sent`() throws {
        for text in try DoorCases().percentEncoding {
            let item = try #require(RequestTarget("/?x=\(text.text)").items.first)
            #expect(item.value == text.query, "\(text.text)")
            #expect(item.valueOrSent == text.query ?? text.text)
            #expect(parameters("/{x}", "/\(text.text)")?["x"] == text.path, "\(text.text)")
        }
    }
}
