#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A process whose standard output can be read. It inherits no other descriptor of the tests.
///
/// Foundation detects a process's end by a descriptor that other processes may have inherited by chance. It
/// then waits for those too, and some of them end only when a test does.
final class ChildProcess: Sendable {
    private let number: pid_t
    private let output: Int32

    /// Starts a program, which is searched for in `PATH`.
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
            // Descriptors that are not open are skipped. Tests that run together may have hundreds.
            for descriptor in Int32(3)..<4096 {
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

    /// Its output up to the end of a line, or until the process ends.
    func readLine() -> String {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.append(byte) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Waits until the process has ended by itself. Call this only once.
    func waitForEnd() {
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) == -1, errno == EINTR {}
    }

    /// Ends the process. Call this only once.
    func end() {
        kill(number, SIGKILL)
        waitForEnd()
    }
}
