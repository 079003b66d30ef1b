/// The reasons why a connection brings nothing.
package enum ConnectionError: Error, Equatable {
    /// The host has no address, by the resolver's words.
    case name(String)
    /// A system call failed: its purpose, and the reason.
    case call(String, SystemError)
    /// The time was up.
    case timeout
    /// The task was cancelled.
    case cancelled
}
