import ArgumentParser
import Libcrypto

/// The command: verdicts on what the App Store signed, from a pipe or from files.
@main
struct StorekitVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storekit-verify",
        abstract: "Verify payloads and app receipts that the App Store signed.",
        discussion: """
            Reads one signed payload a line, from files or from standard input, and writes one JSON verdict a \
            line; receipt reads one app receipt a file. Certificates are judged at each payload's own date: no clock \
            decides, and nothing is fetched unless --revocation asks for it.

              zcat transactions.jws.gz | storekit-verify --summary > verdicts.ndjson
            """,
        version: "0.1.0",
        subcommands: [
            VerifyCommand.self, ReceiptCommand.self, EntitlementsCommand.self, InspectCommand.self,
            DeviceHashCommand.self,
        ],
        defaultSubcommand: VerifyCommand.self)

    static func main() {
        LibcryptoMemory.endProcessWhenExhausted()
        FileDescriptor.reserveStandardStreams()
        do {
            var command = try parsed()
            try command.run()
        } catch {
            // Help and the version are results like others: that they cannot be written must be seen.
            guard exitCode(for: error) == .success else { endProcess(error) }
            do throws(ExitCode) {
                try StandardOutput.write(fullMessage(for: error) + "\n")
            } catch {
                exit(withError: error)
            }
        }
    }

    /// Says on standard error what is wrong, if that was not said yet, and ends the process.
    private static func endProcess(_ error: any Error) -> Never {
        let message = fullMessage(for: error)
        if !message.isEmpty { StandardError.write(RawArgument.visible(message: message) + "\n") }
        exit(withError: exitCode(for: error))
    }

    /// The command that the arguments ask for.
    ///
    /// Going through all subcommands has each option looked up several times, which takes some two milliseconds.
    /// Where no other subcommand can be meant, the usual one is tried first; what it does not accept, help and the
    /// version among it, is for all of them to answer.
    private static func parsed() throws -> any ParsableCommand {
        let all = RawArgument.all()
        var arguments = all[...]
        let isNamed = arguments.first == VerifyCommand.configuration.commandName
        if isNamed { arguments.removeFirst() }
        if isNamed || arguments.first?.hasPrefix("-") ?? true,
            let command = try? VerifyCommand.parse(Array(arguments))
        {
            return command
        }
        return try parseAsRoot(all)
    }
}
