/// Addresses that only programs on the same machine reach.
package enum LoopbackAddress {
    /// Whether a host, as an option names it, is one: `localhost`, or an address in 127.0.0.0/8, or `::1`.
    ///
    /// Other names that resolve to a loopback address do not count: they may lead elsewhere tomorrow.
    package static func contains(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host.lowercased() == "localhost" || host == "::1"
            || parts.count == 4 && !parts.contains(nil) && parts.first == 127
    }
}
