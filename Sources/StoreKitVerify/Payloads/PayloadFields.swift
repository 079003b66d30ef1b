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
/// an error. A number is read from its decimal text. It never passes through a binary fraction if StoreKit's
/// type is exact.
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
    package func string(_ name: String) -> String? {
        guard case .string(let string)? = object[name] else { return nil }
        return string.value(in: json.span)
    }

    /// An identifier: a string of decimal digits, or a number.
    package func identifier(_ name: String) -> UInt64? {
        switch object[name] {
        case .string?:
            guard let text = string(name), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            return UInt64(text)
        case .number(let range)?: return UInt64(String(decoding: json[range], as: UTF8.self))
        default: return nil
        }
    }

    /// A whole number.
    package func integer(_ name: String) -> Int? {
        guard case .number(let range)? = object[name] else { return nil }
        return Int(String(decoding: json[range], as: UTF8.self))
    }

    /// A Boolean.
    package func bool(_ name: String) -> Bool? {
        switch object[name] {
        case .true?: true
        case .false?: false
        default: nil
        }
    }

    /// A date, in milliseconds since 1970. The App Store writes whole numbers, and Xcode writes fractions.
    /// The result has the precision of `Date`, a quarter of a microsecond.
    package func date(_ name: String) -> Date? {
        guard case .number(let range)? = object[name],
            let milliseconds = Double(String(decoding: json[range], as: UTF8.self)), milliseconds.isFinite
        else { return nil }
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }

    /// A price or a percentage in thousandths of its unit.
    package func thousandths(_ name: String) -> Decimal? {
        guard case .number(let range)? = object[name],
            let whole = Decimal(string: String(decoding: json[range], as: UTF8.self)), !whole.isNaN
        else { return nil }
        return whole / 1000
    }

    /// A UUID.
    func uuid(_ name: String) -> UUID? { string(name).flatMap(UUID.init(canonicalForm:)) }

    /// Bytes in base64 (RFC 4648, section 4).
    func data(_ name: String) -> Data? { string(name).flatMap { Data(base64Encoded: $0) } }

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
        elements(name)?.compactMap { element in
            guard case .string(let string) = element else { return nil }
            return string.value(in: json.span)
        }
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
