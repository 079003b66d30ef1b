internal import CertificateChain
internal import CompactJWS
internal import Libcrypto
internal import P256Verification
internal import WireFormats

/// The verdict on a line.
package enum LineVerdict: Sendable {
    /// A verified payload in the batch's memory.
    case batched(BatchedPayload)
    /// A payload that was verified by itself.
    case verified(VerifiedPayload)
    /// The payload is not verified.
    case failed(PayloadError)
    /// The payload is not verified, because its chain was refused before.
    case refused(RefusedChain)

    /// The kind of the payload; `nil` if it is not verified.
    package var kind: SignedPayloadKind? {
        switch self {
        case .batched(let payload): payload.kind
        case .verified(let payload): payload.kind
        case .failed, .refused: nil
        }
    }

    /// Why the payload is not verified; `nil` if it is.
    package var failure: PayloadError? {
        switch self {
        case .batched, .verified: nil
        case .failed(let error): error
        case .refused(let chain): chain.error
        }
    }
}

/// A verified payload in the memory of a batch, whose ranges and indices refer to `BatchResults`.
package struct BatchedPayload: Sendable {
    package let kind: SignedPayloadKind
    /// The index of its token in `BatchResults.tokens`.
    let token: Int
    /// The depth of its token, and the place of its JSON in that depth's memory.
    let depth: Int
    let place: Range<Int>
    /// The indices of the payloads inside, in `BatchResults.tokens`.
    fileprivate(set) var nested: Range<Int> = 0..<0
    let date: EffectiveDate
    /// The index of its signer in `BatchResults.signers`.
    let signer: Int
    /// The index of the judge's findings in `BatchResults.judgements`; `nil` for those that are common to the signer.
    var judgement: Int?
}

/// The tokens of a batch, with the outcome of each.
package struct BatchResults: ~Copyable {
    /// A token: one in a line, or one inside a payload of the batch.
    struct Token {
        /// How many payloads it is inside of.
        var depth = 0
        /// The place of the token: in the buffer of lines, or in the memory of the payload that it is inside of.
        var place = 0..<0
        /// The member that holds it, as an index in `NotificationPart.signed`.
        var member = 0
        /// Whether that member holds a text.
        var isText = true
        var outcome = Outcome.waiting
    }

    /// A token whose signature is in the batch of signatures.
    struct SignedToken {
        /// The place of its signature.
        let place: Int
        /// The place of its payload in its depth's memory.
        let payload: Range<Int>
        /// The index of its signer.
        let signer: Int
    }

    /// The state of a token.
    enum Outcome {
        case waiting
        case signed(SignedToken)
        case verified(BatchedPayload)
        /// The index of its verdict in `decided`.
        case decided(Int)
    }

    /// The decoded payloads of each depth. The tokens of a depth are read from one memory, and their payloads go to the
    /// next.
    var memories = [PayloadMemory()]
    /// The lines' tokens, and behind them those inside payloads. Those of one payload are neighbours.
    var tokens: [Token] = []
    /// The verdicts on tokens that were decided by themselves, and all failures.
    var decided: [LineVerdict] = []
    var judgements: [Judge.Judgement] = []
    var signers: [BatchSigner] = []

    /// Makes room for the results of one batch.
    package init() {}

    /// The verdict on a token.
    func verdict(at index: Int) -> LineVerdict {
        switch tokens[index].outcome {
        case .verified(let payload): .batched(payload)
        case .decided(let place): decided[place]
        // Each token is settled before its verdict is asked for.
        case .waiting, .signed: .failed(PayloadError(.encoding(.segmentCount(0))))
        }
    }

    mutating func settle(_ index: Int, _ verdict: LineVerdict) {
        tokens[index].outcome = .decided(decided.count)
        decided.append(verdict)
    }

    /// Adds the tokens inside a payload to those that are to be verified. Returns the payload with its tokens.
    mutating func add(tokensOf claims: borrowing Claims, in payload: BatchedPayload) -> BatchedPayload {
        let first = tokens.count
        for index in 0..<claims.nestedCount {
            let (member, value) = claims.nested[index]
            var token = Token(depth: payload.depth + 1, member: member)
            guard case .string(let string) = value else {
                token.isText = false
                tokens.append(token)
                let error = PayloadError(notAPayload: value, at: NotificationPart.signed[member].path)
                settle(tokens.count - 1, .failed(error))
                break
            }
            token.place = memories[payload.depth].place(of: string, in: payload.place)
            tokens.append(token)
        }
        if memories.count == payload.depth + 1 { memories.append(PayloadMemory()) }
        var payload = payload
        payload.nested = first..<tokens.count
        return payload
    }

    /// Gives every payload the failure of the first payload inside it that failed.
    mutating func settleNested() {
        for index in tokens.indices.reversed() {
            guard case .verified(let payload) = tokens[index].outcome, !payload.nested.isEmpty else {
                continue
            }
            for inner in payload.nested {
                guard let failure = verdict(at: inner).failure else { continue }
                let path = NotificationPart.signed[tokens[inner].member].path
                // A member that holds no text is named already.
                settle(index, .failed(tokens[inner].isText ? failure.inside(path) : failure))
                break
            }
        }
    }

    mutating func removeAll() {
        tokens.removeAll(keepingCapacity: true)
        decided.removeAll(keepingCapacity: true)
        judgements.removeAll(keepingCapacity: true)
        for depth in memories.indices { memories[depth].removeAll() }
    }

    // MARK: - Payloads

    /// Lends a payload's JSON.
    @inline(__always)
    package func withJSON<Result, Failure>(
        of payload: BatchedPayload, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let memories = memories.span
        return try body(memories[payload.depth].bytes.span.extracting(payload.place))
    }

    /// The payload in the form that single verification returns. Copying its token and JSON, and those of the payloads
    /// inside, is all that it allocates.
    ///
    /// - Parameter buffer: the lines of the batch.
    func verifiedPayload(_ payload: BatchedPayload, of buffer: Span<UInt8>) -> VerifiedPayload {
        let signer = signers[payload.signer].known
        var judgement = Judge.Judgement(date: payload.date)
        if let index = payload.judgement {
            judgement = judgements[index]
        } else if let revocation = signer.revocation {
            judgement.revocation = revocation.findings
        }
        var inside: [VerifiedPayload.Nested] = []
        for index in payload.nested {
            if let payload = nested(index, of: buffer) { inside.append(payload) }
        }
        let place = tokens[payload.token].place
        let token =
            payload.depth == 0
            ? [UInt8](copying: buffer.extracting(place)) : Array(memories[payload.depth - 1].bytes[place])
        return VerifiedPayload(
            kind: payload.kind, token: token, json: Array(memories[payload.depth].bytes[payload.place]),
            judgement, signer: signer.signer, nested: inside)
    }

    private func nested(_ index: Int, of buffer: Span<UInt8>) -> VerifiedPayload.Nested? {
        let path = NotificationPart.signed[tokens[index].member].path
        switch verdict(at: index) {
        case .batched(let payload):
            return .init(member: path, payload: verifiedPayload(payload, of: buffer))
        case .verified(let payload): return .init(member: path, payload: payload)
        // A payload that holds a failure has failed itself.
        case .failed, .refused: return nil
        }
    }

    /// Lends the JSON of the payload inside a payload, at the path of a member, if there is one.
    package func withJSON(inside payload: BatchedPayload, at path: String, _ body: (Span<UInt8>) -> Void) {
        for index in payload.nested where NotificationPart.signed[tokens[index].member].path == path {
            switch verdict(at: index) {
            case .batched(let payload): withJSON(of: payload, body)
            case .verified(let payload): body(payload.json.span)
            // A payload that holds a failure has failed itself.
            case .failed, .refused: break
            }
        }
    }
}

/// Decoded payloads, one behind the other.
struct PayloadMemory {
    private(set) var bytes = [UInt8](repeating: 0, count: 1 << 16)
    private(set) var end = 0

    /// Decodes a payload and adds it; `nil` if its base64 is wrong.
    mutating func append(_ text: Span<UInt8>, by decoder: Base64Decoder) -> Range<Int>? {
        guard let count = decoder.byteCount(of: text) else { return nil }
        let place = reserve(count)
        guard decoder.decode(text, into: &bytes, at: place.lowerBound) else { return nil }
        end = place.upperBound
        return place
    }

    /// The place of the text of a string in a payload. A text that is written with escapes is copied.
    mutating func place(of string: JSONString, in payload: Range<Int>) -> Range<Int> {
        guard string.hasEscapes else {
            return payload.lowerBound + string.range.lowerBound..<payload.lowerBound + string.range.upperBound
        }
        let text = string.bytes(in: bytes.span.extracting(payload))
        let place = reserve(text.count)
        bytes.replace(at: place.lowerBound, with: text.span)
        end = place.upperBound
        return place
    }

    /// The place of the next bytes, in memory that is large enough for them.
    @inline(__always)
    private mutating func reserve(_ count: Int) -> Range<Int> {
        let place = end..<end + count
        if place.upperBound > bytes.count {
            bytes.append(contentsOf: repeatElement(0, count: place.upperBound))
        }
        return place
    }

    /// Forgets the last payload, which was not verified.
    mutating func removeLast(_ place: Range<Int>) { end = place.lowerBound }

    mutating func removeAll() {
        end = 0
        if bytes.count > Self.maximumBytes { bytes = [UInt8](repeating: 0, count: 1 << 16) }
    }

    /// A batch of ordinary payloads decodes to less than 1 MiB. If large payloads have made the memory grow
    /// beyond this limit, it is replaced by a small one.
    private static let maximumBytes = 4 << 20
}

/// A signer that a pipeline has met. The values that every payload needs are a copy of the pipeline's own: counting
/// references to an object that other cores count too would slow all of them.
struct BatchSigner {
    let known: KnownSigner
    let signer: TrustedSigner
    /// The header and its dot.
    let beginning: [UInt8]
    /// The SHA-256 state after `beginning`.
    let prefix: SHA256Prefix
    /// The table that its key had when the pipeline last looked.
    var table: P256KeyTable?
    var payloads = 0
    /// Whether the revocation status lets all payloads of this signer pass, whatever their date.
    var passesRevocation = true

    /// The revocation of its certificates, to be decided for each payload; `nil` if it is decided for all.
    var revocation: SignerRevocation? { passesRevocation ? nil : known.revocation }

    init(_ known: KnownSigner) {
        self.known = known
        signer = known.signer
        let shared = known.beginning
        beginning = [UInt8](copying: shared.span)
        prefix = known.prefix
        table = known.table
    }
}
