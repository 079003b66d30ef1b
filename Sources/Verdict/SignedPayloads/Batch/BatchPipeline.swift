internal import CertificateChain
internal import Libcrypto
internal import P256Verification
package import WireFormats

/// Verifies lines on one core: it splits the tokens, collects their signatures, verifies these together, and
/// judges the payloads whose signatures are good. Then the tokens inside those payloads follow in the same way.
///
/// All memory is reserved once; a payload from a known signer allocates nothing, nor does one whose chain was refused
/// before. Every other token is verified as single verification does it, so that verdicts and messages are the same.
package struct BatchPipeline: ~Copyable {
    /// The maximum number of lines that are verified together.
    package static let maximumLines = 512
    /// Decoded payloads from which on no line is added: they stay in the core's cache.
    private static let fullBytes = 384 << 10

    private let context: BatchContext
    private let decoder = Base64Decoder(alphabet: .url)
    private var envelope = EnvelopeReader()
    private var claims = ClaimsReader()
    private var results = BatchResults()
    private var lastSigner = 0
    /// Refused chains that this pipeline has met. Each is compared with every token of an unknown signer, and a hostile
    /// sender can make the comparison long: there are only as many as an archive has leaves.
    private static let maximumRefused = 16
    private var refused: [RefusedChain] = []
    /// The tokens that wait for others, to be hashed with them, and the part of each that is hashed.
    private var waiting: [SplitToken] = []
    private var messages = SHA256Batch()
    private var batch = P256Batch(capacity: BatchPipeline.maximumLines)
    private var signatures = [UInt8](repeating: 0, count: BatchPipeline.maximumLines * 64)
    /// The number of tokens that were decided one by one.
    private var decidedSingly = 0

    package init(_ context: BatchContext) {
        self.context = context
        results.tokens.reserveCapacity(Self.maximumLines * 3)
    }

    /// The maximum time that tokens decided one by one may delay the verdicts on earlier lines.
    private static let patience = Duration.milliseconds(3)

    /// Verifies the first lines of a range, at most `maximumLines` of them.
    ///
    /// - Parameters:
    ///   - lines: the lines.
    ///   - start: the index of the first line to verify.
    ///   - end: the index after the last line.
    ///   - body: called for each line, in order, with the line's index, the verdict and its results.
    /// - Returns: the index of the first line that was not verified.
    package mutating func verify(
        _ lines: [BatchLine], from start: Int, to end: Int, of buffer: Span<UInt8>,
        _ body: (Int, LineVerdict, borrowing BatchResults) -> Void
    ) -> Int {
        let began = ContinuousClock.now
        let limit = min(start + Self.maximumLines, end)
        var next = start
        var decided = 0
        while next < limit, results.memories[0].end < Self.fullBytes {
            stage(lines[next], of: buffer)
            next += 1
            guard decidedSingly > decided else { continue }
            decided = decidedSingly
            if began.duration(to: .now) > Self.patience { break }
        }
        hashWaiting(of: buffer)
        settle(0..<results.tokens.count)
        var settled = next - start
        while settled < results.tokens.count { settled = settleInside(from: settled) }
        results.settleNested()
        for index in 0..<next - start { body(start + index, results.verdict(at: index), results) }
        results.removeAll()
        decidedSingly = 0
        countPayloads()
        return next
    }

    // MARK: - Splitting tokens

    private mutating func stage(_ line: BatchLine, of buffer: Span<UInt8>) {
        let index = results.tokens.count
        results.tokens.append(.init())
        switch line {
        case .oversized(let bytes, let limit):
            results.settle(index, .failed(.tooLarge(bytes: bytes, limit: limit)))
        case .content(let range):
            let bytes = buffer.extracting(range)
            guard JSONObject.isBegun(by: bytes) else { return stage(index, range, of: buffer) }
            do throws(PayloadError) {
                let token = try envelope.token(in: bytes)
                if token.hasEscapes {
                    // No program writes base64url with escapes. Its copy would have to live as long as the batch.
                    decideSingly(index, token.bytes(in: bytes).span)
                } else {
                    let start = range.lowerBound
                    stage(index, start + token.range.lowerBound..<start + token.range.upperBound, of: buffer)
                }
            } catch {
                results.settle(index, .failed(error))
            }
        }
    }

    /// Splits a token in a text.
    private mutating func stage(_ index: Int, _ range: Range<Int>, of text: Span<UInt8>) {
        results.tokens[index].place = range
        let token = text.extracting(range)
        guard token.count <= context.maximumTokenBytes else { return decideSingly(index, token) }
        if let signer = signer(of: token) { return stage(index, range, of: text, signer) }
        if let chain = refusedChain(of: token) { return stage(index, token, refused: chain) }
        guard let signer = sharedSigner(of: token) else { return decideSingly(index, token) }
        stage(index, range, of: text, signer)
    }

    private mutating func stage(_ index: Int, _ range: Range<Int>, of text: Span<UInt8>, _ signer: Int) {
        let token = text.extracting(range)
        let start = results.signers[signer].beginning.count
        guard results.signers[signer].table != nil, let payload = split(index, token, at: start) else {
            return decideSingly(index, token)
        }
        let signed = range.lowerBound + start..<range.upperBound - Self.signatureCharacters
        waiting.append(SplitToken(index: index, payload: payload, signer: signer))
        messages.add(results.signers[signer].prefix, signed)
        if messages.count == SHA256Batch.capacity { hashWaiting(of: text) }
    }

    /// A token whose payload and signature were decoded.
    private struct SplitToken {
        let index: Int
        let payload: Range<Int>
        let signer: Int
    }

    /// Hashes the tokens that wait for it, which are in this text, and adds their signatures to the batch.
    private mutating func hashWaiting(of text: Span<UInt8>) {
        guard !waiting.isEmpty else { return }
        messages.hash(text)
        let digests = messages.digests
        for index in waiting.indices {
            let token = waiting[index]
            guard let table = results.signers[token.signer].table else { continue }
            let digest = digests.span.extracting(index * 32..<index * 32 + 32)
            let place = batch.append(signatures: signatures, at: batch.count * 64, digest: digest, key: table)
            guard let place else { continue }
            results.signers[token.signer].payloads += 1
            results.tokens[token.index].outcome = .signed(
                .init(place: place, payload: token.payload, signer: token.signer))
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// A signature of 64 bytes takes 86 characters. The dot before it ends the payload.
    private static let signatureCharacters = 87

    /// Decodes the payload behind the beginning of a token, and the signature; `nil` if the token is not in the usual
    /// form, whose errors single verification names.
    private mutating func split(_ index: Int, _ token: Span<UInt8>, at start: Int) -> Range<Int>? {
        let dot = token.count - Self.signatureCharacters
        guard dot >= start, token[dot] == UInt8(ascii: ".") else { return nil }
        let place = batch.count + waiting.count
        guard decoder.decode(token.extracting((dot + 1)...), into: &signatures, at: place * 64) else {
            return nil
        }
        let depth = results.tokens[index].depth
        return results.memories[depth].append(token.extracting(start..<dot), by: decoder)
    }

    /// A token whose chain was refused before. If the rest is in the usual form, it is refused too.
    private mutating func stage(_ index: Int, _ token: Span<UInt8>, refused chain: RefusedChain) {
        guard let payload = split(index, token, at: chain.beginning.count) else {
            return decideSingly(index, token)
        }
        results.memories[results.tokens[index].depth].removeLast(payload)
        results.settle(index, .refused(chain))
    }

    private mutating func decideSingly(_ index: Int, _ token: Span<UInt8>) {
        decidedSingly += 1
        let isInside = results.tokens[index].depth > 0
        do throws(PayloadError) {
            let payload = try context.verifier.verify(
                token, receipts: isInside ? nil : context.receipts, context)
            results.settle(index, .verified(payload))
        } catch {
            results.settle(index, .failed(error))
        }
    }

    // MARK: - Headers

    /// The index of the known signer whose header the token begins with; `nil` if there is none.
    private mutating func signer(of token: Span<UInt8>) -> Int? {
        if lastSigner < results.signers.count, begins(token, lastSigner) { return lastSigner }
        for index in results.signers.indices where begins(token, index) {
            lastSigner = index
            return index
        }
        return nil
    }

    /// The index of a known signer that only other pipelines, or single verification, have met; `nil` if there is none.
    private mutating func sharedSigner(of token: Span<UInt8>) -> Int? {
        // The same limit as the shared cache's. Removing an entry here would break the indices in tokens.
        guard context.usesTables, results.signers.count < KnownHeaders.capacity,
            let beginning = Self.beginning(of: token),
            let known = context.verifier.headers.signers.value(for: token.extracting(..<beginning))
        else { return nil }
        results.signers.append(BatchSigner(known))
        return results.signers.count - 1
    }

    @inline(__always)
    private func begins(_ token: Span<UInt8>, _ signer: Int) -> Bool {
        let signers = results.signers.span
        return ByteScanning.starts(token, with: signers[signer].beginning.span)
    }

    /// The refused chain whose header the token begins with; `nil` if there is none.
    private mutating func refusedChain(of token: Span<UInt8>) -> RefusedChain? {
        for index in refused.indices {
            let beginning = refused[index].beginning
            if ByteScanning.starts(token, with: beginning.span) { return refused[index] }
        }
        guard let beginning = Self.beginning(of: token),
            let chain = context.verifier.headers.refused.value(for: token.extracting(..<beginning))
        else { return nil }
        if refused.count == Self.maximumRefused { refused.removeAll(keepingCapacity: true) }
        refused.append(chain)
        return chain
    }

    /// The length of a token's header and its dot; `nil` if it is too long to be known.
    private static func beginning(of token: Span<UInt8>) -> Int? {
        let start = token.extracting(..<min(token.count, KnownHeaders.maximumBytes))
        return ByteScanning.firstIndex(of: UInt8(ascii: "."), in: start, from: 0).map { $0 + 1 }
    }

    // MARK: - Verdicts

    /// Splits tokens inside payloads of one depth, at most a batch of them, and settles them. Returns the index of the
    /// next token.
    private mutating func settleInside(from first: Int) -> Int {
        var next = first
        let depth = results.tokens[first].depth
        let memory = results.memories[depth - 1].bytes
        let end = min(results.tokens.count, first + Self.maximumLines)
        while next < end, results.tokens[next].depth == depth {
            if case .waiting = results.tokens[next].outcome {
                stage(next, results.tokens[next].place, of: memory.span)
            }
            next += 1
        }
        hashWaiting(of: memory.span)
        settle(first..<next)
        return next
    }

    /// Verifies the signatures of the batch, and judges the payloads of these tokens.
    private mutating func settle(_ tokens: Range<Int>) {
        if batch.count > 0 {
            context.signatures.verify(&batch)
            askAboutRevocation()
        }
        // Tokens that are settled together are of one depth. The values that all of them need are taken out once.
        guard let first = tokens.first else { return }
        let depth = results.tokens[first].depth
        let (memory, signers, judge) = (results.memories[depth].bytes, results.signers, context.judge)
        for index in tokens {
            guard case .signed(let token) = results.tokens[index].outcome else { continue }
            do throws(PayloadError) {
                let verified = try self.judge(
                    token, index, depth: depth, memory.span.extracting(token.payload),
                    of: signers[token.signer].signer,
                    signers[token.signer].revocation, judge)
                results.tokens[index].outcome = .verified(verified)
            } catch {
                results.settle(index, .failed(error))
            }
        }
        batch.removeAll()
    }

    /// Looks up the revocation status once for each signer of the batch. If the certificates pass for
    /// all dates, the payloads need no check of their own.
    private mutating func askAboutRevocation() {
        guard let checker = context.verifier.revocation else { return }
        let now = checker.now
        for index in results.signers.indices where results.signers[index].payloads > 0 {
            results.signers[index].passesRevocation =
                results.signers[index].known.revocation?.passes(at: now) ?? true
        }
    }

    /// Judges a payload once its signature was verified.
    private mutating func judge(
        _ token: BatchResults.SignedToken, _ index: Int, depth: Int, _ json: Span<UInt8>,
        of signer: TrustedSigner,
        _ revocation: SignerRevocation?, _ judge: Judge
    ) throws(PayloadError) -> BatchedPayload {
        guard batch.isValid(at: token.place) else {
            _ = try JWSSignature(Array(signatures[token.place * 64..<token.place * 64 + 64]))
            throw PayloadError(.signatureMismatch(signer: signer.signingCertificate))
        }
        let claims = try claims.read(json)
        let judgement = try judge.judge(claims, in: json, of: signer, revocation)
        var verified = BatchedPayload(
            kind: claims.kind, token: index, depth: depth, place: token.payload, date: judgement.date,
            signer: token.signer)
        if judgement.certificates != nil || revocation != nil {
            verified.judgement = results.judgements.count
            results.judgements.append(judgement)
        }
        return claims.nestedCount == 0 ? verified : results.add(tokensOf: claims, in: verified)
    }

    /// Tells the shared cache how many payloads each signer had, and takes over the tables that they earned.
    private mutating func countPayloads() {
        guard context.usesTables else { return }
        for index in results.signers.indices
        where results.signers[index].payloads > 0 || results.signers[index].table == nil {
            let signer = results.signers[index]
            signer.known.countPayloads(signer.payloads, budget: context.budget)
            results.signers[index].payloads = 0
            results.signers[index].table = signer.known.table
        }
        // A full list is emptied, so that it does not keep signers forever that the shared cache has dropped.
        if results.signers.count == KnownHeaders.capacity {
            results.signers.removeAll(keepingCapacity: true)
            lastSigner = 0
        }
    }
}
