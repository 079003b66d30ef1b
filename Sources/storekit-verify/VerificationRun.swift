import ArgumentParser
import Dispatch
import SignedPayloads
import Synchronization

/// One run over all inputs: reads lines, has them verified on several cores, writes verdicts in their order.
struct VerificationRun {
    /// Lines that one core takes at a time, at first and at most. Judging a chain anew takes up to 3 ms, and
    /// a verdict is due within 50; where lines turn out to take less, more are taken, for the more signatures
    /// are verified together, the less each of them costs.
    private static let linesPerSlice = 16...2048
    /// How long a slice should take.
    private static let sliceTime = Duration.milliseconds(4)...Duration.milliseconds(15)

    let jobs: Int
    let format: OutputFormat
    let showsProgress: Bool
    private(set) var tally = Tally()
    private let maximumTokenBytes: Int
    private let workers: [SliceWorker]
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
        workers = (0..<jobs).map { _ in SliceWorker(context, auditor: auditor) }
        self.jobs = jobs
        self.format = format
        self.showsProgress = showsProgress
    }

    /// Verifies all inputs; a file that cannot be read does not keep the others from being read.
    mutating func verify(_ files: [String]) -> ExitCode {
        var unreadable = false
        do throws(SystemError) {
            let interruption = try Interruption()
            self.interruption = interruption
            for file in files where !interruption.isRequested {
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
                if let error = try verify(input, named: file, ofSeveral: files.count > 1, interruption) {
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
        _ input: consuming FileDescriptor, named file: String, ofSeveral: Bool, _ interruption: Interruption
    ) throws(SystemError) -> SystemError? {
        let writer = VerdictWriter(format: format, file: ofSeveral ? file : nil)
        var progress = Progress(isShown: showsProgress, file: file, totalBytes: input.regularFileBytes)
        input.enlargePipe()
        var reader = LineReader(input, maximumTokenBytes: maximumTokenBytes)
        var spare: [UInt8] = []
        defer {
            tally.empty += reader.emptyCount
            progress.clear()
        }
        while true {
            let batch: LineReader.Batch
            do throws(SystemError) {
                let next = try reader.next(reusing: spare, interruption: interruption)
                guard let next else { return nil }
                batch = next
            } catch {
                return error
            }
            try verify(batch, writer: writer, progress: &progress)
            spare = batch.buffer
            progress.update(bytes: reader.byteCount, lines: reader.lineCount)
        }
    }

    /// Verifies the lines of a batch and writes their verdicts, a slice per core at a time.
    private mutating func verify(
        _ batch: LineReader.Batch, writer: VerdictWriter, progress: inout Progress
    ) throws(SystemError) {
        var output = BufferedOutput()
        var start = 0
        while start < batch.lines.count {
            let end = min(start + jobs * slice, batch.lines.count)
            let begun = ContinuousClock.now
            for verdicts in verdicts(on: start..<end, of: batch, writer: writer) {
                tally.add(verdicts.tally)
                output.append(verdicts.output)
                if !verdicts.diagnostics.isEmpty {
                    progress.clear()
                    StandardError.write(String(decoding: verdicts.diagnostics, as: UTF8.self))
                }
                report(verdicts.disputed, progress: &progress)
            }
            adapt(to: begun.duration(to: .now))
            try output.flushIfDue(before: { progress.clear() })
            start = end
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

    /// Divides lines among the cores; the slices come back in the order of the lines.
    private func verdicts(
        on range: Range<Int>, of batch: LineReader.Batch, writer: VerdictWriter
    ) -> [VerdictSlice] {
        let count = min(jobs, range.count)
        if count == 1 { return [workers[0].verdicts(on: range, of: batch, writer: writer)] }
        let perSlice = (range.count + count - 1) / count
        let workers = workers
        let slices = Mutex([VerdictSlice](repeating: VerdictSlice(), count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let start = min(range.lowerBound + index * perSlice, range.upperBound)
            let end = min(start + perSlice, range.upperBound)
            let slice = workers[index].verdicts(on: start..<end, of: batch, writer: writer)
            slices.withLock { $0[index] = slice }
        }
        return slices.withLock(\.self)
    }
}
