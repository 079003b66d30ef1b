/// Checks that bytes are exactly one element of the Distinguished Encoding Rules (X.690).
///
/// libcrypto accepts some BER in place of DER, so one certificate could have several encodings. This checks
/// only the encoding; libcrypto reads the meaning of the elements.
package enum StrictDER {
    /// The maximum nesting. A certificate's deepest element, an attribute's value, is at level 7.
    static let maximumDepth = 24

    private static let constructed: UInt8 = 0x20

    /// Tags that no type has, or only types whose values are always constructed (X.680, section 8.4). They
    /// are end of contents, EXTERNAL, EMBEDDED PDV, a reserved one, and CHARACTER STRING.
    private static let neverPrimitive: [UInt8] = [0x00, 0x08, 0x0b, 0x0f, 0x1d]

    /// Throws at the first element that is not DER.
    package static func check(_ bytes: [UInt8]) throws(DERError) {
        let span = bytes.span
        let end = try checkElement(span, at: 0, limit: span.count, depth: 1)
        guard end == span.count else { throw DERError(.trailingBytes(span.count - end), at: end) }
    }

    /// Throws at the first element of a certificate that is not DER. This includes rules that depend on a
    /// certificate's structure (RFC 5280, section 4.1):
    ///
    /// - The version, at the third level, is not the first one, which is the default (X.690, section 11.5).
    /// - The unique identifiers, at the same level, are bit strings under other tags.
    /// - Extensions and the parts of a name are not empty lists.
    /// - Signature and key, the only bit strings down to the fourth level, are whole bytes.
    package static func checkCertificate(_ bytes: [UInt8]) throws(DERError) {
        try check(bytes)
        let span = bytes.span
        try checkStructure(span, 0..<span.count, depth: 1)
    }

    private static func checkStructure(
        _ bytes: Span<UInt8>, _ elements: Range<Int>, depth: Int
    ) throws(DERError) {
        var position = elements.lowerBound
        while position < elements.upperBound {
            let tag = bytes[position]
            let (content, end) = try contentRange(bytes, at: position, limit: elements.upperBound)
            switch (depth, tag) {
            case (...4, 0x03) where bytes[content] != 0: throw DERError(.nonCanonicalValue(tag), at: position)
            case (3, 0xa0) where end - content == 3 && bytes[end - 1] == 0,
                (3, 0xa3) where end - content == 2, (4, 0x31) where content == end:
                throw DERError(.nonCanonicalValue(tag), at: position)
            case (3, 0xa1), (3, 0xa2): throw DERError(.constructedString(tag), at: position)
            case (3, 0x81), (3, 0x82):
                guard isCanonical(bytes, content..<end, tag: 0x03) else {
                    throw DERError(.nonCanonicalValue(tag), at: position)
                }
            default: break
            }
            if depth < 4, tag & constructed != 0 {
                try checkStructure(bytes, content..<end, depth: depth + 1)
            }
            position = end
        }
    }

    /// Whether a primitive bit string in DER is a named bit list: it ends in a one bit, or is empty (X.690,
    /// section 11.2.2).
    package static func isNamedBitList(_ element: [UInt8]) -> Bool {
        guard element.count >= 3, element[0] == 0x03 else { return false }
        guard element.count > 3, let last = element.last else { return element[2] == 0 }
        return last >> element[2] & 1 == 1
    }

    /// Checks one element, and returns the offset of its end.
    private static func checkElement(
        _ bytes: Span<UInt8>, at start: Int, limit: Int, depth: Int
    ) throws(DERError) -> Int {
        guard depth <= maximumDepth else { throw DERError(.nestingTooDeep, at: start) }
        guard limit - start >= 2 else { throw DERError(.truncated, at: start) }
        let tag = bytes[start]
        // Tag numbers above 30 take more bytes. No element of a certificate has one.
        guard tag & 0x1f != 0x1f else { throw DERError(.unsupportedTag(tag), at: start) }
        let (content, end) = try contentRange(bytes, at: start, limit: limit)
        let isUniversal = tag & 0xc0 == 0
        let isCollection = isUniversal && (tag & 0x1f == 0x10 || tag & 0x1f == 0x11)
        if tag & constructed != 0 {
            // X.690, section 10.2: strings are never in pieces.
            guard isCollection || !isUniversal else { throw DERError(.constructedString(tag), at: start) }
            try checkChildren(bytes, content..<end, isSet: isUniversal && tag & 0x1f == 0x11, depth: depth)
        } else if isUniversal {
            guard !isCollection, !neverPrimitive.contains(tag) else {
                throw DERError(.unsupportedTag(tag), at: start)
            }
            guard isCanonical(bytes, content..<end, tag: tag) else {
                throw DERError(.nonCanonicalValue(tag), at: start)
            }
        }
        return end
    }

    /// X.690, sections 8.1.3 and 10.1: a definite length in the fewest possible bytes.
    static func contentRange(
        _ bytes: Span<UInt8>, at start: Int, limit: Int
    ) throws(DERError) -> (content: Int, end: Int) {
        let first = bytes[start + 1]
        var length = Int(first)
        var content = start + 2
        if first >= 0x80 {
            let count = Int(first & 0x7f)
            guard count > 0 else { throw DERError(.indefiniteLength, at: start) }
            // Four length bytes can state more than any certificate that fits into memory.
            guard count <= 4, limit - content >= count else { throw DERError(.truncated, at: start) }
            length = 0
            for index in content..<(content + count) { length = length << 8 | Int(bytes[index]) }
            guard bytes[content] != 0, length >= 0x80 else { throw DERError(.nonMinimalLength, at: start) }
            content += count
        }
        guard limit - content >= length else { throw DERError(.truncated, at: start) }
        return (content, content + length)
    }

    /// X.690, section 11.6: the components of a SET OF are in ascending order.
    private static func checkChildren(
        _ bytes: Span<UInt8>, _ content: Range<Int>, isSet: Bool, depth: Int
    ) throws(DERError) {
        var position = content.lowerBound
        var previous: Range<Int>?
        while position < content.upperBound {
            let end = try checkElement(bytes, at: position, limit: content.upperBound, depth: depth + 1)
            if isSet, let previous, isAscending(bytes, position..<end, previous) {
                throw DERError(.unorderedSet, at: position)
            }
            previous = position..<end
            position = end
        }
    }

    /// Whether the first element sorts before the second.
    private static func isAscending(_ bytes: Span<UInt8>, _ first: Range<Int>, _ second: Range<Int>) -> Bool {
        for offset in 0..<min(first.count, second.count) {
            let (left, right) = (bytes[first.lowerBound + offset], bytes[second.lowerBound + offset])
            if left != right { return left < right }
        }
        return first.count < second.count
    }

    /// Whether a primitive value has DER's only form.
    private static func isCanonical(_ bytes: Span<UInt8>, _ content: Range<Int>, tag: UInt8) -> Bool {
        let (start, count) = (content.lowerBound, content.count)
        switch tag {
        case 0x01:
            // X.690, section 11.1. FALSE never occurs: it is the default of the booleans in a certificate
            // (critical, cA), and section 11.5 omits defaults.
            return count == 1 && bytes[start] == 0xff
        case 0x02:
            // X.690, section 8.3.2: the first nine bits of an integer are not all equal.
            guard count > 0 else { return false }
            guard count > 1 else { return true }
            let sign: UInt8 = bytes[start + 1] & 0x80 == 0 ? 0x00 : 0xff
            return bytes[start] != sign
        case 0x03:
            // X.690, sections 8.6.2 and 11.2.1: the number of unused bits is stated, and they are zero.
            guard count > 0, bytes[start] < 8, count > 1 || bytes[start] == 0 else { return false }
            return bytes[start] == 0 || bytes[content.upperBound - 1] & (1 << bytes[start] - 1) == 0
        case 0x05: return count == 0
        case 0x06: return isObjectIdentifier(bytes, content)
        case 0x17: return isTime(bytes, content, digits: 12)
        case 0x18: return isTime(bytes, content, digits: 14)
        default: return true
        }
    }

    /// X.690, section 8.19.2: each number is in base 128, without leading zeros; the last byte's top bit is
    /// clear.
    private static func isObjectIdentifier(_ bytes: Span<UInt8>, _ content: Range<Int>) -> Bool {
        guard content.count > 0, bytes[content.upperBound - 1] & 0x80 == 0 else { return false }
        var startsNumber = true
        for index in content {
            if startsNumber, bytes[index] == 0x80 { return false }
            startsNumber = bytes[index] & 0x80 == 0
        }
        return true
    }

    /// RFC 5280, sections 4.1.2.5.1 and 4.1.2.5.2: to the second, in UTC, without a fraction.
    private static func isTime(_ bytes: Span<UInt8>, _ content: Range<Int>, digits: Int) -> Bool {
        guard content.count == digits + 1, bytes[content.upperBound - 1] == UInt8(ascii: "Z") else {
            return false
        }
        for index in content.dropLast() where !(0x30...0x39).contains(bytes[index]) { return false }
        return true
    }
}
