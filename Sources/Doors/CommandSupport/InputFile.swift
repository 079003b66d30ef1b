package import ArgumentParser
package import Platform

extension FileName {
    /// The file, or standard input for `-`.
    package func opened() throws(SystemError) -> FileDescriptor {
        self == .standardInput
            ? FileDescriptor(borrowing: FileDescriptor.standardInput) : try FileDescriptor.open(self)
    }

    /// How a message names the input.
    package var inputName: String { self == .standardInput ? "standard input" : text }

    /// The content of the file, or of standard input for `-`.
    ///
    /// - Parameter hint: the advice if it cannot be read; see `StandardError`.
    /// - Throws: the exit status, after a message, if it cannot be read.
    package func content(maximumBytes: Int, hint: String) throws(ExitCode) -> [UInt8] {
        do throws(SystemError) {
            return try read(maximumBytes: maximumBytes)
        } catch {
            StandardError.say(unreadable: self, error, hint: hint)
            throw .unreadableInput
        }
    }

    /// The content of a file that holds text.
    ///
    /// - Throws: the exit status, after a message, also if it is not UTF-8.
    package func textContent(maximumBytes: Int, hint: String) throws(ExitCode) -> String {
        let content = try content(maximumBytes: maximumBytes, hint: hint)
        if let text = String(validating: content, as: UTF8.self) { return text }
        StandardError.say("\(self.text): it is not a text in UTF-8")
        throw .usage
    }
}
