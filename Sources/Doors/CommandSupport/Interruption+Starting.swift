package import ArgumentParser
package import Platform

extension Interruption {
    /// Starts listening for signals.
    ///
    /// - Throws: the exit status, after a message, if the system gives no descriptor or thread.
    package static func start() throws(ExitCode) -> Interruption {
        do throws(SystemError) {
            return try Interruption()
        } catch {
            StandardError.say("no descriptor or no thread to listen for signals: \(error)")
            throw .noResources
        }
    }
}
