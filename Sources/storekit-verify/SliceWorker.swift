import SignedPayloads

/// What one core made of its lines.
struct VerdictSlice: Sendable {
    var output: [UInt8] = []
    var diagnostics: [UInt8] = []
    var tally = Tally()
}

/// Verifies consecutive lines on one core.
struct SliceWorker: Sendable {
    let verifier: SignedPayloadVerifier
    let writer: VerdictWriter

    /// The verdicts on the lines, written in their order.
    func verdicts(on range: Range<Int>, of batch: LineReader.Batch) -> VerdictSlice {
        var slice = VerdictSlice()
        for index in range {
            let (number, line) = batch.lines[index]
            let verdict = verdict(on: line, in: batch.buffer)
            slice.tally.count(verdict)
            writer.append(verdict, line: number, to: &slice.output, diagnostics: &slice.diagnostics)
        }
        return slice
    }

    private func verdict(on line: LineReader.Line, in buffer: [UInt8]) -> Verdict {
        switch line {
        case .oversized(let bytes, let limit): return .failure(.tooLarge(bytes: bytes, limit: limit))
        case .content(let range):
            do throws(VerificationError) {
                return .success(try verifier.verify(line: buffer.span.extracting(range)))
            } catch {
                return .failure(error)
            }
        }
    }
}
