import Minting
import TestMinting

/// `invalid/05-receipt-content`: contents with a good signature that are not a SET of attributes.
enum ReceiptContentVectors {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        var file = VectorFile.receipts(
            "invalid/05-receipt-content", "Contents that are no SET of attributes, signed like any other")
        for (name, bytes, why) in wholes {
            try file.rejected(name, .invalidEncoding, fixtures.small(bytes: bytes), why)
        }
        for (name, bytes, why) in attributes {
            let content = Receipts.small.appending(ReceiptAttribute(replacement: bytes))
            try file.rejected("attribute-\(name)", .invalidEncoding, fixtures.small(content), why)
        }
        for (name, bytes, why) in purchases {
            let content = Receipts.small.appending(ReceiptAttribute(App.inAppPurchase, bytes))
            try file.rejected("purchase-\(name)", .invalidEncoding, fixtures.small(content), why)
        }
        for (name, content, why) in duplicates {
            try file.rejected("twice-\(name)", .invalidEncoding, fixtures.small(content), why)
        }
        return [file]
    }

    private typealias App = ReceiptAttribute.App
    private typealias Row = (name: String, bytes: [UInt8], why: String)

    private static var wholes: [Row] {
        let content = Receipts.small.der
        return [
            ("empty", [], "No bytes."), ("text", Array("receipt".utf8), "Plain text."),
            ("json", Array(#"{"bundle_id":"com.example.garden"}"#.utf8), "JSON."),
            ("sequence", [0x30] + content.dropFirst(), "A SEQUENCE."),
            ("octet-string", DER.octetString(content), "A SET within an OCTET STRING."),
            ("trailing-byte", content + [0], "A byte behind the SET."),
            ("trailing-set", content + content, "The SET twice."),
            ("truncated", content.dropLast(), "The last byte is missing."),
            ("half", Array(content.prefix(content.count / 2)), "The second half is missing."),
            ("indefinite", DER.indefiniteLength(content), "A SET of indefinite length."),
            ("longer-length", DER.longerLength(content), "A SET with a length in more bytes than it needs."),
            ("header-only", [0x31], "A tag alone."),
        ]
    }

    private static var attributes: [Row] {
        let (type, version, value) = (
            DER.integer(contents: [99]), DER.integer(contents: [1]), DER.octetString([1, 2, 3])
        )
        return [
            ("not-sequence", DER.set(type, version, value), "An attribute that is a SET."),
            ("integer", type, "An INTEGER in an attribute's place."),
            ("null", DER.null, "NULL in an attribute's place."),
            ("empty", DER.sequence(), "An attribute of nothing."),
            ("of-one", DER.sequence(type), "One of a type alone."),
            ("of-two", DER.sequence(type, version), "One without a value."),
            ("of-four", DER.sequence(type, version, value, DER.null), "One of four members."),
            ("without-version", DER.sequence(type, value), "One without a version."),
            ("order", DER.sequence(value, version, type), "One the other way round."),
            ("type-text", DER.sequence(DER.utf8String("99"), version, value), "A type that is text."),
            ("type-empty", DER.sequence(DER.integer(contents: []), version, value), "A type of no bytes."),
            (
                "type-padded", DER.sequence(DER.integer(contents: [0, 99]), version, value),
                "A type with a needless zero byte (X.690, 8.3.2)."
            ),
            ("version-text", DER.sequence(type, DER.utf8String("1"), value), "A version that is text."),
            ("value-text", DER.sequence(type, version, DER.utf8String("a")), "A value that is a UTF8String."),
            ("value-null", DER.sequence(type, version, DER.null), "A value that is NULL."),
            (
                "value-constructed", DER.sequence(type, version, DER.constructedOctetString([1, 2, 3])),
                "A value in pieces."
            ),
            (
                "value-too-long", DER.sequence(type, version, [0x04, 0x09, 1, 2, 3]),
                "A value that reaches beyond its attribute."
            ),
            (
                "longer-length", DER.longerLength(DER.sequence(type, version, value)),
                "A length in more bytes than it needs."
            ),
            (
                "indefinite-length", DER.indefiniteLength(DER.sequence(type, version, value)),
                "An indefinite length."
            ),
        ]
    }

    private static var purchases: [Row] {
        let purchase = Receipts.purchase { _ in }
        let set = purchase.der
        let spoilt = purchase.appending(ReceiptAttribute(replacement: DER.sequence(DER.null)))
        return [
            ("sequence", [0x30] + set.dropFirst(), "An in-app purchase that is a SEQUENCE."),
            ("empty", [], "One of no bytes."), ("text", DER.utf8String("seeds"), "One that is text."),
            ("garbage", [0xFF, 0xFF], "One that is garbage."),
            ("trailing-byte", set + [0], "A byte behind one."), ("two", set + set, "Two in one attribute."),
            ("truncated", set.dropLast(), "One that lacks its last byte."),
            ("attribute", spoilt.der, "One with an attribute that is none."),
            ("attributes-bare", DER.contents(set), "Its attributes without a SET around them."),
        ]
    }

    private static var duplicates: [(String, ReceiptContent, String)] {
        let content = Receipts.smallProduction
        let types = [
            ("environment", App.environment), ("app-id", App.appIdentifier),
            ("bundle-id", App.bundleIdentifier), ("opaque-value", App.opaqueValue),
            ("device-hash", App.deviceHash), ("creation-date", App.creationDate),
        ]
        var rows = types.map { name, type in
            (
                name, content.appending(ReceiptAttribute(type, content.value(of: type))),
                "The attribute of type \(type) twice, with the same value."
            )
        }
        rows.append(
            (
                "bundle-id-other",
                content.appending(
                    ReceiptAttribute(App.bundleIdentifier, ReceiptAttribute.text("com.example.orchard"))),
                "Two bundle identifiers."
            ))
        rows.append(
            (
                "creation-date-empty",
                content.appending(ReceiptAttribute(App.creationDate, ReceiptAttribute.date(""))),
                "A creation date, and an empty one."
            ))
        return rows
    }
}
