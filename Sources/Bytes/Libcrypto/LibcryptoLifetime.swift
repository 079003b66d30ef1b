internal import CLibcrypto

/// How long libcrypto's own state lasts.
package enum LibcryptoLifetime {
    /// Keeps libcrypto's state until the process is gone: its clean-up at exit would free memory that other threads still
    /// use. A library cannot stop its host's threads, and a command does not wait for each of its own.
    ///
    /// It has an effect only before libcrypto is used for the first time in the process (OPENSSL_init_crypto(3)).
    package static func outlivesExit() { OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) }
}
