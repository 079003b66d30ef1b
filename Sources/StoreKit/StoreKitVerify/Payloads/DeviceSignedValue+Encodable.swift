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
        try EncodedTree(tree: JSONTree(text.span)).encode(to: encoder)
    }
}

/// A JSON value that any encoder can take. Its depth is that of the typed forms.
private struct EncodedTree: Encodable {
    let tree: JSONTree

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        switch tree {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for member in members {
                try container.encode(EncodedTree(tree: member.value), forKey: Name(stringValue: member.name))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(EncodedTree(tree: element)) }
        case .string(let value): try value.encode(to: encoder)
        case .number(let digits):
            guard let number = Decimal(string: digits) else { return try digits.encode(to: encoder) }
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .bool(let value): try value.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
