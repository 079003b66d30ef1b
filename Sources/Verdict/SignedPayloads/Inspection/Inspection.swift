public import CertificateChain
internal import CompactJWS
internal import WireFormats

/// All readable content of a token, verified or not, with its checks. It is for people, not for decisions.
///
/// Only `verdict` says what can be trusted. The rest shows what the token claims.
public struct Inspection: Sendable {
    /// A certificate of the header's `x5c`.
    public struct PresentedCertificate: Sendable {
        /// Its position: leaf, intermediate or root.
        public let position: CertificatePosition
        /// The certificate's own names and dates, or why it cannot be read.
        public let description: Result<CertificateDescription, PayloadError>
    }

    /// A signed payload inside the payload.
    public struct Nested: Sendable {
        /// The path of the member that holds it, for instance `data.signedTransactionInfo`.
        public let member: String
        /// The inspection of that payload.
        public let inspection: Inspection
    }

    /// The result of `verify`.
    public let verdict: Result<VerifiedPayload, PayloadError>
    /// The result of each check, in order.
    public let checks: [CheckResult]
    /// The token's length in bytes.
    public let tokenBytes: Int
    /// The header's JSON; `nil` if it cannot be decoded.
    public let header: [UInt8]?
    /// The certificates presented, leaf first.
    public let certificates: [PresentedCertificate]
    /// The signature's bytes; `nil` if they cannot be decoded.
    public let signature: [UInt8]?
    /// The payload's bytes; `nil` if they cannot be decoded. Do not trust them unless `verdict` is a success.
    public let payload: [UInt8]?
    /// The kind that this payload seems to be; `nil` if it is not one JSON object.
    public let kind: SignedPayloadKind?
    /// The payload's dates, in the payload's order.
    public let dates: [DateMember]
    /// The signed payloads inside a notification.
    public let nested: [Nested]
}

extension SignedPayloadVerifier {
    /// Inspects a token, or a JSON object that holds one, as far as it can be read.
    ///
    /// Costs as much as a verification, and twice as much for payloads inside a notification. Never fails.
    /// Unreadable parts are `nil` or empty, and `verdict` says why.
    ///
    /// - Parameter line: a compact JWS, or a JSON object with one in a member that `verify(line:)` knows.
    public func inspect(line: Span<UInt8>) -> Inspection {
        do throws(PayloadError) {
            guard let token = try TokenEnvelope.token(in: line) else { return inspect(line) }
            return inspect(token.span)
        } catch {
            return Inspection(failure: error, tokenBytes: line.count, by: self)
        }
    }

    /// Inspects a token, or a JSON object that holds one; see `inspect(line:)` over bytes.
    public func inspect(line: String) -> Inspection { inspect(line: Array(line.utf8).span) }

    /// Inspects a token as far as it can be read. Never fails.
    ///
    /// - Parameter token: a compact JWS.
    public func inspect(_ token: Span<UInt8>) -> Inspection {
        let trace = VerificationTrace()
        let verdict = Result { () throws(PayloadError) in try verify(token, nil, trace: trace) }
        if let error = verdict.failure, !trace.passed.contains(.size) {
            return Inspection(failure: error, tokenBytes: token.count, by: self)
        }
        let segments = LenientSegments(token)
        var reader = ClaimsReader()
        let claims = segments.payload.flatMap { try? reader.read($0.span) }
        return Inspection(
            verdict: verdict, checks: results(trace, verdict, tokenBytes: token.count),
            tokenBytes: token.count, header: segments.header, certificates: segments.certificates,
            signature: segments.signature, payload: segments.payload, kind: claims?.kind,
            dates: segments.payload.map(DateMember.all) ?? [],
            nested: inspectNested(claims, in: segments.payload ?? []))
    }

    private func inspectNested(_ claims: Claims?, in json: [UInt8]) -> [Inspection.Nested] {
        guard let claims else { return [] }
        var nested: [Inspection.Nested] = []
        for index in 0..<claims.nestedCount {
            guard case .string(let string) = claims.nested[index].value else { continue }
            let token = string.bytes(in: json.span)
            let path = NotificationPart.signed[claims.nested[index].member].path
            nested.append(Inspection.Nested(member: path, inspection: inspect(token.span)))
        }
        return nested
    }
}

extension Inspection {
    /// The inspection of a line that was refused before its token was read.
    fileprivate init(failure: PayloadError, tokenBytes: Int, by verifier: SignedPayloadVerifier) {
        let trace = VerificationTrace()
        if failure.check != .size { trace.pass(.size) }
        self.init(
            verdict: .failure(failure),
            checks: verifier.results(trace, .failure(failure), tokenBytes: tokenBytes),
            tokenBytes: tokenBytes, header: nil, certificates: [], signature: nil, payload: nil, kind: nil,
            dates: [], nested: [])
    }
}

/// The segments of a token. Each is decoded on its own, so an error in one does not hide the others.
private struct LenientSegments {
    var header: [UInt8]?
    var payload: [UInt8]?
    var signature: [UInt8]?
    var certificates: [Inspection.PresentedCertificate] = []

    init(_ token: Span<UInt8>) {
        var ranges: [Range<Int>] = []
        var start = 0
        for index in 0..<token.count where token[index] == UInt8(ascii: ".") && ranges.count < 2 {
            ranges.append(start..<index)
            start = index + 1
        }
        ranges.append(start..<token.count)
        let decoded = ranges.map { try? Base64.decode(token, in: $0, alphabet: .url) }
        header = decoded[0]
        payload = decoded.count > 1 ? decoded[1] : nil
        signature = decoded.count > 2 ? decoded[2] : nil
        guard let header, let x5c = try? JOSEHeader.x5c(in: header) else { return }
        switch x5c {
        case .single(let der): certificates = [.init(der, .leaf)]
        case .chain(let leaf, let intermediate, let root):
            certificates = [.init(leaf, .leaf), .init(intermediate, .intermediate), .init(root, .root)]
        }
    }
}

extension Inspection.PresentedCertificate {
    /// A certificate at the position that it claims.
    init(_ element: X5C.Element, _ position: CertificatePosition) {
        self.position = position
        description = Result { () throws(CertificateChainError) in
            try Certificate(element, position: position).description
        }
        .mapError { PayloadError(.chain($0)) }
    }
}
