import StoreKitVerify
import WireFormats

/// A row, read back from its JSON or from its CSV.
struct ParsedRow: Equatable {
    /// A value that is not null.
    enum Value: Equatable {
        case string(String)
        case number(String)
        case bool(Bool)

        /// The value as a field of CSV.
        var field: String {
            switch self {
            case .string(let text), .number(let text): text
            case .bool(let flag): "\(flag)"
            }
        }
    }

    /// The columns' names, in their order.
    var names: [String] = []
    /// The values that are not null.
    var values: [String: Value] = [:]

    /// Reads a line of JSON, strictly.
    init(json: [UInt8]) throws {
        var reader = JSONReader(0..<json.count)
        var name: String?
        while let event = try reader.next(in: json.span) {
            switch event {
            case .name(let string):
                name = string.value(in: json.span)
                names.append(name ?? "")
            case .string(let string): set(.string(string.value(in: json.span)), name)
            case .number(let range): set(.number(String(decoding: json[range], as: UTF8.self)), name)
            case .true: set(.bool(true), name)
            case .false: set(.bool(false), name)
            case .null, .endObject: break
            case .beginObject where names.isEmpty: break
            default: throw NestedValue()
            }
        }
    }

    private mutating func set(_ value: Value, _ name: String?) { values[name ?? ""] = value }

    /// A row has no arrays and objects.
    struct NestedValue: Error {}

    /// Reads records of CSV (RFC 4180) character by character. A field is `nil` if it is empty and not quoted.
    static func records(csv: [UInt8]) -> [[String?]] {
        var (records, record, field): ([[String?]], [String?], [UInt8]) = ([], [], [])
        var (isQuoted, wasQuoted, index) = (false, false, 0)
        func end() {
            record.append(field.isEmpty && !wasQuoted ? nil : String(decoding: field, as: UTF8.self))
            (field, wasQuoted) = ([], false)
        }
        while index < csv.count {
            let byte = csv[index]
            let next = index + 1 < csv.count ? csv[index + 1] : 0
            switch (byte, isQuoted) {
            case (UInt8(ascii: "\""), true) where next == UInt8(ascii: "\""):
                field.append(byte)
                index += 1
            case (UInt8(ascii: "\""), _): (isQuoted, wasQuoted) = (!isQuoted, true)
            case (UInt8(ascii: ","), false): end()
            case (UInt8(ascii: "\r"), false) where next == UInt8(ascii: "\n"):
                end()
                records.append(record)
                record = []
                index += 1
            default: field.append(byte)
            }
            index += 1
        }
        return records
    }
}
