internal import Essentials
internal import SignedPayloads
internal import WireFormats

/// Encodes the properties by StoreKit's names, as the command's `--output typed` writes them: dates in the form of ISO
/// 8601, identifiers as strings, prices as decimals, and no absent properties. The signed payload is
/// `jsonRepresentation`.
extension Transaction: Encodable {
    /// Encodes the properties.
    public func encode(to encoder: any Encoder) throws { try encode(by: Self.form, to: encoder) }
}

/// As for a transaction.
extension Product.SubscriptionInfo.RenewalInfo: Encodable {
    /// Encodes the properties.
    public func encode(to encoder: any Encoder) throws { try encode(by: Self.form, to: encoder) }
}

/// As for a transaction.
extension AppTransaction: Encodable {
    /// Encodes the properties.
    public func encode(to encoder: any Encoder) throws { try encode(by: Self.form, to: encoder) }
}

extension DeviceSignedValue {
    fileprivate func encode(by form: PayloadForm, to encoder: any Encoder) throws {
        var (writer, text) = (ObjectWriter(form), [UInt8]())
        let json = Array(jsonRepresentation)
        _ = writer.read(.object(0..<json.count), of: json.span)
        if let missing = writer.appendProperties(of: json.span, to: &text) {
            throw PayloadError(.missingProperty(member: missing, of: form.type))
        }
        text.closeObject(from: 0)
        var reader = JSONReader(0..<text.count)
        try EncodedValue(&reader, in: text.span).encode(to: encoder)
    }
}

/// A JSON value that any encoder can take.
private enum EncodedValue: Encodable {
    case object([(name: String, value: EncodedValue)])
    case array([EncodedValue])
    case string(String)
    case number(Decimal)
    case bool(Bool)
    case null

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads the next value of a JSON text. Its depth is that of the typed forms.
    init(_ reader: inout JSONReader, in json: Span<UInt8>) throws(JSONError) {
        self = try Self.value(from: reader.next(in: json), &reader, in: json) ?? .null
    }

    /// The value that begins with an event; `nil` if it ends the container.
    private static func value(
        from event: JSONEvent?, _ reader: inout JSONReader, in json: Span<UInt8>
    ) throws(JSONError) -> EncodedValue? {
        switch event {
        case .beginObject:
            var members: [(String, EncodedValue)] = []
            while case .name(let name)? = try reader.next(in: json) {
                members.append((name.value(in: json), try EncodedValue(&reader, in: json)))
            }
            return .object(members)
        case .beginArray:
            var elements: [EncodedValue] = []
            while let element = try value(from: reader.next(in: json), &reader, in: json) {
                elements.append(element)
            }
            return .array(elements)
        case .string(let text): return .string(text.value(in: json))
        case .number(let range):
            let text = JSONString(range: range, hasEscapes: false).value(in: json)
            return Decimal(string: text).map { .number($0) } ?? .string(text)
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .null: return .null
        case .name, .endObject, .endArray, nil: return nil
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .string(let value): try value.encode(to: encoder)
        case .number(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .bool(let value): try value.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
