import ArgumentParser
import SignedPayloads

/// One run over all inputs: reads lines, has them verified on several cores, writes verdicts in their order.
struct VerificationRun {
    /// Lines that one core takes at a time, at first and at most. Judging a chain anew takes up to 3 ms, and
    /// a verdict is due within 50; where lines turn out to take less, more are taken, for the more signatures
    /// are verified together, the less each of them costs.
    private static let linesPerSlice = 16...256
    /// How long a slice should take.
    private static let sliceTime = Duration.milliseconds(4)...Duration.milliseconds(15)

    /// Lines that are being verified, slice by slice.
    private struct Work {
        let batch: LineReader.Batch
        let tasks: [VerificationPool.Task]
    }

    let format: OutputFormat
    let showsProgress: Bool
    private(set) var tally = Tally()
    private let maximumTokenBytes: Int
    private let pool: VerificationPool
    private var slice = VerificationRun.linesPerSlice.lowerBound
    private var isDisputed = false
    private var interruption: Interruption?

    init(
        verifier: SignedPayloadVerifier, engine: BatchVerifier.Engine, auditor: SignedPayloadVerifier?,
        jobs: Int,
        format: OutputFormat, showsProgress: Bool
    ) {
        maximumTokenBytes = verifier.policy.maximumTokenBytes
        let context = BatchContext(verifier, engine: engine)
        pool = VerificationPool((0..<jobs).map { _ in SliceWorker(context, auditor: auditor) })
        self.format = format
        self.showsProgress = showsProgress
    }

    /// Verifies all inputs; a file that cannot be read does not keep the others from being read.
    mutating func verify(_ files: [String]) -> ExitCode {
        defer { pool.stop() }
        var unreadable = false
        do throws(SystemError) {
            let interruption = try Interruption()
            self.interruption = interruption
            for file in files where !interruption.request.isMade {
                let input: FileDescriptor
                do throws(SystemError) {
                    input =
                        file == "-"
                        ? FileDescriptor(borrowing: FileDescriptor.standardInput) : try .open(file)
                } catch {
                    StandardError.say(unreadable: file, error)
                    unreadable = true
                    continue
                }
                if let error = try verify(
                    input, named: file, ofSeveral: files.count > 1, interruption.request)
                {
                    StandardError.say(unreadable: file, error)
                    unreadable = true
                }
            }
        } catch {
            // A reader that has seen enough is no failure.
            if error == .brokenPipe { return tally.failed > 0 ? .unverified : .success }
            StandardError.say("standard output: \(error)")
            return .unwritableOutput
        }
        if isDisputed { return .auditFailed }
        if unreadable { return .unreadableInput }
        return tally.failed > 0 ? .unverified : .success
    }

    /// Ends the process by the signal that interrupted it, if one did.
    func endIfInterrupted() { interruption?.endProcess() }

    /// Verifies one input.
    ///
    /// - Returns: why it could not be read to its end, if it could not.
    /// - Throws: why output could not be written.
    private mutating func verify(
        _ input: consuming FileDescriptor, named file: String, ofSeveral: Bool, _ stopRequest: StopRequest
    ) throws(SystemError) -> SystemError? {
        let writer = VerdictWriter(format: format, file: ofSeveral ? file : nil)
        var progress = Progress(isShown: showsProgress, file: file, totalBytes: input.regularFileBytes)
        input.enlargePipe()
        let reader = ReadAhead(
            LineReader(input, maximumTokenBytes: maximumTokenBytes), stopRequest: stopRequest)
        var seen = InputProgress()
        defer {
            tally.empty += seen.emptyLines
            progress.clear()
        }
        reader.start(reusing: [])
        var spare: [UInt8] = []
        var current: Work?
        while true {
            // While more is there already, the cores get it before the verdicts on the last are waited for.
            if let work = current, !reader.isReady {
                try finish(work, progress: &progress)
                spare = work.batch.buffer
                current = nil
            }
            let batch: LineReader.Batch?
            do throws(SystemError) {
                batch = try reader.take()
            } catch {
                if let work = current { try finish(work, progress: &progress) }
                return error
            }
            guard let batch else {
                if let work = current { try finish(work, progress: &progress) }
                return nil
            }
            reader.start(reusing: spare)
            spare = []
            let next = start(batch, writer: writer)
            if let work = current {
                try finish(work, progress: &progress)
                spare = work.batch.buffer
            }
            current = next
            seen = batch.progress
            progress.update(bytes: seen.bytes, lines: seen.lines)
        }
    }

    /// Hands the lines of a batch out, in slices.
    private func start(_ batch: LineReader.Batch, writer: VerdictWriter) -> Work {
        let starts = stride(from: 0, to: batch.lines.count, by: slice)
        let tasks = starts.map { start in
            pool.start(start..<min(start + slice, batch.lines.count), of: batch, writer: writer)
        }
        return Work(batch: batch, tasks: tasks)
    }

    /// Writes the verdicts on a batch, in the order of its lines, as they come.
    private mutating func finish(_ work: Work, progress: inout Progress) throws(SystemError) {
        var output = BufferedOutput()
        for task in work.tasks {
            let verdicts = task.wait()
            tally.add(verdicts.tally)
            output.append(verdicts.output)
            if !verdicts.diagnostics.isEmpty {
                progress.clear()
                StandardError.write(String(decoding: verdicts.diagnostics, as: UTF8.self))
            }
            report(verdicts.disputed, progress: &progress)
            adapt(to: verdicts.time)
            try output.flushIfDue(before: { progress.clear() })
        }
        try output.flush(before: { progress.clear() })
    }

    private mutating func adapt(to time: Duration) {
        let limits = Self.linesPerSlice
        if time < Self.sliceTime.lowerBound { slice = min(slice * 2, limits.upperBound) }
        if time > Self.sliceTime.upperBound { slice = max(slice / 2, limits.lowerBound) }
    }

    private mutating func report(_ disputed: [Int], progress: inout Progress) {
        guard !disputed.isEmpty else { return }
        isDisputed = true
        progress.clear()
        for line in disputed {
            StandardError.say(
                "AUDIT FAILED: libcrypto comes to another verdict on line \(line); please report it")
        }
    }
}
