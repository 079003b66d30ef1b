import CompactJWS

/// The compact serialization: joining the parts of a token again must give the same bytes.
package struct CompactJWSTarget: FuzzTarget {
    package static let name = "compact-jws"

    package init() {}

    package func check(_ input: [UInt8]) throws(Violation) {
        let jws: CompactJWS
        do throws(CompactJWSError) {
            jws = try CompactJWS(input.span)
        } catch {
            try expect(!error.description.isEmpty, "an error without a sentence")
            let segments = input.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let isRight = segments.count == 3 && segments[1...].allSatisfy { Base64URL.decoded($0) != nil }
            try expect(!isRight, "refuses what is right: \(error)")
            return
        }
        try checkPlaces(of: jws, in: input)
        let texts =
            [Array(input[jws.header])] + [jws.payloadBytes, jws.signatureBytes].map(Base64URL.encoded)
        try expect(
            Array(texts.joined(separator: [UInt8(ascii: ".")])) == input, "segments encode to another token")
        try checkHeader(of: jws, in: input)
    }

    private func checkPlaces(of jws: CompactJWS, in input: [UInt8]) throws(Violation) {
        let dots = input.indices.filter { input[$0] == UInt8(ascii: ".") }
        try expect(
            dots == [jws.header.upperBound, jws.payload.upperBound]
                && jws.payload.lowerBound == dots[0] + 1 && jws.signature.lowerBound == dots[1] + 1
                && jws.header.lowerBound == 0 && jws.signature.upperBound == input.count,
            "the segments are not what the dots divide")
        try expect(jws.signingInput == 0..<dots[1], "the signature covers \(jws.signingInput)")
    }

    private func checkHeader(of jws: CompactJWS, in input: [UInt8]) throws(Violation) {
        let read = Result { () throws(CompactJWSError) in try jws.readHeader(of: input.span) }
        if let json = Base64URL.decoded(input[jws.header]) {
            try HeaderTarget.check(read, of: json)
        } else {
            guard case .failure(.base64url(.header, _, _)) = read else {
                throw Violation("a header that is not base64url: \(read)")
            }
        }
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] { [line] }

    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        TokenMutator.changedText(of: input, &tools)
    }
}
