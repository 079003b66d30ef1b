internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Says on standard error that a static member was used outside of any scope. Silence would look like a
/// customer without purchases.
enum MissingScope {
    /// The members that were reported. Each is, once.
    private static let reported = Mutex<Set<String>>([])

    static func report(_ member: StaticString) {
        let member = "\(member)"
        guard reported.withLock({ $0.insert(member).inserted }) else { return }
        let message =
            "storekit-verify: \(member) was used outside of a CustomerScope, so it gives nothing. Task.detached "
            + "leaves the scope of its task. Run the code in CustomerScope.run, or call CustomerScope.listen(to:) "
            + "for a listener.\n"
        var bytes = Array(message.utf8)
        _ = unsafe bytes.withUnsafeMutableBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }
}
