#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A process whose standard output can be read, and which holds nothing else of ours.
///
/// Foundation learns of a process's end from a descriptor that other processes may have inherited by chance, so that it
/// waits for those too; some of those here end only when a test does.
final class ChildProcess: Sendable {
    private let number: pid_t
    private let output: Int32

    /// Starts a program that is looked for in `PATH`.
    init(_ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw ResponderError.noSocket }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        defer { Sockets.close(writeEnd) }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, writeEnd, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        #if canImport(Glibc)
            // Those that are not open are passed over.
            for descriptor in Int32(3)..<512 {
                unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        #endif
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var number: pid_t = 0
        guard let program = arguments.first,
            unsafe posix_spawnp(&number, program, &actions, nil, &words, environ) == 0
        else {
            Sockets.close(readEnd)
            throw ResponderError.didNotStart(arguments.joined(separator: " "))
        }
        self.number = number
        output = readEnd
    }

    deinit { Sockets.close(output) }

    /// What it writes up to the end of a line, or until it ends.
    func readLine() -> String {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.append(byte) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Waits until it has ended by itself. To be called once.
    func waitForEnd() {
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) == -1, errno == EINTR {}
    }

    /// Ends it. To be called once.
    func end() {
        kill(number, SIGKILL)
        waitForEnd()
    }
}
