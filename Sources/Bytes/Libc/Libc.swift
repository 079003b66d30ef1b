// The system's C library, whose name differs between systems. A module says `import Libc` for any of them.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Glibc
#endif
