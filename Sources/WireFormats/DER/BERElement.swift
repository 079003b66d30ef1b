/// An element of ASN.1's basic encoding rules (X.690, section 8), located but not yet read.
///
/// Lengths have DER's shortest form. If allowed, a constructed element may also have an indefinite length.
/// The contents are examined only to find the end of an indefinite length.
package struct BERElement: Sendable {
    /// The identifier octet: class, constructed bit and tag number.
    package let tag: UInt8
    /// The contents, without the end-of-contents of an indefinite length.
    package let contents: Range<Int>
    /// The offset after the element.
    package let end: Int

    /// The maximum nesting inside indefinite lengths. Xcode's receipts have six such levels.
    package static let maximumDepth = 16

    /// Finds the element that begins at an offset.
    ///
    /// The time is constant for a definite length. For indefinite lengths it is linear in what they cover,
    /// for each of at most sixteen levels.
    ///
    /// - Parameters:
    ///   - start: the offset.
    ///   - limit: the end of the element around it.
    ///   - allowsIndefiniteLength: whether a constructed element may have an indefinite length.
    @inline(__always)
    package init(
        _ bytes: Span<UInt8>, at start: Int, limit: Int, allowsIndefiniteLength: Bool = false
    ) throws(DERError) {
        // Most lengths in a receipt are short.
        if limit - start >= 2, bytes[start + 1] < 0x80, bytes[start] & 0x1f != 0x1f {
            let contents = start + 2..<start + 2 + Int(bytes[start + 1])
            guard contents.upperBound <= limit else { throw DERError(.truncated, at: start) }
            (tag, self.contents, end) = (bytes[start], contents, contents.upperBound)
        } else {
            self = try Self.long(bytes, at: start, limit: limit, allowsIndefiniteLength, depth: 1)
        }
    }

    private init(tag: UInt8, contents: Range<Int>, end: Int) {
        (self.tag, self.contents, self.end) = (tag, contents, end)
    }

    private static func long(
        _ bytes: Span<UInt8>, at start: Int, limit: Int, _ allowsIndefiniteLength: Bool, depth: Int
    ) throws(DERError) -> BERElement {
        guard limit - start >= 2 else { throw DERError(.truncated, at: start) }
        let tag = bytes[start]
        guard tag & 0x1f != 0x1f else { throw DERError(.unsupportedTag(tag), at: start) }
        // X.690, section 8.1.3.2: only a constructed element can have an indefinite length.
        if allowsIndefiniteLength, bytes[start + 1] == 0x80, tag & 0x20 != 0 {
            let end = try endOfContents(bytes, from: start + 2, limit: limit, depth: depth)
            return BERElement(tag: tag, contents: start + 2..<end, end: end + 2)
        }
        let (content, end) = try StrictDER.contentRange(bytes, at: start, limit: limit)
        return BERElement(tag: tag, contents: content..<end, end: end)
    }

    /// X.690, section 8.1.5: two zero bytes at the position of an element.
    private static func endOfContents(
        _ bytes: Span<UInt8>, from start: Int, limit: Int, depth: Int
    ) throws(DERError) -> Int {
        guard depth < maximumDepth else { throw DERError(.nestingTooDeep, at: start) }
        var position = start
        while limit - position >= 2 {
            if bytes[position] == 0, bytes[position + 1] == 0 { return position }
            position = try long(bytes, at: position, limit: limit, true, depth: depth + 1).end
        }
        throw DERError(.truncated, at: position)
    }
}
