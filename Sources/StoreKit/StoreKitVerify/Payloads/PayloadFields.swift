internal import SignedPayloads
package import WireFormats

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The members of a JSON object, read as StoreKit's types.
///
/// A member reads as `nil` if it is absent, null or of an unexpected type. The caller decides whether that is
/// an error.
package struct PayloadFields: Sendable {
    private let json: [UInt8]
    private let object: JSONObject

    /// Reads an object that is the whole JSON text.
    ///
    /// - Parameter names: the names of the members to find.
    package init(_ json: [UInt8], names: MemberNames) throws(JSONError) {
        object = try JSONObject(json.span, wanted: names)
        self.json = json
    }

    private init(_ json: [UInt8], _ object: JSONObject) {
        self.json = json
        self.object = object
    }

    /// Whether the member is present and not null.
    package func has(_ name: String) -> Bool { object[name].map { $0 != .null } ?? false }

    /// A string, with its escapes decoded.
    package func string(_ name: String) -> String? { object[name]?.string(in: json.span) }

    /// An identifier: a string of decimal digits, or a number.
    package func identifier(_ name: String) -> UInt64? { object[name]?.identifier(in: json.span) }

    /// A whole number.
    package func integer(_ name: String) -> Int? { object[name]?.integer(in: json.span) }

    /// A Boolean.
    package func bool(_ name: String) -> Bool? { object[name]?.bool }

    /// A date, in milliseconds since 1970.
    package func date(_ name: String) -> Date? { object[name]?.date(in: json.span) }

    /// A price or a percentage in thousandths of its unit.
    package func thousandths(_ name: String) -> Decimal? { object[name]?.thousandths(in: json.span) }

    /// A UUID.
    func uuid(_ name: String) -> UUID? { object[name]?.uuid(in: json.span) }

    /// Bytes in base64 (RFC 4648, section 4).
    func data(_ name: String) -> Data? { object[name]?.data(in: json.span) }

    /// A nested object.
    package func object(_ name: String, names: MemberNames) -> PayloadFields? {
        object[name].flatMap { object($0, names: names) }
    }

    /// The objects of an array. Elements of other types are left out.
    package func objects(_ name: String, names: MemberNames) -> [PayloadFields]? {
        elements(name)?.compactMap { object($0, names: names) }
    }

    /// The strings of an array. Elements of other types are left out.
    package func strings(_ name: String) -> [String]? {
        elements(name)?.compactMap { $0.string(in: json.span) }
    }

    private func elements(_ name: String) -> [JSONValue]? {
        guard case .array(let range)? = object[name] else { return nil }
        return try? JSONArray.elements(of: json.span, in: range, limit: .max).first
    }

    private func object(_ value: JSONValue, names: MemberNames) -> PayloadFields? {
        guard case .object(let range) = value,
            let object = try? JSONObject(json.span, in: range, wanted: names)
        else { return nil }
        return PayloadFields(json, object)
    }
}

/// A value in a payload, read as one of StoreKit's types; `nil` if it is of another type.
///
/// A number is read from its decimal text. It never passes through a binary fraction if StoreKit's type is
/// exact.
extension JSONValue {
    func string(in json: Span<UInt8>) -> String? {
        guard case .string(let string) = self else { return nil }
        return string.value(in: json)
    }

    func identifier(in json: Span<UInt8>) -> UInt64? {
        guard let text = string(in: json) else { return written(in: json).flatMap { UInt64($0) } }
        return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
    }

    func integer(in json: Span<UInt8>) -> Int? { written(in: json).flatMap { Int($0) } }

    var bool: Bool? {
        switch self {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The App Store writes whole milliseconds, and Xcode writes fractions. The result has the precision of
    /// `Date`, a quarter of a microsecond.
    func date(in json: Span<UInt8>) -> Date? {
        guard let text = written(in: json) else { return nil }
        // Both round to the nearest number, and whole ones are read ten times faster.
        guard let milliseconds = Int64(text).map({ Double($0) }) ?? Double(text), milliseconds.isFinite else {
            return nil
        }
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }

    func thousandths(in json: Span<UInt8>) -> Decimal? {
        guard let text = written(in: json) else { return nil }
        // Prices are whole thousandths: dividing a Decimal takes as long as all other members together.
        if let whole = Int64(text) { return Decimal(thousandths: whole) }
        guard let whole = Decimal(string: text), !whole.isNaN else { return nil }
        return whole / 1000
    }

    func uuid(in json: Span<UInt8>) -> UUID? { string(in: json).flatMap(UUID.init(canonicalForm:)) }

    func data(in json: Span<UInt8>) -> Data? { string(in: json).flatMap { Data(base64Encoded: $0) } }

    /// A number's text.
    private func written(in json: Span<UInt8>) -> String? {
        guard case .number(let range) = self else { return nil }
        return JSONString(range: range, hasEscapes: false).value(in: json)
    }
}

extension Decimal {
    /// A number of thousandths, in the shortest form, as a division has it.
    fileprivate init(thousandths: Int64) {
        var (digits, exponent) = (thousandths, -3)
        while exponent < 0, digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
        self.init(sign: .plus, exponent: exponent, significand: Decimal(digits))
    }
}
