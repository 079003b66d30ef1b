#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Runs a process to its end, without a shell, and measures time and memory.
package struct ChildProcess: Sendable {
    /// The target of a standard stream.
    package enum Stream: Sendable {
        /// /dev/null.
        case null
        case file(String)
        /// The process's own stream with this number.
        case descriptor(Int32)
        /// The same target as this process's stream.
        case inherited
    }

    /// The result and the cost of a run.
    package struct Run: Sendable {
        /// The exit status; if a signal ended the process, 128 plus the signal's number.
        package let status: Int32
        /// The time from before the process was made until it ended.
        package let seconds: Double
        /// The processor time of the process, in its own code and in the kernel.
        package let processorSeconds: Double
        /// The maximum memory. It is not less than this process's own memory when it started the other one,
        /// because the kernel counts from before the program was loaded.
        package let peakBytes: Int
    }

    package let program: String
    package let arguments: [String]
    package var input: Stream = .null
    package var output: Stream = .null
    package var errors: Stream = .inherited

    /// - Parameter program: a path, or a name to look up in `PATH`.
    package init(_ program: String, _ arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// Runs the process alone.
    package func run() throws(ChildProcessError) -> Run {
        let begin = ContinuousClock.now
        return try Self.end(of: start(input: nil, output: nil), since: begin)
    }

    /// Runs the process with its standard output piped into another process's standard input. The result is
    /// the other one's.
    package func run(into other: ChildProcess) throws(ChildProcessError) -> Run {
        var ends: [Int32] = [-1, -1]
        let begin = ContinuousClock.now
        guard unsafe pipe(&ends) == 0 else { throw .failed(call: "pipe", number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { for end in ends where end >= 0 { close(end) } }
        let writer = try start(input: nil, output: ends[1])
        let reader = try other.start(input: ends[0], output: nil)
        // The reader sees the end of its input only after all other processes have closed the other end.
        for index in ends.indices {
            close(ends[index])
            ends[index] = -1
        }
        let run = try Self.end(of: reader, since: begin)
        _ = try Self.end(of: writer, since: begin)
        return run
    }

    /// Starts the process, with the descriptors in place of its streams.
    private func start(input pipeEnd: Int32?, output outputEnd: Int32?) throws(ChildProcessError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe Self.add(input, as: 0, or: pipeEnd, O_RDONLY, to: &actions)
        unsafe Self.add(output, as: 1, or: outputEnd, O_WRONLY | O_CREAT | O_TRUNC, to: &actions)
        unsafe Self.add(errors, as: 2, or: nil, O_WRONLY | O_CREAT | O_TRUNC, to: &actions)
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let failure = unsafe posix_spawnp(&process, program, &actions, nil, words, environ)
        guard failure == 0 else { throw .failed(call: "starting \(program)", number: failure) }
        return process
    }

    private static func add(
        _ stream: Stream, as number: Int32, or descriptor: Int32?, _ flags: Int32,
        to actions: inout posix_spawn_file_actions_t
    ) {
        if let descriptor {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            return
        }
        switch stream {
        case .null: unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", flags, 0)
        case .file(let path): unsafe posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o644)
        case .descriptor(let other): unsafe posix_spawn_file_actions_adddup2(&actions, other, number)
        case .inherited: break
        }
    }

    private static func end(
        of process: pid_t, since begin: ContinuousClock.Instant
    ) throws(ChildProcessError) -> Run {
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw .failed(call: "wait4", number: errno) }
        }
        let elapsed = begin.duration(to: .now).components
        // The low seven bits are the signal, the next eight the exit status.
        let signal = status & 0x7F
        #if canImport(Darwin)
            let unit = 1
        #else
            let unit = 1024
        #endif
        return Run(
            status: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
            seconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18,
            processorSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
            peakBytes: Int(usage.ru_maxrss) * unit)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) * 1e-6
    }
}

/// A process that could not be run.
package enum ChildProcessError: Error, Equatable, CustomStringConvertible {
    case failed(call: String, number: Int32)

    package var description: String {
        switch self {
        case .failed(let call, let number): "\(call) failed with error \(number)"
        }
    }
}
