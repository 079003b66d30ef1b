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
            var command = try parseAsRoot()
            try command.run()
        } catch {
            // Help and the version are results like others: that they cannot be written must be seen.
            guard exitCode(for: error) == .success else { exit(withError: error) }
            do throws(ExitCode) {
                try StandardOutput.write(fullMessage(for: error) + "\n")
            } catch {
                exit(withError: error)
            }
        }
    }
}
