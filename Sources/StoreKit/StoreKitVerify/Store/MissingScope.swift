internal import Platform
internal import Synchronization

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
        try? FileDescriptor(borrowing: FileDescriptor.standardError).write(Array(message.utf8))
    }
}
