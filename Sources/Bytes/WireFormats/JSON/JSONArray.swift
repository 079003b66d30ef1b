/// The elements of a JSON array that was checked before.
package enum JSONArray {
    /// The first elements of the array at `range`, at most `limit`, and the total number of elements.
    package static func elements(
        of text: Span<UInt8>, in range: Range<Int>, limit: Int
    ) throws(JSONError) -> (first: [JSONValue], count: Int) {
        var first: [JSONValue] = []
        var count = 0
        try forEach(of: text, in: range) { value in
            count += 1
            if count <= limit { first.append(value) }
        }
        return (first, count)
    }

    /// Gives each element of the array at `range` to a closure.
    @inline(__always)
    package static func forEach(
        of text: Span<UInt8>, in range: Range<Int>, _ body: (JSONValue) -> Void
    ) throws(JSONError) {
        var reader = JSONReader(range)
        _ = try reader.next(in: text)
        while let element = try reader.nextElement(in: text) { body(element) }
    }
}
