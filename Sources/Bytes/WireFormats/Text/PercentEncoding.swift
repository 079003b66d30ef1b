/// Percent-encoding (RFC 3986, section 2.1), as paths and queries of every server here have it.
package enum PercentEncoding {
    /// The text without it, whose length bounds the time.
    ///
    /// - Parameters:
    ///   - text: a part of a path or a query, cut at its separators.
    ///   - isQuery: whether a plus sign means a space, as forms write it (WHATWG, *URL*, section 5.1).
    /// - Returns: `nil` if a percent sign is not followed by two hexadecimal digits, or the bytes are not UTF-8.
    package static func decoded(_ text: some StringProtocol, isQuery: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.popFirst() {
            if first == UInt8(ascii: "%") {
                guard let high = rest.popFirst(), let low = rest.popFirst(),
                    let value = byte(hexadecimal: high, low)
                else { return nil }
                bytes.append(value)
            } else {
                bytes.append(isQuery && first == UInt8(ascii: "+") ? UInt8(ascii: " ") : first)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    #if ServerAPI
        /// The text for a segment of a path, or for a name or a value of a query: all except the unreserved characters of
        /// RFC 3986, section 2.3, is encoded.
        package static func encoded(_ text: String) -> String {
            var output = ""
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"), UInt8(ascii: "~"):
                    output.unicodeScalars.append(Unicode.Scalar(byte))
                default: output += "%" + hexadecimal([byte]).uppercased()
                }
            }
            return output
        }
    #endif
}
