package import ArgumentParser
package import Platform

extension FileName {
    /// Makes the file, or replaces its content.
    ///
    /// - Parameter isPrivate: whether no other user may read the file, whatever the process's `umask`.
    /// - Throws: the exit status, after a message, if that is not possible.
    package func write(_ text: String, isPrivate: Bool = false) throws(ExitCode) {
        try StandardError.sayingWhy("\(self.text): ", status: .unwritableOutput) { () throws(SystemError) in
            let file = try FileDescriptor.create(self)
            if isPrivate { try file.makePrivate() }
            try file.write(Array(text.utf8))
        }
    }
}
