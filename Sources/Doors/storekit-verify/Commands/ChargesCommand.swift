import ArgumentParser
import CommandSupport
import PayloadOutput
import Platform
import StoreKitVerify

/// `storekit-verify charges [FILE ...]`: what customers paid, and what they got back.
///
/// The rules are `StoreKitVerify`'s, and the columns are `PayloadOutput`'s.
struct ChargesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charges",
        abstract:
            "List what customers paid and got back, by transactions, renewal information and notifications.",
        discussion: """
            Reads the same input as entitlements, and writes one line for each charge and for each refund, as \
            NDJSON or CSV with the same columns. Copies of a purchase for other devices, and what the family \
            shares or an organization has assigned, are no charges; --summary counts the copies.

            amount is what the payloads say; it is null if they do not. estimate is what an upgrade gave back \
            for the rest of a period, by time, or the price of seats that were taken back: no payload has those \
            amounts. With --at or --as-of, nothing that happened later is listed.

            Customers come in the order of their lowest original transaction, and each one's charges by date. \
            Memory grows with the transactions; with --database, with those of one customer.

              storekit-verify charges --database FILE --environment Production --format csv > charges.csv

            \(PurchaseOptions.exitStatuses)
            """)

    @OptionGroup var purchases: PurchaseOptions

    @Option(help: "The form of the output: ndjson or csv.")
    var format = TableFormat.ndjson

    func run() throws {
        try purchases.write(Charge.line(nil), format) { history, _ in
            let (charges, copies) = history.chargesAndCopies
            return (charges.filter { purchases.isAsked($0.date) }.map(Charge.line), copies)
        }
    }
}
