package import Foundation

/// The command while it runs, with pipes for standard input and output.
package final class RunningCommand {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - shell: a line of shell that becomes the command, `"$0" "$@"`.
    ///   - file: the file for standard output; a pipe if there is none.
    package init(
        _ arguments: [String], by shell: String = "exec \"$0\" \"$@\"", output file: FileHandle? = nil
    ) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", shell, CommandProcess.executable.path] + arguments
        process.standardInput = input
        if let file { process.standardOutput = file } else { process.standardOutput = output }
        try process.run()
    }

    package var processIdentifier: Int32 { process.processIdentifier }

    /// Writes to standard input. The command must still be reading it.
    package func send(_ bytes: [UInt8]) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
    }

    /// Waits until the command has taken everything from standard input, for half a minute at most.
    package func waitUntilRead() {
        let start = ContinuousClock.now
        var unread: Int32 = 0
        repeat {
            usleep(2_000)
            guard unsafe ioctl(input.fileHandleForWriting.fileDescriptor, UInt(FIONREAD), &unread) == 0 else {
                return
            }
        } while unread > 0 && start.duration(to: .now) < .seconds(30)
    }

    /// Ends standard input.
    package func endInput() throws { try input.fileHandleForWriting.close() }

    /// Waits for this many bytes of standard output. Returns fewer if the output ends.
    package func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try? output.fileHandleForReading.read(upToCount: count - bytes.count)
            guard let more, !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }

    /// Waits until the pipe of standard output is full: it has bytes, and no more of them for a third of a second.
    package func waitForFullPipe() {
        var (last, waiting): (Int32, Int32) = (-1, 0)
        let descriptor = output.fileHandleForReading.fileDescriptor
        repeat {
            last = waiting
            usleep(300_000)
            guard unsafe ioctl(descriptor, UInt(FIONREAD), &waiting) == 0 else { return }
        } while waiting == 0 || waiting != last
    }

    package func readToEnd() -> [UInt8] { [UInt8](output.fileHandleForReading.readDataToEndOfFile()) }

    /// The exit status, or 256 plus the number of a signal. -1, which no test expects, if
    /// the command has not ended after half a minute.
    package func waitForExit() -> Int32 {
        let start = ContinuousClock.now
        while process.isRunning, start.duration(to: .now) < .seconds(30) { usleep(2_000) }
        guard !process.isRunning else { return -1 }
        return process.terminationReason == .uncaughtSignal
            ? 256 + process.terminationStatus : process.terminationStatus
    }

    /// Ends the process, if the test has left it running.
    package func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
