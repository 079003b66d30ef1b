import ArgumentParser
import CommandSupport
import Foundation
import Platform
import StoreKitTestSession
import StoreKitVerify
import WireFormats

/// `storekit-test run`: writes everything that a scenario signs.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Write all payloads that a scenario signs, in their order, one JSON object a line.",
        discussion: """
            A line is what the App Store sends to a server, {"signedPayload":"…"}, or what an app sends to it: \
            {"signedAppTransactionInfo":"…"}, and {"signedTransactionInfo":"…"} for a transaction that an \
            upgrade replaced, or that another device restored.

            A scenario is a text. Each line has a time from the beginning, the name of a customer if there are \
            several (anna:), and an action. Times are numbers with s, m, h, d, w, mo, y, or p for the period of the \
            first product that is bought: +40d, +1p2d, +0.

              buy PRODUCT [quantity=N] [token=UUID] [intro=no] [plan=monthly|up-front] [seats=N] [promotional-offer=ID|code=NAME|win-back-offer=ID]
              buy-items PRODUCT SKU:PRICE … (Advanced Commerce API), buy PRODUCT signed-request=TOKEN
              cancel, resume, renew, expire, end-for-other-reasons, take-off-sale [PRODUCT]
              fail-payments, fail-renewals, fix-payments
              restore [TRANSACTION] (on another device), move PRODUCT (to another original transaction)
              raise-price PRICE|PERCENT% [consent=no], agree, decline
              request-refund [TRANSACTION] [reason=NAME], refund [TRANSACTION] [percent=N] [reason=app-issue]
              decline-refund, reverse-refund [TRANSACTION]
              share [TRANSACTION] with=NAME, leave-family [TRANSACTION]
              add-seats N, remove-seats N, keep-seats N, refund-seats N [TRANSACTION], assign [TRANSACTION] with=NAME
              extend days=N, extend-all PRODUCT days=N
              migrate, update-metadata NAME, change-price PRICE, refund-item [SKU] (Advanced Commerce API)
              test-notification, rescind-consent, external-purchase created|unreported|reminder
              end

            PRODUCT is an identifier or a kind: $subscription, $paid, $trial, $promotional, $code, $win-back, $monthly-plan, \
            $one-time-code, $shareable, $shareable-product, $consumable, $non-consumable, $non-renewing. $present is the \
            customer's subscription, $higher and $lower are other levels of its group, $higher-offer and $lower-offer \
            those with a promotional offer, and $with-higher, $with-lower, $with-higher-offer and $with-lower-offer are \
            subscriptions with such a level in their group. TRANSACTION is latest, previous, first, a product or a number. Other lines: set \
            grace on|off|16d, set rate NAME, set storefront DEU, set renewals N|unlimited, set generic PRODUCT,PRODUCT, \
            set seats apple|developer|off [tiers=5:9.99,7.99], set upgrade-refunds told|silent (whether an upgrade's payloads say \
            what it gave back), set payloads then|now (with the members of the year of their signature, or all).

            Many customers with random lives: population N for 1y, with lists, products=$paid:70%,$consumable \
            plans=monthly:40%,up-front storefronts=USA:60%,DEU, with shares of the customers in each month, churn=3% \
            failures=4% refunds=1% upgrades=0% downgrades=0% moves=0% restores=0% seat-changes=0% item-refunds=0%, and with \
            shares of those whom they concern, recovery=70% reversals=0% returns=0% offers=0% families=0% seats=0% \
            accounts=0% (two tokens for one customer) items=0% upgrades-in-grace=0%. What has no share in a list gets a part of the rest.
            """)

    /// The forms of output.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case ndjson, tokens, text
    }

    @OptionGroup var options: AppStoreOptions

    @Option(
        help: ArgumentHelp(
            "The scenario: a name that storekit-test scenarios lists, or a file.", valueName: "name"))
    var scenario: FileName

    @Option(
        help: ArgumentHelp("When it begins (ISO 8601). The default is fixed.", valueName: "date"),
        transform: parseDate)
    /// 2026-01-01T00:00:00Z: a fixed time, so that a seed gives the same bytes tomorrow.
    var start = Date(timeIntervalSince1970: 1_767_225_600)

    @Option(help: "ndjson: objects with tokens. tokens: bare tokens. text: a table for people.")
    var format = Format.ndjson

    @Flag(help: "Leave out payloads that no notification tells of.")
    var notificationsOnly = false

    @OptionGroup var faults: FaultOptions

    func validate() throws {
        guard Date.simulated.contains(start) else {
            throw ValidationError("--start is a date of the years 1 to 8999.")
        }
    }

    /// The output is written while the scenario runs. A scenario of any length needs memory for its store
    /// alone.
    func run() throws {
        let scenario = try Scenario.named(scenario)
        // Without --seed, one seed of this run: scenario, keys and faults must share it.
        let seed = options.effectiveSeed
        var faults = Faults(faults, seed: seed)
        let run = ScenarioRun(
            scenario, in: try options.open(options.configuration(), at: start, seed: seed), seed: seed,
            notificationsOnly: notificationsOnly)
        try Scenario.reportingErrors(of: scenario.name) {
            try run.run { try write(faults.apply(to: $0)) }
            // The notifications that were held back, so that none is lost.
            try write(faults.rest())
        }
    }

    /// Writes lines as they are signed: a reader of the pipe need not wait for the end.
    private func write(_ output: [SignedOutput]) throws {
        guard !output.isEmpty else { return }
        // One write for all lines of a moment: a reader gets whole lines.
        let lines = output.map { item in
            switch format {
            case .ndjson: item.json
            case .tokens: item.token
            case .text: item.text
            }
        }
        try StandardOutput.write(lines.joined(separator: "\n") + "\n")
    }
}

/// A date of ISO 8601, with a time or without.
///
/// - Throws: `ValidationError` for anything else, also for a date that the calendar does not have.
@Sendable func parseDate(_ text: String) throws -> Date {
    guard let date = Date(iso8601: text) else {
        throw ValidationError("\"\(text)\" is not a date such as 2026-01-31 or 2026-01-31T12:00:00Z.")
    }
    return date
}

extension SignedOutput {
    /// The compact JWS.
    var token: String {
        switch self {
        case .notification(let notification): notification.signedPayload
        case .transaction(let token), .appTransaction(let token): token
        }
    }

    /// A line for people: when, who, what, which product, and the state of a subscription after it.
    var text: String {
        switch self {
        case .notification(let notification): notification.text
        case .transaction: "                          a transaction that no notification tells of"
        case .appTransaction: "                          a customer's app transaction"
        }
    }
}

extension TestNotification {
    /// The last six digits of the number of a download tell customers apart in a table.
    fileprivate var text: String {
        let columns = [
            date.formatted(.iso8601), appTransactionID.map { String($0 % 1_000_000) } ?? "-", name,
            productID ?? "-", status?.localizedDescription ?? "-",
        ]
        // ISO 8601 takes 20 characters. The longest pair of type and subtype, and the example products, fit
        // the others.
        let widths = [22, 7, 47, 36, 0]
        let padded = zip(columns, widths).map { column, width in
            column + String(repeating: " ", count: max(1, width - column.count))
        }
        return padded.joined().trimmingCharacters(in: .whitespaces)
    }
}
