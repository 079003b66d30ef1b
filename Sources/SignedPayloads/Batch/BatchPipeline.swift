internal import Libcrypto
internal import P256Verification
internal import Revocation
internal import WireFormats

/// A line of input to the batch.
package enum BatchLine: Sendable {
    /// The range of the line's bytes in a buffer, without the line ending.
    case content(Range<Int>)
    /// A line longer than the limit. Its bytes need not have been kept.
    case oversized(bytes: Int, limit: Int)
}

/// The verdict on a line.
package enum LineVerdict: Sendable {
    /// A verified payload of the plain form; its JSON is passed beside the verdict.
    case plain(PlainVerdict)
    /// Any other verified payload.
    case verified(VerifiedPayload)
    /// The payload is not verified.
    case failed(VerificationError)
}

/// A verified plain payload, without its JSON.
package struct PlainVerdict: Sendable {
    /// The kind of payload.
    package let kind: SignedPayloadKind
    let date: EffectiveDate
    let signer: KnownSigner

    /// The payload in the form that single verification returns. Copying the JSON is its only allocation.
    package func verifiedPayload(_ json: Span<UInt8>) -> VerifiedPayload {
        var bytes: [UInt8] = []
        bytes.append(json)
        return VerifiedPayload(
            kind: kind, json: bytes, certificates: signer.commonCertificates, nested: [], date: date,
            revocation: signer.revocation?.findings ?? [])
    }
}

/// Verifies lines on one core: it splits the tokens, collects their signatures, verifies these together, and
/// reads the payloads whose signatures are good.
///
/// All memory is reserved once; a plain payload from a known signer allocates nothing. Every other token is
/// verified as single verification does it, so that verdicts and messages are the same.
package struct BatchPipeline: ~Copyable {
    /// The maximum number of lines that are verified together.
    package static let maximumLines = 512

    private let context: BatchContext
    private let decoder = Base64Decoder(alphabet: .url)
    private let names = MemberNames()
    private var marks = FlatJSON.QuotationMarks()
    private var signers: [LocalSigner] = []
    private var lastSigner = 0
    private var batch = P256Batch(capacity: BatchPipeline.maximumLines)
    private var pending: [Pending] = []
    /// The number of pending lines that were decided one by one.
    private var decidedSingly = 0
    /// The decoded payloads of the pending lines; their signatures are in `signatures`.
    private var payloads = [UInt8](repeating: 0, count: 1 << 16)
    private var payloadsEnd = 0
    private var signatures = [UInt8](repeating: 0, count: BatchPipeline.maximumLines * 64)

    /// A signer that this worker has met, with the table that its key had when the worker last looked.
    private struct LocalSigner {
        let known: KnownSigner
        var table: P256KeyTable?
        var payloads = 0
        /// Whether the revocation status lets all payloads of this signer pass, whatever their date.
        var passesRevocation = true
    }

    /// The state of a line while signatures are being collected.
    private enum Pending {
        case signed(place: Int, payload: Range<Int>, signer: Int)
        case decided(LineVerdict)
    }

    package init(_ context: BatchContext) {
        self.context = context
        pending.reserveCapacity(Self.maximumLines)
    }

    /// The maximum time that lines decided one by one may delay the verdicts on earlier lines.
    private static let patience = Duration.milliseconds(3)

    /// Verifies the first lines of a range, at most `maximumLines` of them.
    ///
    /// - Parameters:
    ///   - lines: the lines.
    ///   - start: the index of the first line to verify.
    ///   - end: the index after the last line.
    ///   - body: called for each line, in order, with the line's index, the verdict and, for a plain payload,
    ///     its JSON.
    /// - Returns: the index of the first line that was not verified.
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

    // MARK: - Splitting tokens

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
        // A signature of 64 bytes takes 86 characters. The dot before it ends the payload.
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

    /// Decodes a payload into the buffer, after the payloads that are already there.
    private mutating func decodePayload(_ text: Span<UInt8>) -> Range<Int>? {
        guard let count = decoder.byteCount(of: text) else { return nil }
        let range = payloadsEnd..<payloadsEnd + count
        if range.upperBound > payloads.count {
            payloads.append(contentsOf: repeatElement(0, count: range.upperBound))
        }
        return decoder.decode(text, into: &payloads, at: range.lowerBound) ? range : nil
    }

    /// The index of the known signer whose header the token begins with; `nil` if there is none.
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
        // The same limit as the shared cache's. Removing an entry here would break the indices in `pending`.
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

    /// A batch of ordinary payloads decodes to less than 1 MiB. If large payloads have made the buffer grow
    /// beyond this limit, it is replaced by a small one.
    private static let maximumPayloadBytes = 4 << 20

    /// Looks up the revocation status once for each signer of the pending lines. If the certificates pass for
    /// all dates, the payloads need no check of their own.
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

    /// Tells the shared cache how many payloads each signer had, and takes over the tables that they earned.
    private mutating func countPayloads() {
        guard context.usesTables else { return }
        for index in signers.indices where signers[index].payloads > 0 || signers[index].table == nil {
            signers[index].known.countPayloads(signers[index].payloads, budget: context.budget)
            signers[index].payloads = 0
            signers[index].table = signers[index].known.table
        }
        // A full list is emptied, so that it does not keep signers forever that the shared cache has dropped.
        if signers.count == SignerCache.capacity {
            signers.removeAll(keepingCapacity: true)
            lastSigner = 0
        }
    }
}
