package import Essentials

// The values of properties as JSON. A value in its ordinary form is written from its bytes in the payload.
// Any other value is read as its type, and that is written.

extension Date {
    /// The date in the form of ISO 8601, to the nearest millisecond as in payloads. The form has only the
    /// years 1 to 9999; other dates are given as milliseconds since 1970.
    package var typedText: String {
        guard let milliseconds = calendarMilliseconds else {
            return "\((timeIntervalSince1970 * 1000).rounded())"
        }
        var text: [UInt8] = []
        text.append(iso8601: milliseconds)
        return String(decoding: text, as: UTF8.self)
    }

    /// The milliseconds since 1970, to the nearest; `nil` outside the years 1 to 9999.
    package var calendarMilliseconds: Int64? {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        let seconds = (milliseconds / 1000).rounded(.down)
        guard seconds >= Double(CalendarTime.firstSecond), seconds <= Double(CalendarTime.lastSecond) else {
            return nil
        }
        return Int64(milliseconds)
    }
}

extension JSONValue {
    /// Whether the value is a text.
    package var isText: Bool { if case .string = self { true } else { false } }

    /// Whether the value is an empty text.
    package var isEmptyText: Bool { plainText?.isEmpty ?? false }

    /// A whole number.
    package func number(in json: Span<UInt8>) -> Int? { ordinaryNumber(in: json) ?? integer(in: json) }

    /// A whole number of at most fifteen digits, which `Double` and `Decimal` have exactly too.
    @inline(__always)
    fileprivate func ordinaryNumber(in json: Span<UInt8>) -> Int? {
        guard case .number(let range) = self else { return nil }
        let isNegative = json[range.lowerBound] == UInt8(ascii: "-")
        let digits = isNegative ? range.dropFirst() : range
        guard digits.count <= 15, !isNegative || json[digits.lowerBound] != UInt8(ascii: "0") else {
            return nil
        }
        var number = 0
        for index in digits {
            guard isDigit(json[index]) else { return nil }
            number = number &* 10 &+ Int(json[index] &- UInt8(ascii: "0"))
        }
        return isNegative ? -number : number
    }

    /// A date in milliseconds since 1970, to the nearest; `nil` outside the years 1 to 9999.
    @inline(__always)
    func calendarMilliseconds(in json: Span<UInt8>, orEpoch: Bool = true) -> Int64? {
        guard let number = ordinaryNumber(in: json) else {
            guard let date = date(in: json), orEpoch || date.timeIntervalSince1970 != 0 else { return nil }
            return date.calendarMilliseconds
        }
        let milliseconds = Int64(number)
        guard orEpoch || milliseconds != 0, milliseconds >= CalendarTime.firstSecond * 1000,
            milliseconds < (CalendarTime.lastSecond + 1) * 1000
        else { return nil }
        return milliseconds
    }

    /// A number of thousandths, if it is whole.
    @inline(__always)
    package func wholeThousandths(in json: Span<UInt8>) -> Int64? {
        if let number = ordinaryNumber(in: json) { return Int64(number) }
        guard case .number(let range) = self else { return nil }
        return DecimalNumber.integer(json, in: range)
    }

    /// An identifier that is written as a number.
    @inline(__always)
    func count(in json: Span<UInt8>) -> Int? {
        // Eighteen digits fit an integer.
        guard let range = ordinaryIdentifier(in: json), range.count < 19 else {
            return identifier(in: json).map { Int(clamping: $0) }
        }
        var number = 0
        for index in range { number = number &* 10 &+ Int(json[index] &- UInt8(ascii: "0")) }
        return number
    }

    /// The place of a text without escapes.
    @inline(__always)
    fileprivate var plainText: Range<Int>? {
        guard case .string(let string) = self, !string.hasEscapes else { return nil }
        return string.range
    }

    /// The place of an identifier that is written as it is printed.
    @inline(__always)
    fileprivate func ordinaryIdentifier(in json: Span<UInt8>) -> Range<Int>? {
        let written = if case .number(let range) = self { range } else { plainText ?? 0..<0 }
        // The largest identifiers have twenty digits.
        guard !written.isEmpty, written.count < 20, json[written.lowerBound] != UInt8(ascii: "0") else {
            return nil
        }
        for index in written where !isDigit(json[index]) { return nil }
        return written
    }

    /// The place of a decimal that is written as it is printed: a digit, a point and digits.
    @inline(__always)
    fileprivate func ordinaryDecimal(in json: Span<UInt8>) -> Range<Int>? {
        guard let text = plainText, (3...15).contains(text.count),
            json[text.lowerBound + 1] == UInt8(ascii: "."),
            json[text.upperBound - 1] != UInt8(ascii: "0"), isDigit(json[text.lowerBound])
        else { return nil }
        for index in text.dropFirst(2) where !isDigit(json[index]) { return nil }
        return text
    }
}

/// The functions return whether the property has a value.
extension [UInt8] {
    /// Ends an object whose properties, each with a comma before it, begin at an index.
    package mutating func closeObject(from start: Int) {
        if count == start { append(UInt8(ascii: "{")) } else { self[start] = UInt8(ascii: "{") }
        append(UInt8(ascii: "}"))
    }

    /// Appends an array's elements that have a value; nothing if no element has one.
    ///
    /// - Parameter body: appends an element; returns whether it has a value.
    mutating func append(
        elementsOf value: JSONValue?, of json: Span<UInt8>, _ body: (JSONValue, inout [UInt8]) -> Bool
    ) -> Bool {
        guard case .array(let range)? = value else { return false }
        let start = count
        // The array was checked with its payload.
        try? JSONArray.forEach(of: json, in: range) { element in
            append(UInt8(ascii: ","))
            if !body(element, &self) { removeLast() }
        }
        guard count > start else { return false }
        self[start] = UInt8(ascii: "[")
        append(UInt8(ascii: "]"))
        return true
    }

    /// Appends the name of a property, with a comma before it.
    package mutating func appendName(_ name: String) {
        _ = append(literal: ",\"") && append(literal: name) && append(literal: "\":")
    }

    @inline(__always)
    package mutating func append(literal: String) -> Bool {
        append(literal.utf8Span.span)
        return true
    }

    @inline(__always)
    package mutating func append(text value: JSONValue?, of json: Span<UInt8>) -> Bool {
        guard case .string(let string)? = value else { return false }
        appendJSON(string, in: json, to: &self)
        return true
    }

    @inline(__always)
    package mutating func append(identifier value: JSONValue?, of json: Span<UInt8>, orZero: Bool = true)
        -> Bool
    {
        guard let value else { return false }
        if let range = value.ordinaryIdentifier(in: json) { return append(quoted: range, of: json) }
        guard let identifier = value.identifier(in: json), orZero || identifier != 0 else { return false }
        return append(quoted: String(identifier))
    }

    mutating func append(count value: JSONValue?, of json: Span<UInt8>) -> Bool {
        guard let number = value?.count(in: json) else { return false }
        appendDecimal(number, to: &self)
        return true
    }

    @inline(__always)
    mutating func append(integer value: JSONValue?, of json: Span<UInt8>) -> Bool {
        guard let number = value?.number(in: json) else { return false }
        appendDecimal(number, to: &self)
        return true
    }

    @inline(__always)
    mutating func append(thousandths value: JSONValue?, of json: Span<UInt8>) -> Bool {
        guard let value else { return false }
        guard let number = value.ordinaryNumber(in: json) else {
            return append(unquoted: value.thousandths(in: json)?.description)
        }
        append(thousandths: Int64(number))
        return true
    }

    /// Appends a number of thousandths as a decimal in the shortest form.
    @inline(__always)
    package mutating func append(thousandths number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let (whole, fraction) = number.magnitude.quotientAndRemainder(dividingBy: 1000)
        appendDecimal(Int(whole), to: &self)
        guard fraction > 0 else { return }
        append(UInt8(ascii: "."))
        var rest = fraction
        for unit: UInt64 in [100, 10, 1] where rest > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
        }
    }

    /// Appends a date in the form of ISO 8601.
    ///
    /// - Parameter milliseconds: the milliseconds since 1970, of the years 1 to 9999.
    @inline(__always)
    package mutating func append(iso8601 milliseconds: Int64) {
        let rest = milliseconds % 1000
        let second = rest < 0 ? milliseconds / 1000 - 1 : milliseconds / 1000
        CalendarTime.append(iso8601: second, milliseconds: rest < 0 ? rest + 1000 : rest, to: &self)
    }

    /// Appends a decimal that the payload has as a text.
    mutating func append(decimal value: JSONValue?, of json: Span<UInt8>) -> Bool {
        if let range = value?.ordinaryDecimal(in: json) {
            append(json.extracting(range))
            return true
        }
        return append(unquoted: value?.string(in: json).flatMap { Decimal(string: $0) }?.description)
    }

    @inline(__always)
    mutating func append(date value: JSONValue?, of json: Span<UInt8>, orEpoch: Bool = true) -> Bool {
        guard let value else { return false }
        guard let milliseconds = value.calendarMilliseconds(in: json, orEpoch: orEpoch) else {
            guard let date = value.date(in: json), orEpoch || date.timeIntervalSince1970 != 0 else {
                return false
            }
            return append(quoted: date.typedText)
        }
        append(UInt8(ascii: "\""))
        append(iso8601: milliseconds)
        append(UInt8(ascii: "\""))
        return true
    }

    @inline(__always)
    mutating func append(uuid value: JSONValue?, of json: Span<UInt8>) -> Bool {
        guard let value else { return false }
        guard let range = value.plainText else {
            return append(quoted: value.uuid(in: json)?.uuidString.lowercased())
        }
        guard let text = CanonicalUUID.lowercased(json.extracting(range)) else { return false }
        append(UInt8(ascii: "\""))
        append(text.span)
        append(UInt8(ascii: "\""))
        return true
    }

    mutating func append(period value: JSONValue?, of json: Span<UInt8>) -> Bool {
        guard let value else { return false }
        // One digit, for instance P1M, which is how nearly all periods are.
        if let range = value.plainText, range.count == 3, json[range.lowerBound] == UInt8(ascii: "P"),
            isDigit(json[range.lowerBound + 1]), "DWMY".utf8.contains(json[range.lowerBound + 2])
        {
            return append(quoted: range, of: json)
        }
        let text = value.string(in: json)
        return append(quoted: text.flatMap { ISO8601Period($0) }?.text)
    }

    /// Appends bytes in base64; nothing if they are empty.
    mutating func append(base64 value: JSONValue?, of json: Span<UInt8>) -> Bool {
        guard let value else { return false }
        // A hash of 48 bytes has 64 characters and no padding.
        if let range = value.plainText, range.count == 64,
            range.allSatisfy({
                isLetter(json[$0]) || isDigit(json[$0]) || json[$0] == 0x2b || json[$0] == 0x2f
            })
        {
            return append(quoted: range, of: json)
        }
        guard let data = value.data(in: json), !data.isEmpty else { return false }
        return append(quoted: data.base64EncodedString())
    }

    // MARK: - Texts

    /// Appends a part of the payload that needs no escapes.
    @inline(__always)
    private mutating func append(quoted range: Range<Int>, of json: Span<UInt8>) -> Bool {
        append(UInt8(ascii: "\""))
        append(json.extracting(range))
        append(UInt8(ascii: "\""))
        return true
    }

    /// Appends a text that needs no escapes.
    private mutating func append(quoted text: String?) -> Bool { append(unquoted: text.map { "\"\($0)\"" }) }

    private mutating func append(unquoted text: String?) -> Bool {
        guard let text else { return false }
        append(contentsOf: text.utf8)
        return true
    }
}

@inline(__always)
private func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
