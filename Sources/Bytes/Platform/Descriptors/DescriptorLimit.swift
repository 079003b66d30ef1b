internal import Libc

#if canImport(Darwin) || canImport(Musl)
    private let noFiles = RLIMIT_NOFILE
#else
    private let noFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#endif

/// How many descriptors this process may have open.
package enum DescriptorLimit {
    /// The usual limit of a shell: the answer if the system does not say.
    private static let usual = 1_024
    /// More than a service needs. Some systems allow any number, and their tables grow with the limit.
    private static let maximum: rlim_t = 1 << 20

    /// Lets this process have as many descriptors as the system allows it: each connection takes one.
    ///
    /// - Returns: how many it may have.
    package static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(noFiles, &limit) == 0 else { return usual }
        var raised = limit
        raised.rlim_cur = min(limit.rlim_max, maximum)
        if unsafe setrlimit(noFiles, &raised) == 0 { limit = raised }
        return Int(clamping: limit.rlim_cur)
    }
}
