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
    /// Linear in the bytes of an indefinite length, unless its end is known; otherwise constant.
    ///
    /// - Parameters:
    ///   - start: the offset.
    ///   - limit: the end of the element around it.
    ///   - allowsIndefiniteLength: whether a constructed element may have an indefinite length.
    ///   - ends: the ends of indefinite lengths in these bytes that are known.
    @inline(__always)
    package init(
        _ bytes: Span<UInt8>, at start: Int, limit: Int, allowsIndefiniteLength: Bool = false,
        ends: IndefiniteEnds? = nil
    ) throws(DERError) {
        // Most lengths in a receipt are short.
        if limit - start >= 2, bytes[start + 1] < 0x80, bytes[start] & 0x1f != 0x1f {
            let contents = start + 2..<start + 2 + Int(bytes[start + 1])
            guard contents.upperBound <= limit else { throw DERError(.truncated, at: start) }
            (tag, self.contents, end) = (bytes[start], contents, contents.upperBound)
        } else {
            self = try Self.long(bytes, at: start, limit: limit, allowsIndefiniteLength, ends, depth: 1)
        }
    }

    private init(tag: UInt8, contents: Range<Int>, end: Int) {
        (self.tag, self.contents, self.end) = (tag, contents, end)
    }

    private static func long(
        _ bytes: Span<UInt8>, at start: Int, limit: Int, _ allowsIndefiniteLength: Bool,
        _ ends: IndefiniteEnds?, depth: Int
    ) throws(DERError) -> BERElement {
        guard limit - start >= 2 else { throw DERError(.truncated, at: start) }
        let tag = bytes[start]
        guard tag & 0x1f != 0x1f else { throw DERError(.unsupportedTag(tag), at: start) }
        // X.690, section 8.1.3.2: only a constructed element can have an indefinite length.
        if allowsIndefiniteLength, bytes[start + 1] == 0x80, tag & 0x20 != 0 {
            let end: Int
            if let known = ends?.end(of: start) {
                end = known
            } else {
                let entry = ends?.begin(start)
                end = try endOfContents(bytes, from: start + 2, limit: limit, ends, depth: depth)
                if let entry { ends?.finish(entry, end: end) }
            }
            return BERElement(tag: tag, contents: start + 2..<end, end: end + 2)
        }
        let (content, end) = try StrictDER.contentRange(bytes, at: start, limit: limit)
        return BERElement(tag: tag, contents: content..<end, end: end)
    }

    /// X.690, section 8.1.5: two zero bytes at the position of an element.
    private static func endOfContents(
        _ bytes: Span<UInt8>, from start: Int, limit: Int, _ ends: IndefiniteEnds?, depth: Int
    ) throws(DERError) -> Int {
        guard depth < maximumDepth else { throw DERError(.nestingTooDeep, at: start) }
        var position = start
        while limit - position >= 2 {
            let (tag, length) = (bytes[position], bytes[position + 1])
            if tag == 0, length == 0 { return position }
            // A hostile receipt can have a hundred thousand short primitive elements.
            if length < 0x80, tag & 0x1f != 0x1f, limit - position - 2 >= Int(length) {
                position += 2 + Int(length)
                continue
            }
            position = try long(bytes, at: position, limit: limit, true, ends, depth: depth + 1).end
        }
        throw DERError(.truncated, at: position)
    }
}

/// Where indefinite lengths end that were looked through before.
///
/// The end of an element is found by going through all that is inside it. A reader that then goes inside would find
/// each inner end anew: six times for a receipt. It is for one reader of some bytes.
package final class IndefiniteEnds {
    /// The first ones are kept: a receipt's outer elements begin before all others.
    private static let limit = 16

    private var entries: [(start: Int, end: Int?)] = []

    package init() {}

    fileprivate func end(of start: Int) -> Int? {
        for entry in entries where entry.start == start { return entry.end }
        return nil
    }

    /// Makes room for the end of an element, before those inside it take it.
    fileprivate func begin(_ start: Int) -> Int? {
        guard entries.count < Self.limit else { return nil }
        entries.append((start, nil))
        return entries.count - 1
    }

    fileprivate func finish(_ entry: Int, end: Int) { entries[entry].end = end }
}
