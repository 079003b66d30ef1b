/// Appends a string as JSON (RFC 8259, section 7).
package func appendJSON(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    let bytes = text.utf8Span.span
    // Tokens are nearly all that is written, and need no escape: one copy takes a tenth of the time.
    if ByteScanning.plainEnd(in: bytes, from: 0, to: bytes.count) == bytes.count,
        ByteScanning.firstIndex(of: 0x7f, in: bytes, from: 0) == nil
    {
        output.append(bytes)
    } else {
        for index in bytes.indices { appendJSONCharacter(bytes[index], to: &output) }
    }
    output.append(UInt8(ascii: "\""))
}

/// Appends a string of a JSON text as `appendJSON(_:to:)` would append its value, without allocating that.
package func appendJSON(_ string: JSONString, in text: Span<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    let written = text.extracting(string.range)
    // Of the characters that a JSON string may have as they are, only this one is escaped here.
    if !string.hasEscapes, ByteScanning.firstIndex(of: 0x7f, in: written, from: 0) == nil {
        output.append(written)
    } else {
        _ = string.forEachByte(in: text) { byte in
            appendJSONCharacter(byte, to: &output)
            return true
        }
    }
    output.append(UInt8(ascii: "\""))
}

/// Appends a message as JSON. Hidden characters that it quotes from the input are escaped. A reader of the
/// JSON gets the same text.
package func appendJSON(message text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
        if HiddenCharacters.isHidden(scalar) {
            HiddenCharacters.appendEscape(of: scalar, to: &output)
        } else if scalar.isASCII {
            appendJSONCharacter(UInt8(scalar.value), to: &output)
        } else {
            HiddenCharacters.append(scalar, to: &output)
        }
    }
    output.append(UInt8(ascii: "\""))
}

/// Appends a byte of UTF-8, escaped if a JSON string requires it.
@inline(__always)
package func appendJSONCharacter(_ byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
    case 0..<0x20, 0x7f:
        output.append(contentsOf: ("\\u00" + hexadecimal([byte])).utf8)
    default: output.append(byte)
    }
}

/// Appends a number in decimal, without allocating a string.
package func appendDecimal(_ number: Int, to output: inout [UInt8]) {
    // The digits of 2⁶⁴, and a sign.
    var digits = InlineArray<21, UInt8>(repeating: 0)
    var start = digits.count
    var rest = number.magnitude
    repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
    } while rest > 0
    if number < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
    }
    for index in start..<digits.count { output.append(digits[index]) }
}

extension Span<UInt8> {
    /// Whether a text has no line breaks.
    package var isOnOneLine: Bool {
        ByteScanning.firstIndex(of: UInt8(ascii: "\n"), in: self, from: 0) == nil
            && ByteScanning.firstIndex(of: UInt8(ascii: "\r"), in: self, from: 0) == nil
    }
}

/// Appends a JSON text that was checked, without its line breaks. In strict JSON they stand only between tokens and
/// mean nothing (RFC 8259, section 2). All other bytes stay as they were signed.
package func appendJSON(onOneLine json: Span<UInt8>, to output: inout [UInt8]) {
    if json.isOnOneLine { return output.append(json) }
    for index in json.indices where json[index] != UInt8(ascii: "\n") && json[index] != UInt8(ascii: "\r") {
        output.append(json[index])
    }
}
