package import Essentials

/// A value in a payload, read as a type of Swift's or Foundation's; `nil` if it is of another type.
///
/// A number is read from its decimal text. It never passes through a binary fraction if the type is exact.
extension JSONValue {
    package func string(in json: Span<UInt8>) -> String? {
        guard case .string(let string) = self else { return nil }
        return string.value(in: json)
    }

    package func identifier(in json: Span<UInt8>) -> UInt64? {
        guard let text = string(in: json) else { return written(in: json).flatMap { UInt64($0) } }
        return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
    }

    package func integer(in json: Span<UInt8>) -> Int? { written(in: json).flatMap { Int($0) } }

    package var bool: Bool? {
        switch self {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The App Store writes whole milliseconds, and Xcode writes fractions. The result has the precision of
    /// `Date`, a quarter of a microsecond.
    package func date(in json: Span<UInt8>) -> Date? {
        guard let text = written(in: json) else { return nil }
        // Both round to the nearest number, and whole ones are read ten times faster.
        guard let milliseconds = Int64(text).map({ Double($0) }) ?? Double(text), milliseconds.isFinite else {
            return nil
        }
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }

    package func thousandths(in json: Span<UInt8>) -> Decimal? {
        guard let text = written(in: json) else { return nil }
        // Prices are whole thousandths: dividing a Decimal takes as long as all other members together.
        if let whole = Int64(text) { return Decimal(thousandths: whole) }
        guard let whole = Decimal(string: text), !whole.isNaN else { return nil }
        return whole / 1000
    }

    package func uuid(in json: Span<UInt8>) -> UUID? { string(in: json).flatMap(UUID.init(canonicalForm:)) }

    package func data(in json: Span<UInt8>) -> Data? { string(in: json).flatMap { Data(base64Encoded: $0) } }

    /// The elements of an array of a text that was checked before.
    package func elements(in json: Span<UInt8>) -> [JSONValue]? {
        guard case .array(let range) = self else { return nil }
        return try? JSONArray.elements(of: json, in: range, limit: .max).first
    }

    /// The strings of an array. Elements of other types are left out.
    package func strings(in json: Span<UInt8>) -> [String]? {
        elements(in: json)?.compactMap { $0.string(in: json) }
    }

    /// A number's text.
    private func written(in json: Span<UInt8>) -> String? {
        guard case .number(let range) = self else { return nil }
        return JSONString(range: range, hasEscapes: false).value(in: json)
    }
}

extension Decimal {
    /// A number of thousandths, in the shortest form, as a division has it.
    package init(thousandths: Int64) {
        var (digits, exponent) = (thousandths, -3)
        while exponent < 0, digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
        self.init(sign: .plus, exponent: exponent, significand: Decimal(digits))
    }
}
