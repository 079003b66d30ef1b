#if Service
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import NIOCore
    internal import NIOPosix
    internal import Platform
    internal import SignedPayloads

    /// One batch: its body is read, its lines are verified, and its verdicts are written.
    ///
    /// An answer that is not complete never looks complete. One in chunks lacks its last chunk, one with a length is
    /// shorter, and one that has not begun becomes a problem.
    struct BatchRun: Sendable {
        let body: RequestBody
        let flow: BatchFlow
        let spool: VerdictSpool
        /// Is kept until the batch has ended, or another one takes it. Where the batch ends, `extendLifetime(_:)` says so:
        /// a value may be released behind its last use.
        let place: RunningBatches.Place
        let jobs: Int
        let workers: ClosureExecutor
        let logger: Logger
        /// The verdicts on lines, as text.
        let verdicts: @Sendable (LineChunk) async -> ByteBuffer

        /// The threads that wait for the disk.
        private var files: NIOThreadPool { .singleton }

        // MARK: - The two answers

        /// Writes verdicts while the lines come.
        func stream(to writer: inout any ResponseBodyWriter) async throws {
            defer { extendLifetime(place) }
            // The place must not refer to this value, which refers to the place.
            place.whenTaken { [flow] in flow.end() }
            // A task that waits on the flow is not woken by cancellation, so the handler ends the flow.
            try await withTaskCancellationHandler {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    addTasks(to: &group)
                    group.addTask { try await spoolWhenPossible() }
                    defer { flow.end() }
                    try await write(to: &writer)
                    // A body that breaks off has no end: the verdicts so far must not look like all.
                    try await group.waitForAll()
                }
            } onCancel: {
                flow.end()
            }
            try await writer.finish(nil)
        }

        /// Reads the whole body, and verifies all of its lines.
        ///
        /// - Returns: the verdicts, with their length.
        /// - Throws: a `Problem`, when the whole body has come: a client may read nothing before it has sent everything.
        func wholeBody() async throws -> ResponseBody {
            // The place must not refer to this value, which refers to the place.
            place.whenTaken { [flow] in flow.end() }
            let bytes = try await withTaskCancellationHandler {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    // Otherwise the other tasks would wait for ever.
                    var isComplete = false
                    defer { if !isComplete { flow.end() } }
                    addTasks(to: &group)
                    group.addTask { try await spoolOrEnd() }
                    let bytes = await flow.wholeBytes()
                    if place.isTaken { throw Self.placeTaken }
                    try await group.waitForAll()
                    guard let bytes else { throw CancellationError() }
                    isComplete = true
                    return bytes
                }
            } onCancel: {
                flow.end()
            }
            return ResponseBody(contentLength: bytes) { writer in
                defer { extendLifetime(place) }
                try await withTaskCancellationHandler {
                    try await write(to: &writer)
                } onCancel: {
                    flow.end()
                }
                try await writer.finish(nil)
            }
        }

        // MARK: - The tasks

        /// One that reads the body, and those that verify its lines.
        private func addTasks(to group: inout ThrowingTaskGroup<Void, any Error>) {
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
                        flow.add(await verdicts(work.chunk), at: work.place)
                    }
                }
            }
        }

        /// Spools verdicts. If there is no room, the batch goes on when the client reads, and its lines wait until then.
        private func spoolWhenPossible() async throws {
            var isLogged = false
            while let text = await flow.verdictsToSpool() {
                do {
                    try await append(text)
                } catch let error as SpoolError {
                    flow.didNotSpool(text)
                    if !isLogged { log(error, "a batch waits for its client to read") }
                    isLogged = true
                }
            }
        }

        /// Spools verdicts. If there is no room, the batch ends, and the rest of its body is read and passed over.
        private func spoolOrEnd() async throws {
            while let text = await flow.verdictsToSpool() {
                do {
                    try await append(text)
                } catch let error as SpoolError {
                    flow.end()
                    log(error, "a batch is refused")
                    throw Problem(error)
                }
            }
        }

        private func append(_ text: ByteBuffer) async throws {
            try await files.runIfActive { try spool.append(text) }
            flow.didSpool(text.readableBytes)
        }

        /// Writes all verdicts.
        ///
        /// - Throws: also if the flow has ended before.
        private func write(to writer: inout any ResponseBodyWriter) async throws {
            while true {
                switch await flow.output() {
                case .verdicts(let text):
                    try await writer.write(text)
                    place.count(text.readableBytes)
                case .spooled(let bytes):
                    let text = try await spooledText(atMost: bytes)
                    try await writer.write(text)
                    place.count(text.readableBytes)
                    flow.didTake(text.readableBytes)
                case .end:
                    if place.isTaken { throw RunningBatches.PlaceTaken() }
                    return try Task.checkCancellation()
                }
            }
        }

        private func spooledText(atMost bytes: Int) async throws -> ByteBuffer {
            do {
                return try await files.runIfActive { try spool.take(atMost: bytes) }
            } catch {
                if let error = error as? SpoolError { log(error, "a batch's answer is cut off") }
                throw error
            }
        }

        // MARK: - Failures

        private static var placeTaken: Problem {
            Problem(
                .serviceUnavailable,
                "This batch was stopped in favour of another because it sent less than a kilobyte a second; send it again, without pauses.",
                headers: [.retryAfter: "5"], closes: true)
        }

        private func log(_ error: SpoolError, _ what: Logger.Message) {
            let reason =
                switch error {
                case .full(let limit), .tooLong(let limit):
                    "the verdicts that wait for clients have all of the \(limit) bytes of --max-spool-bytes"
                case .file(let error): "a file in --spool-folder: \(error)"
                }
            logger.warning(what, metadata: ["reason": .string(reason)])
        }
    }

    extension Problem {
        /// The verdicts of a batch cannot wait until its body has come whole.
        fileprivate init(_ error: SpoolError) {
            switch error {
            case .tooLong(let limit):
                self.init(
                    .contentTooLarge,
                    "The verdicts on this batch are longer than the \(limit) bytes that the service keeps (--max-spool-bytes); send fewer lines, or send them in chunks and read meanwhile."
                )
            case .full(let limit):
                self.init(
                    .serviceUnavailable,
                    "The verdicts on other batches have all of the \(limit) bytes that the service keeps (--max-spool-bytes); send this batch again.",
                    headers: [.retryAfter: "5"])
            case .file:
                self.init(
                    .serviceUnavailable,
                    "The service's disk does not take the verdicts on this batch, and its log says why; send it again later, or in chunks and read meanwhile.",
                    headers: [.retryAfter: "10"])
            }
        }
    }
#endif
