package import WireFormats

// Calls for servers: verdicts in a pipeline's memory, which are written without a copy of their payloads.
extension BatchVerifier {
    /// Verifies one line, a token, a JSON object around one or a receipt in base64, together with the lines of
    /// concurrent calls: as `verify(_:) async`, but the answer about the payload is written without a copy of it.
    ///
    /// Only for a revocation answer is the task suspended for long.
    ///
    /// - Parameters:
    ///   - line: the line, without its end.
    ///   - executor: runs the batch that the line begins, a few milliseconds at a time; `nil` for the threads of all
    ///     tasks.
    ///   - write: writes the answer; called once, on any thread.
    package func answer(
        on line: [UInt8], executor: (any TaskExecutor)? = nil,
        _ write: @escaping @Sendable (LineVerdict, borrowing BatchResults) -> LineAnswer
    ) async -> LineAnswer {
        let request = LineRequest(line: line, write: write)
        for _ in 0..<Self.maximumAnswers {
            let answer = await coalescedAnswer(on: request, executor)
            guard let awaited = answer.failure?.awaitedCertificate else { return answer }
            await payloads.revocation?.answer(about: awaited)
            await receipts?.revocation?.answer(about: awaited)
        }
        return await coalescedAnswer(on: request, executor)
    }

    private func coalescedAnswer(
        on request: LineRequest, _ executor: (any TaskExecutor)?
    ) async -> LineAnswer {
        await lineRequests.verdict(on: request, executor: executor) { requests, body in
            var (lines, buffer): ([BatchLine], [UInt8]) = ([], [])
            if requests.count == 1 { buffer = requests[0].line }
            for request in requests {
                let start = requests.count == 1 ? 0 : buffer.count
                if requests.count > 1 { buffer += request.line }
                lines.append(BatchLine(start..<buffer.count, of: buffer.span, payloads.policy.lineLimits))
            }
            var verified = 0
            notWaiting.pipelines.withPipeline(notWaiting.context) { pipeline in
                verified = pipeline.verify(lines, from: 0, to: lines.count, of: buffer.span) {
                    body($0, requests[$0].write($1, $2))
                }
            }
            return verified
        }
    }

    /// Verifies the first lines of a range on the caller's thread, which waits for revocation answers. It takes a few
    /// milliseconds.
    ///
    /// - Parameter body: called for each line, in order, with its index, the verdict and its results.
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

/// A line of a request, with the function that writes the answer.
struct LineRequest: Sendable {
    let line: [UInt8]
    let write: @Sendable (LineVerdict, borrowing BatchResults) -> LineAnswer
}

/// The text that is written about a line, and why it is not verified; `nil` if it is.
package struct LineAnswer: Sendable {
    package let text: [UInt8]
    package let failure: PayloadError?

    package init(text: [UInt8], failure: PayloadError?) { (self.text, self.failure) = (text, failure) }
}
