import CommandSupport
import PayloadOutput
import Platform

#if SQLite
    import ArgumentParser
    import SignedPayloads
    import PurchaseDatabase

    /// One run over all inputs that puts their payloads into a database. As in a `VerificationRun`, each core reads
    /// lines and verifies them.
    struct IngestRun {
        /// Where the verdicts on refused lines go.
        enum Refusals {
            /// A sentence each on standard error.
            case named
            /// A JSON object each in a file.
            case file(SharedFile)
            /// Nowhere.
            case unnamed
        }

        let store: SQLiteTransactionStore
        let refusals: Refusals
        let delivered: Bool
        let takesJSONApart: Bool
        let kept: KeptLines?
        let jobs: Int
        let showsProgress: Bool
        private(set) var tally = Tally()
        private(set) var counts = ImportQueue.Counts()

        /// Reads all inputs, until a stop is requested. A file that cannot be read does not affect the others.
        mutating func ingest(_ files: [FileName], _ stopRequest: StopRequest) -> ExitCode {
            let queue = ImportQueue(store, delivered: delivered, kept, stopRequest)
            var outcome = RunOutcome()
            var status = ExitCode.success
            do throws(SystemError) {
                try outcome.forEach(of: files, stopRequest) { outcome, input, name throws(SystemError) in
                    try ingest(
                        input, named: name, name.label(among: files), to: queue, stopRequest, &outcome)
                }
                status = outcome.status
            } catch {
                StandardError.say("the file of refused lines: \(error)")
                status = .unwritableOutput
            }
            // Lines that were read before a stop are kept too.
            queue.flush()
            let failure: SQLiteStoreError?
            (counts, failure) = queue.outcome
            guard let failure else { return status }
            StandardError.say("\(failure)")
            return .unwritableOutput
        }

        /// - Returns: why the input could not be read to its end; `nil` if it could.
        /// - Throws: why the file of refused lines could not be written.
        private mutating func ingest(
            _ file: consuming FileDescriptor, named name: FileName, _ label: FileName?, to queue: ImportQueue,
            _ stopRequest: StopRequest, _ outcome: inout RunOutcome
        ) throws(SystemError) -> InputError? {
            let job = IngestJob(
                store: store, delivered: delivered, writer: LineWriter(refusals.format, file: label?.text))
            let totalBytes = file.regularFileBytes
            file.enlargePipe(to: 1 << 20)
            queue.beginInput()
            let reader = LineReader(
                file, store.verifier.policy.lineLimits, takesJSONApart: takesJSONApart)
            let input = InputQueue(reader, stopRequest) { queue.expect(idleInput: $0) }
            // Two chunks for each job: one that is being written, and one that is being verified.
            let output = OrderedOutput(
                Progress(isShown: showsProgress), of: name.visible, totalBytes: totalBytes, chunks: jobs * 2,
                stopRequest, to: refusals.write)
            Threads.run(jobs) { _, callAnother in job.run(input, queue, output, callAnother: callAnother) }

            let (read, written) = (input.outcome, output.outcome)
            tally.add(written.tally)
            tally.empty += read.emptyLines
            outcome.hasFailures = tally.failed > 0
            if let failure = written.failure { throw failure }
            return read.failure
        }
    }

    extension IngestRun.Refusals {
        /// The form of the verdicts.
        fileprivate var format: OutputFormat {
            switch self {
            // Failures alone, as sentences.
            case .named: .payload
            case .file: .ndjson
            case .unnamed: .none
            }
        }

        @Sendable fileprivate func write(_ lines: [UInt8]) throws(SystemError) {
            if case .file(let file) = self { try file.descriptor.write(lines) }
        }
    }

    /// A file that threads write to, one after the other.
    ///
    /// `OrderedOutput` writes from one thread at a time, so no lock is needed here.
    final class SharedFile: Sendable {
        let descriptor: FileDescriptor

        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    /// Takes lines from an input, verifies them, and passes them on, chunk by chunk.
    ///
    /// `VerificationJob` has the same steps. It writes the verdict on a line, where this job keeps the payload.
    private struct IngestJob: Sendable {
        let store: SQLiteTransactionStore
        let delivered: Bool
        let writer: LineWriter

        func run(
            _ input: InputQueue, _ queue: ImportQueue, _ output: OrderedOutput, callAnother: () -> Void
        ) {
            var chunk = LineReader.Chunk()
            var writer = writer
            var isFirst = true
            while output.waitForRoom(), let number = input.next(into: &chunk) {
                if isFirst, !chunk.isLast { callAnother() }
                isFirst = false
                let start = ContinuousClock.now
                var time = Duration.zero
                var verdicts = output.emptyVerdicts(after: chunk.progress)
                do throws(SQLiteStoreError) {
                    let prepared = try store.prepare(
                        chunk.text.lines, of: chunk.text.buffer, delivered: delivered)
                    for (index, verdict) in prepared.verdicts.enumerated() {
                        var error: PayloadError?
                        if case .failure(let failure) = verdict {
                            error = chunk.text.member(at: index).map(failure.inside) ?? failure
                        }
                        verdicts.tally.count(error)
                        guard let error else { continue }
                        writer.append(
                            error, line: chunk.text.numbers[index], to: &verdicts.text,
                            diagnostics: &verdicts.diagnostics)
                    }
                    time = start.duration(to: .now)
                    queue.add(prepared, ofChunk: number, lastLine: chunk.text.numbers.last ?? 0)
                } catch {
                    queue.fail(error)
                }
                output.add(&verdicts, ofChunk: number, isLast: true)
                // The last step, because it waits while another thread waits for input.
                input.adapt(toChunkOf: chunk.text.lines.count, time: time)
            }
        }
    }
#endif
