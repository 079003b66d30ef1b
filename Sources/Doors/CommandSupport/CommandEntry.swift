package import ArgumentParser
internal import Libcrypto
internal import Platform
internal import Synchronization
internal import WireFormats

/// The way into both commands, and out of them: a command's `main` calls `runToEnd`.
extension ParsableCommand {
    /// Runs the command that the arguments ask for, and ends the process if it fails.
    ///
    /// - Parameter parse: makes a command of the arguments, which are in the form of `RawArgument`.
    package static func runToEnd(_ parse: ([String]) throws -> any ParsableCommand) {
        do {
            var command = try parse(enter())
            try command.run()
        } catch {
            end(error)
        }
    }

    /// Prepares the process: standard streams, signals, memory.
    ///
    /// - Returns: the arguments.
    /// - Throws: the exit status, after a message, if the system does not give them.
    fileprivate static func enter() throws(ExitCode) -> [String] {
        let name = configuration.commandName ?? ""
        StandardError.commandName.withLock { $0 = name }
        // Made here, because nothing can be allocated later.
        let message = Array("\(name): there is no memory left\n".utf8)
        let status = ExitCode.noResources.rawValue
        LibcryptoMemory.whenExhausted { ProcessEnd.now(status, saying: message) }
        // The thread of libcurl may close its last connections while the process ends.
        LibcryptoLifetime.outlivesExit()
        FileDescriptor.reserveStandardStreams()
        if let arguments = RawArgument.all() { return arguments }
        StandardError.say("the arguments can't be read: /proc is not mounted")
        throw .noResources
    }

    /// Reports an error, unless that was done already, and ends the process with its status.
    fileprivate static func end(_ error: any Error) {
        var status = exitCode(for: error)
        let message = fullMessage(for: error)
        if status != .success {
            if !message.isEmpty { StandardError.write(visible(message) + "\n") }
        } else {
            // Help and the version are results too, so a failure to write them must be reported.
            do throws(ExitCode) { try StandardOutput.write(message + "\n") } catch { status = error }
        }
        exit(withError: status)
    }

    /// A message that holds arguments, line by line, for people.
    private static func visible(_ message: String) -> String {
        message.split(separator: "\n", omittingEmptySubsequences: false)
            .map { HiddenCharacters.escaped(in: RawArgument.written(RawArgument.bytes(of: String($0)))) }
            .joined(separator: "\n")
    }
}

extension AsyncParsableCommand {
    /// Runs the command that the arguments ask for, and ends the process if it fails.
    package static func runToEnd() async {
        do {
            let arguments = try enter()
            WriteSignals.ignore()
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(error)
        }
    }
}
