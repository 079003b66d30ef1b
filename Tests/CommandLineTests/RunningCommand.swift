import Foundation
import Testing

/// The command while it runs, with pipes at its ends.
final class RunningCommand {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - shell: a line of shell that becomes the command, `"$0" "$@"`.
    ///   - file: where standard output goes; a pipe otherwise.
    init(
        _ arguments: [String], by shell: String = "exec \"$0\" \"$@\"", output file: FileHandle? = nil
    ) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", shell, CommandProcess.executable.path] + arguments
        process.standardInput = input
        if let file { process.standardOutput = file } else { process.standardOutput = output }
        try process.run()
    }

    var processIdentifier: Int32 { process.processIdentifier }

    /// Writes to standard input. The command must be there to read it.
    func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

    /// Waits for so many bytes of standard output; fewer at its end.
    func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try? output.fileHandleForReading.read(upToCount: count - bytes.count)
            guard let more, !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }

    func readToEnd() -> [UInt8] { [UInt8](output.fileHandleForReading.readDataToEndOfFile()) }

    /// The exit status, or 256 and more for a signal; fails after half a minute.
    func waitForExit() -> Int32 {
        let start = ContinuousClock.now
        while process.isRunning, start.duration(to: .now) < .seconds(30) { usleep(2_000) }
        guard !process.isRunning else {
            Issue.record("the command does not end")
            return -1
        }
        return process.terminationReason == .uncaughtSignal
            ? 256 + process.terminationStatus : process.terminationStatus
    }

    /// Ends what a test has left.
    func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
