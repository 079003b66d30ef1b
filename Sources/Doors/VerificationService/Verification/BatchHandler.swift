#if Service
    internal import CoreMetrics
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore
    internal import NIOPosix
    internal import Platform
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import Synchronization
    internal import PayloadOutput
    internal import WireFormats

    /// `POST /v1/verify/batch`: a verdict for every line, while the lines come.
    struct BatchHandler: Sendable {
        let apps: ServedApps
        let bodies: BodyReader
        let threads: NIOThreadPool
        let jobs: Int
        let metrics: ServiceMetrics
        let running: RunningBatches

        /// The forms of the command's output that are one line for each line.
        private enum Output: String, CaseIterable { case ndjson, typed, rows }

        private enum Input: String, CaseIterable {
            case lines
            /// JSON of any shape, whose tokens are the lines. A body has the limit of one payload's.
            case anyJSON = "any-json"
        }

        func respond(to request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app", "input", "output"])
            let app = try apps.app(for: request)
            let output = try request.view(Output.self, named: "output", default: .ndjson)
            let input = try request.view(Input.self, named: "input", default: .lines)
            let format = OutputFormat(rawValue: output.rawValue) ?? .ndjson
            // It is short, so it takes no place.
            if input == .anyJSON { return try await response(toJSON: request, app, format) }
            try bodies.checkForm(of: request.request)
            guard let place = running.take() else {
                throw Problem(
                    .serviceUnavailable,
                    "\(RunningBatches.maximum) batches are running; send this one when one has ended.",
                    headers: [.retryAfter: "5"], closes: true)
            }
            request.inviteBody()
            let (body, eventLoop) = (request.request.body, request.eventLoop)
            return Response(
                status: .ok, headers: [.contentType: "application/x-ndjson"],
                body: ResponseBody { writer in try await run(body, app, format, eventLoop, &writer, place) })
        }

        /// - Parameter place: is kept until the batch has ended, or another one takes it.
        private func run(
            _ body: RequestBody, _ app: ServedApp, _ format: OutputFormat, _ eventLoop: any EventLoop,
            _ writer: inout any ResponseBodyWriter,
            _ place: RunningBatches.Place
        ) async throws {
            let flow = BatchFlow(app.payloads.policy, maximumAhead: jobs * 2, eventLoop)
            let workers = ClosureExecutor(threads)
            place.whenTaken { flow.end() }
            // A task that waits on the flow is not woken by cancellation, so the handler ends the flow.
            try await withTaskCancellationHandler {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    // A body that breaks off ends the flow, on which the other tasks wait.
                    group.addTask {
                        do {
                            for try await part in body {
                                place.count(part.readableBytes)
                                await flow.add(part)
                            }
                            flow.finish()
                        } catch {
                            flow.end()
                            throw error
                        }
                    }
                    for _ in 0..<jobs {
                        group.addTask(executorPreference: workers) {
                            while let work = await flow.next() {
                                flow.add(await verdicts(on: work.chunk, app, format), at: work.place)
                            }
                        }
                    }
                    defer { flow.end() }
                    while let verdicts = await flow.verdicts() { try await writer.write(verdicts) }
                    // A body that breaks off has no end: the verdicts so far must not look like all.
                    if place.isTaken { throw RunningBatches.PlaceTaken() }
                    try await group.waitForAll()
                }
            } onCancel: {
                flow.end()
            }
            try await writer.finish(nil)
            place.keep()
        }

        /// The verdicts on all tokens of a body.
        private func response(
            toJSON request: RouteRequest, _ app: ServedApp, _ format: OutputFormat
        ) async throws -> Response {
            let text = try await bodies.withBytes(of: request) { body in
                let answer: Result<ByteBuffer, JSONError> = await withTaskExecutorPreference(
                    ClosureExecutor(threads)
                ) {
                    do throws(JSONError) {
                        let chunk = try LineAssembler.tokens(in: body, app.payloads.policy.lineLimits)
                        return .success(await verdicts(on: chunk, app, format))
                    } catch {
                        return .failure(error)
                    }
                }
                switch answer {
                case .success(let text): return text
                case .failure(let error): throw Problem(.badRequest, "The body is not JSON: \(error).")
                }
            }
            return Response(
                status: .ok, headers: [.contentType: "application/x-ndjson"],
                body: ResponseBody(byteBuffer: text))
        }

        /// The verdicts on lines, as text. A thread is used for some milliseconds at a time, so that lines of other batches
        /// have their turn.
        private func verdicts(
            on chunk: LineAssembler.Chunk, _ app: ServedApp, _ format: OutputFormat
        ) async -> ByteBuffer {
            var (next, text) = (0, ByteBuffer())
            while next < chunk.lines.count {
                if next > 0 { await Task.yield() }
                let slice = slice(of: chunk, from: next, app, format)
                next = slice.next
                if text.readableBytes == 0 {
                    text = slice.text
                } else {
                    _ = text.writeImmutableBuffer(slice.text)
                }
            }
            metrics.batchLines.increment(by: chunk.lines.count)
            return text
        }

        /// How long a thread works on one batch's lines.
        private static let sliceTime = Duration.milliseconds(8)

        private func slice(
            of chunk: LineAssembler.Chunk, from start: Int, _ app: ServedApp, _ format: OutputFormat
        ) -> (text: ByteBuffer, next: Int) {
            var (writer, text, diagnostics) = (LineWriter(format), [UInt8](), [UInt8]())
            text.reserveCapacity(chunk.buffer.count)
            let began = ContinuousClock.now
            var next = start
            repeat {
                next = app.batch.verify(chunk.lines, from: next, of: chunk.buffer.span) {
                    index, verdict, results in
                    var verdict = verdict
                    let place = chunk.lines[index].place
                    writer.append(
                        &verdict, results, line: chunk.numbers[index],
                        text: chunk.buffer.span.extracting(place),
                        member: chunk.members.isEmpty ? nil : chunk.members[index], to: &text,
                        diagnostics: &diagnostics)
                    metrics.record(verdict.failure)
                }
            } while next < chunk.lines.count && began.duration(to: .now) < Self.sliceTime
            return (ByteBuffer(bytes: text), next)
        }
    }
#endif
