package import Essentials

/// The payloads that a simulated App Store has signed.
///
/// Between two changes, this holds:
/// - Each notification of the history is found by its identifier.
package struct OutputLedger: Sendable {
    /// The payloads that were not taken yet, oldest first.
    private var outbox: [SignedOutput] = []
    /// Whether the outbox gets payloads that no notification tells of, too.
    var tellsAll = false
    /// The notifications since a server began to ask for them; `nil` if no server does.
    package private(set) var history: NotificationHistory?
    /// The latest date of a signature, in milliseconds since 1970.
    var lastDate: Int

    init(lastDate: Int) { self.lastDate = lastDate }

    mutating func add(_ output: SignedOutput) {
        outbox.append(output)
        if case .notification(let notification) = output { history?.add(notification) }
    }

    /// Takes all that was signed since the last call, oldest first.
    mutating func takeOutput() -> [SignedOutput] {
        defer { outbox = [] }
        return outbox
    }

    /// Puts what was taken back, before what was signed since.
    package mutating func putBack(_ output: [SignedOutput]) { outbox = output + outbox }

    /// Keeps the notifications from now on, if it does not already.
    package mutating func beginHistory() { history = history ?? NotificationHistory() }

    /// Keeps an attempt to deliver a notification; an identifier that is not known changes nothing.
    package mutating func add(_ attempt: NotificationAttempt, to notification: UUID) {
        history?.add(attempt, to: notification)
    }

    /// The first invariant that does not hold; `nil` if all hold.
    package func violation() -> String? {
        let identifiers = history?.entries.map(\.notification.uuid) ?? []
        let isWhole = identifiers.allSatisfy { history?[$0]?.notification.uuid == $0 }
        return isWhole ? nil : "a notification of the history is not found by its identifier"
    }
}
