/// Decodes base64url (RFC 7515, section 2) into memory that is there already, as fast as a table allows.
///
/// It accepts what `Base64.decode` accepts, and says of anything else only that it is wrong; why, the other
/// says.
package struct Base64URLDecoder: Sendable {
    /// The six bits of a character, or 255 where it has none.
    private let values: InlineArray<256, UInt8>

    package init() {
        var values = InlineArray<256, UInt8>(repeating: 255)
        for (value, character) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
            .enumerated()
        {
            values[Int(character)] = UInt8(value)
        }
        self.values = values
    }

    /// How many bytes so many characters stand for; `nil` if no text has that many.
    @inline(__always)
    package static func byteCount(of characters: Int) -> Int? {
        characters & 3 == 1 ? nil : characters * 3 / 4
    }

    /// Decodes the text to the place in the output, which must have room for it.
    ///
    /// - Returns: whether the text is right.
    @inline(__always)
    package func decode(_ text: Span<UInt8>, into output: inout [UInt8], at start: Int) -> Bool {
        guard let count = Self.byteCount(of: text.count), start >= 0, output.count - start >= count else {
            return false
        }
        var target = start
        var wrong: UInt8 = 0
        let whole = text.count & ~3
        var index = 0
        while index < whole {
            let (a, b) = (values[Int(text[index])], values[Int(text[index &+ 1])])
            let (c, d) = (values[Int(text[index &+ 2])], values[Int(text[index &+ 3])])
            wrong |= a | b | c | d
            output[target] = a &<< 2 | b &>> 4
            output[target &+ 1] = b &<< 4 | c &>> 2
            output[target &+ 2] = c &<< 6 | d
            index &+= 4
            target &+= 3
        }
        // What a character has beyond the last byte must be zero: every byte string has one text.
        if text.count - whole >= 2 {
            let (a, b) = (values[Int(text[whole])], values[Int(text[whole + 1])])
            wrong |= a | b
            output[target] = a &<< 2 | b &>> 4
            if text.count - whole == 3 {
                let c = values[Int(text[whole + 2])]
                wrong |= c
                if c & 3 != 0 { return false }
                output[target + 1] = b &<< 4 | c &>> 2
            } else if b & 15 != 0 {
                return false
            }
        }
        return wrong < 64
    }
}
