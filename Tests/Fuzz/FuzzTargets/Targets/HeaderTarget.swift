package import CompactJWS
internal import WireFormats

/// The protected header's JSON, compared with the contract's rules applied to a tree.
package struct HeaderTarget: FuzzTarget {
    package static let name = "header-json"

    package init() {}

    package func check(_ input: [UInt8]) throws(Violation) {
        try Self.check(Result { () throws(CompactJWSError) in try JOSEHeader(input) }, of: input)
        // A header's certificates can be displayed even if the header is refused.
        let shown = try? JOSEHeader.x5c(in: input)
        let x5c = PlainJSON(input).flatMap { Self.certificates($0) }
        try expect(
            shown.map(Self.list) == x5c?.map { X5C.Element($0) }, "shows other certificates than there are")
    }

    /// Compares the result for a header with the expected one.
    package static func check(_ read: Result<JOSEHeader, CompactJWSError>, of json: [UInt8]) throws(Violation)
    {
        let expected = acceptable(json)
        switch read {
        case .success(let header):
            try expect(expected != nil, "accepts a header that breaks a rule")
            try expect(
                list(header.x5c) == expected?.map { X5C.Element($0) },
                "reads other certificates than there are")
        case .failure(.headerSize(let bytes, let limit)):
            try expect(bytes > limit && json.count >= bytes, "refuses a header of \(json.count) bytes")
            try expect(expected != nil, "the size is checked before another rule")
        case .failure(let error):
            try expect(!error.description.isEmpty, "an error without a sentence")
            try expect(expected == nil, "refuses a right header: \(error)")
        }
    }

    /// The certificates of an acceptable header; `nil` for any other header.
    private static func acceptable(_ json: [UInt8]) -> [[UInt8]]? {
        guard let header = PlainJSON(json), header.hasUniqueNames,
            header.members("alg") == [.string(Array("ES256".utf8))], header.members("crit").isEmpty
        else { return nil }
        return certificates(header)
    }

    /// The certificates in the first `x5c`.
    static func certificates(_ header: PlainJSON) -> [[UInt8]]? {
        guard case .array(let elements)? = header.members("x5c").first,
            elements.count == 1 || elements.count == 3
        else { return nil }
        let certificates = elements.compactMap { $0.stringBytes.flatMap(Base64URL.decodedStandard) }
        return certificates.count == elements.count ? certificates : nil
    }

    private static func list(_ x5c: X5C) -> [X5C.Element] {
        switch x5c {
        case .single(let certificate): [certificate]
        case .chain(let leaf, let intermediate, let root): [leaf, intermediate, root]
        }
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] {
        let header = line.prefix { $0 != UInt8(ascii: ".") }
        return Base64URL.decoded(header).map { [$0] } ?? []
    }

    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        JSONMutator.changed(input, &tools)
    }
}
