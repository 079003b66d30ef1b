import StoreKitVerify
import Testing

/// Checks how programs list customers, and a person's search.
@Suite struct CustomerNamesTests {
    private static let token = "3f1f36cd-2a8b-4b83-a5a4-1d3c0ab2bb8c"

    @Test(arguments: [
        (#"["3f1f36cd-2a8b-4b83-a5a4-1d3c0ab2bb8c"]"#, ["3f1f36cd-2a8b-4b83-a5a4-1d3c0ab2bb8c"]),
        (
            "\n[\"original-transaction:7\",\n[\"app-transaction:8\",\"original-transaction:9\"]]",
            ["original-transaction:7", "app-transaction:8 original-transaction:9"]
        ),
        (
            "original-transaction:7\r\n\n\"app-transaction:8\"",
            ["original-transaction:7", "app-transaction:8"]
        ),
    ])
    func `a list has these customers`(body: String, expected: [String]) throws {
        let customers = try CustomerNames(Array(body.utf8), atMost: 2).customers
        #expect(customers.map { $0.map(\.description).joined(separator: " ") } == expected)
    }

    @Test(arguments: [
        ("", CustomerNames.Failure.empty), ("\n\n", .empty), ("[]", .empty), ("[[]]", .noName(place: 1)),
        ("[1]", .noName(place: 1)), ("{}", .noName(place: 1)), ("x", .noName(place: 1)),
        ("original-transaction:7\n7", .noName(place: 2)),
        (#"["original-transaction:7",["x"]]"#, .noName(place: 2)),
        ("original-transaction:1\noriginal-transaction:2\noriginal-transaction:3", .tooMany),
        (#"[["original-transaction:1","original-transaction:2","original-transaction:3"]]"#, .tooMany),
    ])
    func `a list that is refused`(body: String, failure: CustomerNames.Failure) {
        #expect(throws: failure) { () throws(CustomerNames.Failure) in
            try CustomerNames(Array(body.utf8), atMost: 2)
        }
    }

    @Test func `an array that is cut off is no list of lines`() {
        let error = #expect(throws: CustomerNames.Failure.self) { () throws(CustomerNames.Failure) in
            try CustomerNames(Array("[\"original-transaction:1\"".utf8), atMost: 2)
        }
        guard case .notJSON? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        (" 2000000900000001\n", SearchTerm.identifier("2000000900000001")), ("007", .identifier("007")),
        ("MK1A2B3C4D", .order("MK1A2B3C4D")), ("W123456789", .order("W123456789")),
        ("mk1a2b3c4d", .product("mk1a2b3c4d")), ("M1", .product("M1")),
        ("com.example.plus", .product("com.example.plus")),
        ("app-transaction:7", .name(.appTransactionID("7"))),
        ("original-transaction:7", .name(.originalTransactionID(7))),
        ("original-transaction:x", .product("original-transaction:x")),
    ])
    func `a text is looked for as this`(text: String, term: SearchTerm) { #expect(SearchTerm(text) == term) }

    @Test func `an account token is a name, in either case`() throws {
        let name = try #require(Customer.Name(Self.token))
        #expect(SearchTerm(Self.token.uppercased()) == .name(name))
    }

    @Test(arguments: ["", " \r\n\t", String(repeating: "x", count: 257)])
    func `nothing is looked for`(text: String) { #expect(SearchTerm(text) == nil) }

    @Test func `the widest name is the account token, and the order is always the same`() throws {
        let name = try #require(Customer.Name(Self.token))
        let names: [Customer.Name] = [.originalTransactionID(7), .appTransactionID("8"), name]
        #expect(names.widest == name && Array(names.dropLast()).widest == .appTransactionID("8"))
        #expect(names.ordered == names.reversed() && Set(names).ordered == names.reversed())
        #expect([Customer.Name]().widest == nil)
    }
}
