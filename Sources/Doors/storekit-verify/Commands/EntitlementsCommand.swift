import ArgumentParser
import CommandSupport
import Essentials
import InspectionReports
import PayloadOutput
import Platform
import SignedPayloads
import StoreKitVerify
import WireFormats

/// `storekit-verify entitlements [FILE ...]`: a customer's entitlements, by signed payloads.
///
/// The rules are `StoreKitVerify`'s. This file has only the choice of the output.
struct EntitlementsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entitlements",
        abstract: "List customers' entitlements, by transactions, renewal information and notifications.",
        discussion: """
            Reads lines as verify does, in any order, of all kinds. Of a receipt, the purchases count that no \
            transaction has: they have isFromReceipt, and no name of a customer. Unverified lines are left \
            out and reported on standard error. Writes one entitlement a line, by StoreKit's rules for \
            Transaction.currentEntitlements: laid out on a terminal, as NDJSON in a pipe. Each names its \
            customer, app and environment. Purchases belong to one customer if they share an account token or \
            a download, or if one moved to the other (previousOriginalTransactionId). Customers come in the order \
            of their lowest original transaction, and each one's latest purchase first. Memory grows with the transactions.

            Purchases of other apps and environments than --bundle-id and --environment name are left out, and --summary \
            counts them. A payload of before 2022 names no environment: it has that of the purchase's other payloads.

            With --database, reads a database that ingest made. One customer's purchases are found in it \
            without reading the others, and all customers' are written while they are read.

            \(PurchaseOptions.exitStatuses)
            """)

    @OptionGroup var purchases: PurchaseOptions

    @Option(
        name: [.customLong("format"), .customLong("output")],
        help: "The form of the output (default: text on a terminal, ndjson elsewhere; json is ndjson).")
    var output: EntitlementOutput?

    func run() throws {
        let isTerminal = FileDescriptor.isTerminal(FileDescriptor.standardOutput)
        var order: CustomerOrder<Entitlement>?
        var all: [Entitlement] = []
        try purchases.run(byCustomer: true) { history, next, instant in
            let entitlements: [Entitlement]
            if purchases.named == nil {
                order =
                    order
                    ?? CustomerOrder { Entitlement.all(in: $0, areOneCustomers: true, at: instant) }
                entitlements = order?.add(history, before: next) ?? []
            } else {
                entitlements = Entitlement.all(in: history, areOneCustomers: true, at: instant)
            }
            switch output ?? (isTerminal ? .text : .ndjson) {
            case .json, .ndjson: try StandardOutput.write(lines: entitlements) { $0.object.json + "\n" }
            case .text:
                // The first line of the text says how many there are, so all are kept until the end.
                all += entitlements
                guard next == nil else { return }
                let style = TerminalStyle(
                    isColored: isTerminal, environment: ProcessInfo.processInfo.environment)
                try StandardOutput.write(EntitlementText(style: style).text(for: all, at: instant))
            }
        }
    }
}

/// How entitlements are written.
enum EntitlementOutput: String, CaseIterable, ExpressibleByArgument {
    /// Laid out for people.
    case text
    /// One JSON object a line.
    case ndjson
    /// Another name of `ndjson`.
    case json
}
