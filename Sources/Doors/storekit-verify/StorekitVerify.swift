import ArgumentParser
import CommandSupport
import Platform

/// The command: verdicts on payloads and receipts of the App Store, from a pipe or from files.
@main
struct StorekitVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storekit-verify",
        abstract: "Verify payloads and app receipts that the App Store signed.",
        discussion: """
            Reads one signed payload a line, from files or from standard input, and writes one JSON verdict \
            a line; receipt reads one app receipt a file. Certificates are judged at each payload's own \
            date, not at the current time. Nothing is fetched unless --revocation asks for it.

              zcat transactions.jws.gz | storekit-verify --summary > verdicts.ndjson
            """,
        version: BuildFacts.version,
        subcommands: [
            VerifyCommand.self, ReceiptCommand.self, EntitlementsCommand.self, ChargesCommand.self,
            PeriodsCommand.self, TimelineCommand.self, IngestCommand.self, ForgetCommand.self,
            BackupCommand.self, InspectCommand.self, ServeCommand.self, SignCommand.self,
            DeviceHashCommand.self, VersionCommand.self,
        ] + Features.commands,
        defaultSubcommand: VerifyCommand.self)

    static func main() { runToEnd(parsed) }

    /// The command that the arguments ask for.
    ///
    /// With subcommands, the parser looks up each option several times, which takes some two milliseconds. So
    /// `verify` is tried first if no other subcommand can be meant. Arguments that it does not accept go to the
    /// parser of all commands, as do help and the version.
    private static func parsed(_ all: [String]) throws -> any ParsableCommand {
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
