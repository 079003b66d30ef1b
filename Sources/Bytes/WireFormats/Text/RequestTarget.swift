/// The target of a request (RFC 9112, section 3.2): a path, and what follows the question mark.
///
/// The target may also be a whole URL, which fits no path.
package struct RequestTarget {
    /// A name and a value of a query.
    package struct Item {
        private let encodedName: Substring
        private let encodedValue: Substring

        fileprivate init(_ pair: Substring) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            (encodedName, encodedValue) = (sides[0], sides.count == 2 ? sides[1] : "")
        }

        /// The name; `nil` if it is not percent-encoded UTF-8. `+` is a space here, as in forms.
        package var name: String? { PercentEncoding.decoded(encodedName, isQuery: true) }

        /// The value; `nil` if it is not percent-encoded UTF-8. It is empty without an equals sign.
        package var value: String? { PercentEncoding.decoded(encodedValue, isQuery: true) }

        /// The name as it was sent, if it cannot be decoded. It fits no known name then.
        package var nameOrSent: String { name ?? String(encodedName) }

        /// The value as it was sent, if it cannot be decoded. It fits no known value then.
        package var valueOrSent: String { value ?? String(encodedValue) }
    }

    /// The path, still percent-encoded.
    package let path: Substring
    private let query: Substring

    package init(_ target: String) {
        if let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) {
            (path, query) = (target[..<mark], target[target.utf8.index(after: mark)...])
        } else {
            (path, query) = (target[...], "")
        }
    }

    /// The items of the query, in their order. They are decoded when they are asked for.
    package var items: [Item] { query.split(separator: "&").map(Item.init) }
}
