internal import CLibcrypto

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The memory that libcrypto takes.
package enum LibcryptoMemory {
    /// Has the process end with a message and status 71 where libcrypto gets no memory, for commands.
    ///
    /// Swift ends a process on the spot then. libcrypto reports a failure instead, by many ways of which some cannot be
    /// told from a signature that does not match: a verdict that is wrong. To be called before anything else in the
    /// process uses libcrypto (`CRYPTO_set_mem_functions(3)`); later calls change nothing.
    package static func endProcessWhenExhausted() {
        _ = unsafe CRYPTO_set_mem_functions(
            { count, _, _ in unsafe LibcryptoMemory.allocated(malloc(count), count) },
            { pointer, count, _, _ in
                guard count > 0 else {
                    unsafe free(pointer)
                    return nil
                }
                return unsafe LibcryptoMemory.allocated(realloc(pointer, count), count)
            },
            { pointer, _, _ in unsafe free(pointer) })
    }

    /// More than this is asked for by mistake, and nothing that the process lacks.
    private static let absurdCount = 1 << 30

    private static func allocated(
        _ memory: UnsafeMutableRawPointer?, _ count: Int
    ) -> UnsafeMutableRawPointer? {
        if unsafe memory == nil, (1...absurdCount).contains(count) {
            // Nothing here allocates.
            let message: StaticString = "storekit-verify: there is no memory left\n"
            _ = unsafe write(2, message.utf8Start, message.utf8CodeUnitCount)
            _exit(71)
        }
        return unsafe memory
    }
}
