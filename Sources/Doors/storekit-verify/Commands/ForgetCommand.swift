import ArgumentParser
import CommandSupport
import StoreKitVerify

/// `storekit-verify forget --database FILE --customer NAME`: deletes a customer's data, and searches for remains.
struct ForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Delete a customer's data from a database.",
        discussion: """
            Deletes the customer's purchases, the bodies of their notifications and the deliveries that wait. \
            SQLite overwrites all of it with zeros. Then the bytes of the file and of its log are searched for \
            the customer's identifiers and for the signatures of deleted payloads. A service may run at the same \
            time. Writes one JSON object: the purchases and counts of deleted rows; keptPurchases, which had one of the \
            customer's names and are another customer's now, so that only the payloads with that name are deleted; \
            otherNames, under which the file has more purchases that may or may not be the same person's; and remains, the \
            number of findings afterwards.

            The identifiers of notifications stay, so that a repetition brings nothing back. A later notification \
            about the same subscription does. Copies of the file, and forwarded notifications, are out of reach.

            Exit status: 0 nothing is left, 1 something was found: use --rewrite, 64 usage, 74 the database can't be \
            read or written.
            """)

    @Option(help: ArgumentHelp("The database.", valueName: "file"), transform: parseText)
    var database: String

    @Option(
        help: ArgumentHelp(
            "The customer: a UUID (appAccountToken), app-transaction:ID or original-transaction:ID. It may be given several times.",
            valueName: "name"),
        transform: Customer.Name.init(argument:))
    var customer: [Customer.Name] = []

    @Flag(
        help: """
            If something is found in parts of the file that are not in use, write the whole file anew. It needs as much \
            room on the disk again, and other processes cannot write until it is done.
            """)
    var rewrite = false

    func validate() throws {
        guard !customer.isEmpty else { throw ValidationError("--customer is required.") }
    }
}
