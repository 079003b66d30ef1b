package import ArgumentParser
package import Platform

extension FileName {
    /// Makes the file, or replaces its content.
    ///
    /// - Throws: the exit status, after a message, if that is not possible.
    package func write(_ text: String) throws(ExitCode) {
        do throws(SystemError) {
            try FileDescriptor.create(self).write(Array(text.utf8))
        } catch {
            StandardError.say("\(self.text): \(error)")
            throw .unwritableOutput
        }
    }
}
