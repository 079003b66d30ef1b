internal import CLibcrypto

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The memory that libcrypto allocates.
package enum LibcryptoMemory {
    /// Makes the process end with a message and status 71 when libcrypto gets no memory. This is for
    /// commands.
    ///
    /// Swift ends a process at once when there is no memory. libcrypto reports a failure instead, and some of
    /// its failures look like a wrong signature. The verdict would then be wrong. Call this before anything
    /// else in the process uses libcrypto (`CRYPTO_set_mem_functions(3)`); later calls change nothing.
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

    /// A request for more is a mistake, not a sign that memory is exhausted.
    private static let absurdCount = 1 << 30

    private static func allocated(
        _ memory: UnsafeMutableRawPointer?, _ count: Int
    ) -> UnsafeMutableRawPointer? {
        if unsafe memory == nil, (1...absurdCount).contains(count) {
            // Nothing on this path allocates.
            let message: StaticString = "storekit-verify: there is no memory left\n"
            _ = unsafe write(2, message.utf8Start, message.utf8CodeUnitCount)
            _exit(71)
        }
        return unsafe memory
    }
}
