internal import Platform
internal import Synchronization
internal import WireFormats

/// The warning on standard error, once in a process: silence would look like a customer without purchases.
enum Notice {
    /// The subjects of the warnings until now.
    private static let said = Mutex<Set<String>>([])

    static func say(about subject: String, _ message: String) {
        guard said.withLock({ $0.insert(subject).inserted }) else { return }
        let line = "storekit-verify: \(HiddenCharacters.escaped(in: message))\n"
        try? FileDescriptor(borrowing: FileDescriptor.standardError).write(Array(line.utf8))
    }
}

/// Says on standard error that a static member was used outside of any scope.
enum MissingScope {
    static func report(_ member: StaticString) {
        Notice.say(
            about: "\(member)",
            "\(member) was used outside of a CustomerScope, so it gives nothing. Task.detached "
                + "leaves the scope of its task. Run the code in CustomerScope.run, or call CustomerScope.listen(to:) "
                + "for a listener.")
    }
}
