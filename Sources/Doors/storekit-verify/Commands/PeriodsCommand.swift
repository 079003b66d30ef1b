import ArgumentParser
import CommandSupport
import PayloadOutput
import Platform
import StoreKitVerify

/// `storekit-verify periods [FILE ...]`: when customers had access, and why it ended.
///
/// The rules are `StoreKitVerify`'s, and the columns are `PayloadOutput`'s.
struct PeriodsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "periods",
        abstract:
            "List when customers had access to products, by transactions, renewal information and notifications.",
        discussion: """
            Reads the same input as entitlements, and writes one line for each time in which a purchase entitled \
            its customer in one state, as NDJSON or CSV with the same columns. At every instant, a purchase \
            entitles its customer if and only if one of its lines covers the instant.

            ends is the first instant after the period; it is null if there is no end. ending says how it \
            ended, and is null if it has not by now, or by --at or --as-of.

            Customers come in the order of their lowest original transaction, and each one's periods by date. \
            Memory grows with the transactions; with --database, with those of one customer.

              storekit-verify periods --database FILE --environment Production --format csv > periods.csv

            \(PurchaseOptions.exitStatuses)
            """)

    @OptionGroup var purchases: PurchaseOptions

    @Option(help: "The form of the output: ndjson or csv.")
    var format = TableFormat.ndjson

    func run() throws {
        try purchases.write(AccessPeriod.line(nil), format) { history, instant in
            let periods = history.accessPeriods(at: instant).filter { purchases.isAsked($0.begins) }
            return (periods.map(AccessPeriod.line), copies: 0)
        }
    }
}
