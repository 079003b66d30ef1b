extension StrictDER {
    /// Whether an extension's value in DER has a CRL distribution point that is named relative to its issuer
    /// (RFC 5280, section 4.2.1.13). The name has the tag `[1]`, in `[0]`, in a `SEQUENCE`, in the outermost one.
    package static func hasRelativeDistributionPoint(_ element: [UInt8]) -> Bool {
        let bytes = element.span
        var found = false
        forEachElement(bytes, in: 0..<bytes.count) { _, list in
            forEachElement(bytes, in: list) { _, point in
                forEachElement(bytes, in: point) { tag, name in
                    // In strict DER, the tag of a point's name is always constructed.
                    guard tag == 0xa0 else { return }
                    forEachElement(bytes, in: name) { tag, _ in if tag == 0xa1 { found = true } }
                }
            }
        }
        return found
    }

    /// Calls a closure with the tag and the content range of each element in a range.
    private static func forEachElement(
        _ bytes: Span<UInt8>, in range: Range<Int>, _ body: (UInt8, Range<Int>) -> Void
    ) {
        var position = range.lowerBound
        while position + 2 <= range.upperBound,
            let (content, end) = try? contentRange(bytes, at: position, limit: range.upperBound)
        {
            body(bytes[position], content..<end)
            position = end
        }
    }
}
