internal import Libcrypto
internal import P256Verification
internal import Revocation
internal import WireFormats

/// A line of input, as the batch takes it.
package enum BatchLine: Sendable {
    /// The line's bytes in a buffer, without its end.
    case content(Range<Int>)
    /// A line longer than a line may be, which need not have been held.
    case oversized(bytes: Int, limit: Int)
}

/// The verdict on a line.
package enum LineVerdict: Sendable {
    /// A payload of the plainest form, verified; its JSON comes with the verdict.
    case plain(PlainVerdict)
    /// Any other payload, verified.
    case verified(VerifiedPayload)
    /// A failure.
    case failed(VerificationError)
}

/// A verified plain payload, without its JSON.
package struct PlainVerdict: Sendable {
    /// What the payload is about.
    package let kind: SignedPayloadKind
    let date: EffectiveDate
    let signer: KnownSigner

    /// The payload as single verification gives it. The copy of the JSON is its one allocation.
    package func verifiedPayload(_ json: Span<UInt8>) -> VerifiedPayload {
        var bytes: [UInt8] = []
        bytes.append(json)
        return VerifiedPayload(
            kind: kind, json: bytes, certificates: signer.commonCertificates, nested: [], date: date,
            revocation: signer.revocation?.findings ?? [])
    }
}

/// Verifies lines on one core: takes tokens apart, collects their signatures, verifies those together, and
/// reads the payloads whose signatures are good.
///
/// All memory is reserved once, and a plain payload under a known signer takes none of its own. Whatever is
/// out of the ordinary goes the way of one payload alone, so that verdicts and messages are the same.
package struct BatchPipeline: ~Copyable {
    /// The most lines that are verified together.
    package static let maximumLines = 512

    private let context: BatchContext
    private let decoder = Base64Decoder(alphabet: .url)
    private let names = MemberNames()
    private var marks = FlatJSON.QuotationMarks()
    private var signers: [LocalSigner] = []
    private var lastSigner = 0
    private var batch = P256Batch(capacity: BatchPipeline.maximumLines)
    private var pending: [Pending] = []
    /// How many of the pending lines have been decided one by one.
    private var decidedSingly = 0
    /// The decoded payloads and signatures of the pending lines.
    private var payloads = [UInt8](repeating: 0, count: 1 << 16)
    private var payloadsEnd = 0
    private var signatures = [UInt8](repeating: 0, count: BatchPipeline.maximumLines * 64)

    /// A signer that this worker has met, and its table as it was at the last look.
    private struct LocalSigner {
        let known: KnownSigner
        var table: P256KeyTable?
        var payloads = 0
        /// Whether nothing about revocation stands in the way of the payloads that are being settled.
        var passesRevocation = true
    }

    /// What is known of a line while signatures are being collected.
    private enum Pending {
        case signed(place: Int, payload: Range<Int>, signer: Int)
        case decided(LineVerdict)
    }

    package init(_ context: BatchContext) {
        self.context = context
        pending.reserveCapacity(Self.maximumLines)
    }

    /// How long lines that are decided alone may keep the verdicts on those before them waiting.
    private static let patience = Duration.milliseconds(3)

    /// Verifies lines of a buffer, as many as are verified together.
    ///
    /// - Parameters:
    ///   - lines: the lines.
    ///   - start: the place of the first to verify.
    ///   - end: the place behind the last.
    ///   - body: called for each line, in order, with its place among the lines, the verdict and, for a plain
    ///     payload, its JSON.
    /// - Returns: the place of the first that was not verified.
    package mutating func verify(
        _ lines: [BatchLine], from start: Int, to end: Int, of buffer: Span<UInt8>,
        _ body: (Int, LineVerdict, Span<UInt8>) -> Void
    ) -> Int {
        let began = ContinuousClock.now
        let limit = min(start + Self.maximumLines, end)
        var next = start
        var decided = 0
        while next < limit {
            stage(lines[next], of: buffer)
            next += 1
            guard decidedSingly > decided else { continue }
            decided = decidedSingly
            if began.duration(to: .now) > Self.patience { break }
        }
        settle(first: start, body)
        return next
    }

    // MARK: - Taking tokens apart

    private mutating func stage(_ line: BatchLine, of buffer: Span<UInt8>) {
        switch line {
        case .oversized(let bytes, let limit):
            pending.append(.decided(.failed(.tooLarge(bytes: bytes, limit: limit))))
        case .content(let range):
            let bytes = buffer.extracting(range)
            do throws(VerificationError) {
                if let token = try TokenEnvelope.token(in: bytes) {
                    stage(token.span)
                } else {
                    stage(bytes)
                }
            } catch {
                pending.append(.decided(.failed(error)))
            }
        }
    }

    private mutating func stage(_ token: Span<UInt8>) {
        guard token.count <= context.verifier.policy.maximumTokenBytes, let signer = signer(of: token) else {
            return decideSingly(token)
        }
        // A signature of 64 bytes takes 86 characters; the dot before it ends the payload.
        let start = signers[signer].known.beginning.count
        let dot = token.count - 87
        guard let table = signers[signer].table, dot >= start, token[dot] == UInt8(ascii: "."),
            let payload = decodePayload(token.extracting(start..<dot)),
            decoder.decode(token.extracting((dot + 1)...), into: &signatures, at: batch.count * 64)
        else { return decideSingly(token) }
        let digest = signers[signer].known.prefix.digest(continuedBy: token.extracting(start..<dot))
        let place = batch.append(
            signatures: signatures, at: batch.count * 64, digest: digest.span, key: table)
        guard let place else { return decideSingly(token) }
        signers[signer].payloads += 1
        payloadsEnd = payload.upperBound
        pending.append(.signed(place: place, payload: payload, signer: signer))
    }

    private mutating func decideSingly(_ token: Span<UInt8>) {
        decidedSingly += 1
        do throws(VerificationError) {
            let payload = try context.verifier.verify(token, receipts: context.receipts, context)
            pending.append(.decided(.verified(payload)))
        } catch {
            pending.append(.decided(.failed(error)))
        }
    }

    /// Decodes a payload behind those that are there.
    private mutating func decodePayload(_ text: Span<UInt8>) -> Range<Int>? {
        guard let count = decoder.byteCount(of: text) else { return nil }
        let range = payloadsEnd..<payloadsEnd + count
        if range.upperBound > payloads.count {
            payloads.append(contentsOf: repeatElement(0, count: range.upperBound))
        }
        return decoder.decode(text, into: &payloads, at: range.lowerBound) ? range : nil
    }

    /// The signer whose header the token begins with, if it was met before.
    private mutating func signer(of token: Span<UInt8>) -> Int? {
        if lastSigner < signers.count, signers[lastSigner].known.begins(token) { return lastSigner }
        guard context.usesTables,
            let dot = ByteScanning.firstIndex(of: UInt8(ascii: "."), in: token, from: 0),
            dot <= SignerCache.maximumHeaderBytes
        else { return nil }
        let header = token.extracting(..<dot)
        let fingerprint = KnownSigner.fingerprint(of: header)
        for index in signers.indices where signers[index].known.fingerprint == fingerprint {
            guard signers[index].known.presented(header) else { continue }
            lastSigner = index
            return index
        }
        guard let known = context.verifier.signers.signer(forHeader: header) else { return nil }
        // As many as the shared cache keeps; what is pending refers to the places of those that are here.
        guard signers.count < SignerCache.capacity else { return nil }
        signers.append(LocalSigner(known: known, table: known.table))
        lastSigner = signers.count - 1
        return lastSigner
    }

    // MARK: - Verdicts

    private mutating func settle(first: Int, _ body: (Int, LineVerdict, Span<UInt8>) -> Void) {
        if batch.count > 0 {
            context.signatures.verify(&batch)
            askAboutRevocation()
        }
        for index in pending.indices {
            switch pending[index] {
            case .decided(let verdict):
                let none = payloads.span.extracting(0..<0)
                body(first + index, verdict, none)
            case .signed(let place, let payload, let signer):
                let verdict = verdict(place: place, payload: payload, signer: signer)
                let text = payloads.span
                body(first + index, verdict, text.extracting(payload))
            }
        }
        pending.removeAll(keepingCapacity: true)
        decidedSingly = 0
        batch.removeAll()
        payloadsEnd = 0
        if payloads.count > Self.maximumPayloadBytes { payloads = [UInt8](repeating: 0, count: 1 << 16) }
        countPayloads()
    }

    /// The decoded payloads of a batch of ordinary ones take less than a mebibyte; what larger ones took is
    /// given back.
    private static let maximumPayloadBytes = 4 << 20

    /// Asks once for each signer of the pending lines: where its certificates pass for all dates, payloads are not
    /// looked at one by one.
    private mutating func askAboutRevocation() {
        guard let checker = context.verifier.revocation else { return }
        let now = checker.now
        for index in signers.indices where signers[index].payloads > 0 {
            signers[index].passesRevocation = signers[index].known.revocation?.passes(at: now) ?? true
        }
    }

    private mutating func verdict(place: Int, payload: Range<Int>, signer index: Int) -> LineVerdict {
        let signer = signers[index].known
        guard batch.isValid(at: place) else {
            do throws(VerificationError) {
                _ = try JWSSignature(Array(signatures[place * 64..<place * 64 + 64]))
                return .failed(
                    VerificationError(.signatureMismatch(signer: signer.signer.signingCertificate)))
            } catch {
                return .failed(error)
            }
        }
        let payloads = payloads
        let text = payloads.span
        if !signer.signer.isPinned, signers[index].passesRevocation,
            let plain = PlainPayload(text, in: payload, names: names, marks: &marks),
            signer.validity.contains(plain.date.second),
            context.plainPolicy.accepts(plain, in: text)
        {
            return .plain(
                PlainVerdict(kind: plain.kind, date: plain.date, signer: signer))
        }
        do throws(VerificationError) {
            let authentic = AuthenticPayload(bytes: Array(payloads[payload]), known: signer)
            return .verified(try context.verifier.verifyContent(of: authentic, context))
        } catch {
            return .failed(error)
        }
    }

    /// Tells the shared memory how busy each signer was, and takes over the tables that came of it.
    private mutating func countPayloads() {
        guard context.usesTables else { return }
        for index in signers.indices where signers[index].payloads > 0 || signers[index].table == nil {
            signers[index].known.countPayloads(signers[index].payloads, budget: context.budget)
            signers[index].payloads = 0
            signers[index].table = signers[index].known.table
        }
        // Signers that the shared memory has forgotten are not kept for ever.
        if signers.count == SignerCache.capacity {
            signers.removeAll(keepingCapacity: true)
            lastSigner = 0
        }
    }
}
