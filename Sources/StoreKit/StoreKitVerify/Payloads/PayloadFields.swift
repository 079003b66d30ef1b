package import Essentials
internal import SignedPayloads
package import WireFormats

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

    /// The sum of the price tiers of seats.
    package func seatCharge(_ name: String) -> Decimal? {
        SeatCharge.amount(of: object[name], in: json.span)
    }

    /// A value that a closure reads, from the member's value and the text that it is in.
    func value<Value>(_ name: String, _ read: (JSONValue, Span<UInt8>) -> Value?) -> Value? {
        object[name].flatMap { read($0, json.span) }
    }

    /// A nested object.
    package func object(_ name: String, names: MemberNames) -> PayloadFields? {
        object[name].flatMap { object($0, names: names) }
    }

    /// The objects of an array. Elements of other types are left out.
    package func objects(_ name: String, names: MemberNames) -> [PayloadFields]? {
        object[name]?.elements(in: json.span)?.compactMap { object($0, names: names) }
    }

    /// The strings of an array. Elements of other types are left out.
    package func strings(_ name: String) -> [String]? { object[name]?.strings(in: json.span) }

    private func object(_ value: JSONValue, names: MemberNames) -> PayloadFields? {
        guard case .object(let range) = value,
            let object = try? JSONObject(json.span, in: range, wanted: names)
        else { return nil }
        return PayloadFields(json, object)
    }
}
