internal import CLibcrypto
internal import Libc
internal import Synchronization

/// The memory that libcrypto allocates, and memory that held a secret.
package enum LibcryptoMemory {
    /// Overwrites bytes that were secret, in a way that the compiler does not leave out (OPENSSL_cleanse(3)).
    ///
    /// - Parameter bytes: the only reference to its memory, because a copy would be overwritten in its place.
    package static func cleanse(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
    }

    /// Has this called when libcrypto gets no memory. This is for commands, which end then.
    ///
    /// Swift ends a process at once when there is no memory. libcrypto reports a failure instead, and some of
    /// its failures look like a wrong signature. The verdict would then be wrong. Call this before anything
    /// else in the process uses libcrypto (`CRYPTO_set_mem_functions(3)`); later calls change nothing.
    ///
    /// - Parameter body: must not allocate, nor return.
    package static func whenExhausted(_ body: @escaping @Sendable () -> Never) {
        exhausted.withLock { $0 = body }
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

    /// The process's reaction when there is no memory. libcrypto's functions have no context that could hold it.
    private static let exhausted = Mutex<(@Sendable () -> Never)?>(nil)

    /// A request for more is a mistake, not a sign that memory is exhausted.
    private static let absurdCount = 1 << 30

    /// A size of 0 may give NULL without a lack of memory (malloc(3)).
    private static func allocated(
        _ memory: UnsafeMutableRawPointer?, _ count: Int
    ) -> UnsafeMutableRawPointer? {
        if unsafe memory == nil, (1...absurdCount).contains(count) { exhausted.withLock { $0?() } }
        return unsafe memory
    }
}
