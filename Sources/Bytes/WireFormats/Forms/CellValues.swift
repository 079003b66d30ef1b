/// A value as a cell of a table. Null has no cell.
package enum FormCell: Hashable, Sendable {
    /// A text, which a column of text, identifiers or JSON has.
    ///
    /// - Parameters:
    ///   - utf8: the place of its UTF-8 in the bytes that the cell was appended to.
    ///   - json: the place of its JSON string there, with quotes and escapes.
    case text(utf8: Range<Int>, json: Range<Int>)
    /// A whole number.
    case integer(Int64)
    /// True or false.
    case boolean(Bool)
    /// Milliseconds since 1970, of the years 1 to 9999.
    case timestamp(Int64)
    /// A decimal, in thousandths.
    case decimal(Int64)

    /// The cell if its texts stood further behind.
    package func moved(by distance: Int) -> FormCell {
        guard case .text(let utf8, let json) = self else { return self }
        return .text(
            utf8: utf8.lowerBound + distance..<utf8.upperBound + distance,
            json: json.lowerBound + distance..<json.upperBound + distance)
    }
}

// The values of cells. A text is appended as a JSON string by the functions of typed output, so that both read a member by
// one rule; its UTF-8 stands between the quotes, unless there are escapes.

extension [UInt8] {
    /// The cell of a JSON string without escapes that stands from here to the end.
    package func quotedText(from start: Int) -> FormCell {
        .text(utf8: start + 1..<count - 1, json: start..<count)
    }

    /// Appends a text that needs no escapes.
    package mutating func append(plain text: String) -> FormCell {
        let start = count
        _ = append(literal: "\"") && append(literal: text) && append(literal: "\"")
        return quotedText(from: start)
    }

    /// Appends a text as a message, with hidden characters escaped in its JSON.
    package mutating func append(message text: String) -> FormCell {
        let start = count
        append(contentsOf: text.utf8)
        let end = count
        appendJSON(message: text, to: &self)
        return .text(utf8: start..<end, json: end..<count)
    }

    /// Makes a cell of the JSON text that stands from here to the end.
    package mutating func endRawJSON(from start: Int) -> FormCell {
        let end = count
        append(UInt8(ascii: "\""))
        for index in start..<end { appendJSONCharacter(self[index], to: &self) }
        append(UInt8(ascii: "\""))
        return .text(utf8: start..<end, json: end..<count)
    }

    /// Appends the texts of a value that is read by a form's rule; returns its cell, or `nil` if the value is null or of an
    /// unexpected type.
    package mutating func append(
        cellOf value: JSONValue?, as form: PayloadForm.Form, of json: Span<UInt8>
    ) -> FormCell? {
        let start = count
        switch form {
        case .text: return append(textCell: value, of: json)
        case .textUnlessEmpty:
            return value?.isEmptyText == true ? nil : append(textCell: value, of: json)
        case .identifier: return append(identifier: value, of: json) ? quotedText(from: start) : nil
        case .identifierUnlessZero:
            return append(identifier: value, of: json, orZero: false) ? quotedText(from: start) : nil
        case .count: return (value?.count(in: json)).map { .integer(Int64($0)) }
        case .integer: return (value?.number(in: json)).map { .integer(Int64($0)) }
        case .integerOrOne: return .integer(Int64(value?.number(in: json) ?? 1))
        case .flag: return .boolean(value == .true)
        case .isOne: return .boolean(value?.number(in: json) == 1)
        case .thousandths: return (value?.wholeThousandths(in: json)).map { .decimal($0) }
        case .date: return (value?.calendarMilliseconds(in: json)).map { .timestamp($0) }
        case .revocation:
            guard let value, value != .null else { return nil }
            return .timestamp(value.calendarMilliseconds(in: json) ?? CalendarTime.firstSecond * 1000)
        case .dateUnlessEpoch:
            return (value?.calendarMilliseconds(in: json, orEpoch: false)).map { .timestamp($0) }
        case .uuid: return append(uuid: value, of: json) ? quotedText(from: start) : nil
        case .period: return append(period: value, of: json) ? quotedText(from: start) : nil
        case .bytes: return append(base64: value, of: json) ? quotedText(from: start) : nil
        case .texts, .uuids, .objects:
            guard case .array(let range)? = value else { return nil }
            return append(rawJSON: range, of: json)
        case .object:
            guard case .object(let range)? = value else { return nil }
            return append(rawJSON: range, of: json)
        // These have no cell.
        case .textOrEmpty, .uuidOrNil, .decimal, .word, .group, .together: return nil
        }
    }

    @inline(__always)
    private mutating func append(textCell value: JSONValue?, of json: Span<UInt8>) -> FormCell? {
        guard case .string(let string)? = value else { return nil }
        let start = count
        appendJSON(string, in: json, to: &self)
        // Each escape is longer than its character.
        if !string.hasEscapes, count - start == string.range.count + 2 { return quotedText(from: start) }
        let end = count
        append(contentsOf: string.bytes(in: json))
        return .text(utf8: end..<count, json: start..<end)
    }

    private mutating func append(rawJSON range: Range<Int>, of json: Span<UInt8>) -> FormCell {
        let start = count
        appendJSON(onOneLine: json.extracting(range), to: &self)
        return endRawJSON(from: start)
    }
}
