import ArgumentParser
import Dispatch
import SignedPayloads
import Synchronization

/// One run over all inputs: reads lines, has them verified on several cores, writes verdicts in their order.
struct VerificationRun {
    /// Lines that one core takes at a time. Judging a chain anew takes up to 3 ms; sixteen of them keep
    /// within the 50 ms after which a verdict is due.
    private static let linesPerSlice = 16

    let verifier: SignedPayloadVerifier
    let jobs: Int
    let format: OutputFormat
    let showsProgress: Bool
    private(set) var tally = Tally()
    private var interruption: Interruption?

    init(verifier: SignedPayloadVerifier, jobs: Int, format: OutputFormat, showsProgress: Bool) {
        self.verifier = verifier
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
        var reader = LineReader(input, maximumTokenBytes: verifier.policy.maximumTokenBytes)
        defer {
            tally.empty += reader.emptyCount
            progress.clear()
        }
        while true {
            let batch: LineReader.Batch
            do throws(SystemError) {
                guard let next = try reader.next(interruption: interruption) else { return nil }
                batch = next
            } catch {
                return error
            }
            try verify(batch, writer: writer, progress: &progress)
            progress.update(bytes: reader.byteCount, lines: reader.lineCount)
        }
    }

    /// Verifies the lines of a batch and writes their verdicts, a few per core at a time.
    private mutating func verify(
        _ batch: LineReader.Batch, writer: VerdictWriter, progress: inout Progress
    ) throws(SystemError) {
        var output = BufferedOutput()
        var start = 0
        while start < batch.lines.count {
            let end = min(start + jobs * Self.linesPerSlice, batch.lines.count)
            for slice in verdicts(on: start..<end, of: batch, writer: writer) {
                tally.add(slice.tally)
                output.append(slice.output)
                if !slice.diagnostics.isEmpty {
                    progress.clear()
                    StandardError.write(String(decoding: slice.diagnostics, as: UTF8.self))
                }
            }
            try output.flushIfDue(before: { progress.clear() })
            start = end
        }
        try output.flush(before: { progress.clear() })
    }

    /// Divides lines among the cores; the slices come back in the order of the lines.
    private func verdicts(
        on range: Range<Int>, of batch: LineReader.Batch, writer: VerdictWriter
    ) -> [VerdictSlice] {
        let count = min(jobs, range.count)
        let worker = SliceWorker(verifier: verifier, writer: writer)
        if count == 1 { return [worker.verdicts(on: range, of: batch)] }
        let perSlice = (range.count + count - 1) / count
        let slices = Mutex([VerdictSlice](repeating: VerdictSlice(), count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let start = min(range.lowerBound + index * perSlice, range.upperBound)
            let slice = worker.verdicts(on: start..<min(start + perSlice, range.upperBound), of: batch)
            slices.withLock { $0[index] = slice }
        }
        return slices.withLock(\.self)
    }
}
