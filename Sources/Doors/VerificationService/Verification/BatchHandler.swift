#if Service
    internal import CoreMetrics
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import NIOCore
    internal import NIOPosix
    internal import Platform
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import Synchronization
    internal import PayloadOutput
    internal import WireFormats

    /// `POST /v1/verify/batch`: a verdict for every line.
    struct BatchHandler: Sendable {
        let apps: ServedApps
        let bodies: BodyReader
        let threads: NIOThreadPool
        let jobs: Int
        let metrics: ServiceMetrics
        let running: RunningBatches
        let room: SpoolRoom
        let logger: Logger

        /// The forms of the command's output that are one line for each line.
        private enum Output: String, CaseIterable { case ndjson, typed, rows }

        private enum Input: String, CaseIterable {
            case lines
            /// JSON of any shape, whose tokens are the lines. A body has the limit of one payload's.
            case anyJSON = "any-json"
        }

        private enum Answer: String, CaseIterable {
            /// Verdicts are sent while the lines come.
            case stream
            /// The answer begins when every line has its verdict, and says its length.
            case whole
        }

        func respond(to request: RouteRequest) async throws -> Response {
            try request.allowQuery(["answer", "app", "input", "output"])
            let app = try apps.app(for: request)
            let output = try request.view(Output.self, named: "output", default: .ndjson)
            let input = try request.view(Input.self, named: "input", default: .lines)
            let answer = try request.view(Answer.self, named: "answer", default: Self.answer(to: request))
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
            let flow = BatchFlow(
                app.payloads.policy, maximumAhead: jobs * 2, isWhole: answer == .whole, request.eventLoop)
            let run = BatchRun(
                body: request.request.body, flow: flow, spool: VerdictSpool(room), place: place, jobs: jobs,
                workers: ClosureExecutor(app.threads(or: threads)), logger: logger
            ) { await verdicts(on: $0, app, format) }
            return Response(
                status: .ok, headers: [.contentType: "application/x-ndjson"],
                body: answer == .whole
                    ? try await run.wholeBody() : ResponseBody { try await run.stream(to: &$0) })
        }

        /// A client that sends in chunks may read meanwhile, and wait for a verdict before it sends the next line.
        ///
        /// One that says a length has the whole body, and often reads nothing before it has sent it. nginx is one: once an
        /// answer has begun, it sends nothing more of the request.
        private static func answer(to request: RouteRequest) -> Answer {
            request.request.headers[.transferEncoding] == nil ? .whole : .stream
        }

        /// The verdicts on all tokens of a body.
        private func response(
            toJSON request: RouteRequest, _ app: ServedApp, _ format: OutputFormat
        ) async throws -> Response {
            let text = try await bodies.withBytes(of: request) { body in
                let answer: Result<ByteBuffer, JSONError> = await withTaskExecutorPreference(
                    ClosureExecutor(app.threads(or: threads))
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
            on chunk: LineChunk, _ app: ServedApp, _ format: OutputFormat
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
            metrics.app(app.name).batchLines.increment(by: chunk.lines.count)
            return text
        }

        /// How long a thread works on one batch's lines.
        private static let sliceTime = Duration.milliseconds(8)

        private func slice(
            of chunk: LineChunk, from start: Int, _ app: ServedApp, _ format: OutputFormat
        ) -> (text: ByteBuffer, next: Int) {
            var (writer, text, diagnostics) = (LineWriter(format), [UInt8](), [UInt8]())
            text.reserveCapacity(chunk.buffer.count)
            let metrics = metrics.app(app.name)
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
                        member: chunk.member(at: index), to: &text,
                        diagnostics: &diagnostics)
                    metrics.record(verdict.failure)
                }
            } while next < chunk.lines.count && began.duration(to: .now) < Self.sliceTime
            return (ByteBuffer(bytes: text), next)
        }
    }
#endif
