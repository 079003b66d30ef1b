import ArgumentParser
import CommandSupport

/// `storekit-verify backup --database FILE COPY`: copies a database that is in use.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a database, while a service uses it.",
        discussion: """
            Writes the database as it is at one instant, with the content of SQLite's log, into one new file. A copy \
            by cp lacks the log's content. To restore the copy, end the service, remove the database and the files \
            of its name with -wal and -shm, and put the copy in its place.

            Exit status: 0 the copy is whole and on the disk, 64 usage, 66 the database can't be read, 74 the copy \
            can't be written.
            """)

    @Option(help: ArgumentHelp("The database.", valueName: "file"), transform: parseText)
    var database: String

    @Argument(
        help: ArgumentHelp("The copy. There must be no such file yet.", valueName: "copy"),
        transform: parseText)
    var copy: String
}
