// What servers call: verdicts in a pipeline's memory, which are written without a copy of their payloads.
extension BatchVerifier {
    /// Verifies one line: a token, a JSON object around one, or a receipt in base64.
    ///
    /// It decides on the caller's thread, which takes as long as a few signatures. Only for a revocation answer is the task
    /// suspended.
    ///
    /// - Parameters:
    ///   - line: the line, without its end.
    ///   - body: called once, with the verdict and what it refers to.
    package func withVerdict<Result>(
        on line: [UInt8], _ body: (LineVerdict, borrowing BatchResults) -> Result
    ) async -> Result? {
        let lines = [BatchLine(0..<line.count, of: line.span, verifier.policy)]
        for attempt in 0...Self.maximumAnswers {
            var awaited: CertificateDescription?
            var result: Result?
            notWaiting.pipelines.withPipeline(notWaiting.context) { pipeline in
                _ = pipeline.verify(lines, from: 0, to: 1, of: line.span) { _, verdict, results in
                    awaited = attempt < Self.maximumAnswers ? verdict.failure?.awaitedCertificate : nil
                    if awaited == nil { result = body(verdict, results) }
                }
            }
            guard let awaited else { return result }
            await verifier.revocation?.answer(about: awaited)
            await receipts?.revocation?.answer(about: awaited)
        }
        return nil
    }

    /// Verifies the first lines of a range on the caller's thread, which waits for revocation answers. It takes a few
    /// milliseconds.
    ///
    /// - Parameter body: called for each line, in order, with its index, the verdict and what that refers to.
    /// - Returns: the index of the first line that was not verified.
    package func verify(
        _ lines: [BatchLine], from start: Int, of buffer: Span<UInt8>,
        _ body: (Int, LineVerdict, borrowing BatchResults) -> Void
    ) -> Int {
        var next = start
        waiting.pipelines.withPipeline(waiting.context) { pipeline in
            next = pipeline.verify(lines, from: start, to: lines.count, of: buffer, body)
        }
        return next
    }
}
