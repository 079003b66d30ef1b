/// Appends an object with the members of another one but those of some names, on one line. Hidden characters, which only
/// strings can hold, are escaped.
///
/// - Parameter isChecked: whether the text was read before, and is one object.
/// - Returns: whether there are other members of an object. Otherwise the output is as it was.
/// - Throws: `JSONError` if the text is not JSON. The output is then as it was.
package func appendJSON(
    membersOf text: Span<UInt8>, without names: MemberNames, isChecked: Bool, to output: inout [UInt8]
) throws(JSONError) -> Bool {
    let start = output.count
    do throws(JSONError) {
        var reader = JSONReader(0..<text.count)
        guard try reader.next(in: text) == .beginObject else { return false }
        while let name = try reader.nextName(in: text) {
            let isLeftOut = names.index(of: name, in: text) != nil
            // The members that are left out are tokens, by far the longest texts.
            if isChecked, isLeftOut, let end = plainStringEnd(in: text, from: reader.position) {
                reader.skipValue(endingAt: end)
                continue
            }
            let value = try reader.wholeValue(in: text, isChecked: isChecked) { _ in }
            if isLeftOut { continue }
            output.append(UInt8(ascii: ","))
            // Between name and value, white space can stand on either side of the colon.
            appendVisible(text.extracting(name.range.lowerBound - 1..<name.range.upperBound + 1), to: &output)
            output.append(UInt8(ascii: ":"))
            appendVisible(value, of: text, to: &output)
        }
        if !isChecked { while try reader.next(in: text) != nil {} }
    } catch {
        output.removeLast(output.count - start)
        throw error
    }
    guard output.count > start else { return false }
    output[start] = UInt8(ascii: "{")
    output.append(UInt8(ascii: "}"))
    return true
}

/// The end of a string without escapes that begins here, in a text that was checked before; `nil` for another value.
private func plainStringEnd(in text: Span<UInt8>, from start: Int) -> Int? {
    guard start < text.count, text[start] == UInt8(ascii: "\""),
        let end = ByteScanning.firstIndex(of: UInt8(ascii: "\""), in: text, from: start + 1),
        ByteScanning.firstIndex(of: UInt8(ascii: "\\"), in: text.extracting(start..<end), from: 0) == nil
    else { return nil }
    return end + 1
}

private func appendVisible(_ value: JSONValue, of text: Span<UInt8>, to output: inout [UInt8]) {
    switch value {
    case .string(let string):
        appendVisible(text.extracting(string.range.lowerBound - 1..<string.range.upperBound + 1), to: &output)
    case .object(let range), .array(let range): appendVisible(text.extracting(range), to: &output)
    case .number(let range): output.append(text.extracting(range))
    case .true: output.append("true".utf8Span.span)
    case .false: output.append("false".utf8Span.span)
    case .null: output.append("null".utf8Span.span)
    }
}

/// Appends a part of a JSON text on one line, with its hidden characters escaped.
private func appendVisible(_ json: Span<UInt8>, to output: inout [UInt8]) {
    let start = output.count
    appendJSON(onOneLine: json, to: &output)
    guard output[start...].contains(where: { $0 >= 0x7f }) else { return }
    let text = String(decoding: output[start...], as: UTF8.self)
    output.removeLast(output.count - start)
    for scalar in text.unicodeScalars {
        // A control character below is white space between tokens.
        if scalar.value >= 0x7f, HiddenCharacters.isHidden(scalar) {
            HiddenCharacters.appendEscape(of: scalar, to: &output)
        } else {
            HiddenCharacters.append(scalar, to: &output)
        }
    }
}
