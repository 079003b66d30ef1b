package import ArgumentParser
package import Platform

extension Interruption {
    /// Starts listening for signals.
    ///
    /// - Throws: the exit status, after a message, if the system gives no descriptor or thread.
    package static func start() throws(ExitCode) -> Interruption {
        try StandardError.sayingWhy(
            "no descriptor or no thread to listen for signals: ", status: .noResources, Interruption.init)
    }
}
