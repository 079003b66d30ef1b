import ArgumentParser
import CommandSupport
import Foundation
import Platform
import StoreKitTestSession

/// `storekit-test trigger`: sends the notifications of a scenario to a server.
///
/// It ends with the status 1 if the server did not accept a notification, so that a script notices. It does so at once if
/// there is no server at all.
struct TriggerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger",
        abstract: "Send the notifications of a scenario to a server, as the App Store does.",
        discussion: """
            The scenario ends at the present time, so that what it leaves behind is valid now. A server accepts a \
            notification by a status from 200 to 206. Any other answer is a failure, and the notification is sent \
            again: the App Store does so 1, 12, 24, 48 and 72 hours after the attempt before, which pass faster \
            here. In the Sandbox it makes one attempt; --retries asks for more. The server must listen before, \
            and trust the root certificate. So make the keys first:

              storekit-test run --scenario test --keys keys
              storekit-test trigger refund --keys keys --forward-to http://127.0.0.1:8080/notifications

            Exit status: 1 nothing listens at the address, or a notification was not accepted; 64 usage, or the \
            scenario cannot run; 66 a file cannot be read.
            """)

    @Argument(help: "The scenario: a name that storekit-test scenarios lists, or a file.")
    var scenario: FileName

    @OptionGroup var options: AppStoreOptions

    @Option(
        help: ArgumentHelp("Send the notifications to this address.", valueName: "url"), transform: parseText)
    var forwardTo: String

    @Flag(help: "Send only the last notification, not the ones before it.")
    var lastOnly = false

    @Option(help: ArgumentHelp("Wait so long before each notification.", valueName: "milliseconds"))
    var delay = 0

    @Option(
        help: ArgumentHelp(
            "How often to send a notification again that failed, at most 5. The default is 5 in production, and 0 elsewhere.",
            valueName: "number"))
    var retries: Int?

    @Option(help: ArgumentHelp("How long an hour between attempts takes.", valueName: "milliseconds"))
    var hour = 1000

    @OptionGroup var faults: FaultOptions

    /// Apple documents five repetitions, so there are five pauses (`Delivery.pauses`).
    func validate() throws {
        _ = try Delivery.url(forwardTo)
        guard delay >= 0, hour >= 0, (0...5).contains(retries ?? 0) else {
            throw ValidationError("--delay and --hour are at least 0, --retries 0 to 5.")
        }
    }

    func run() async throws {
        let notifications = try self.notifications()
        let delivery = Delivery(
            url: try Delivery.url(forwardTo), retries: retries ?? options.repetitions,
            hour: .milliseconds(hour))
        var refused = 0
        for (number, notification) in notifications.enumerated() {
            if delay > 0 { try await Task.sleep(for: .milliseconds(delay)) }
            let result = try await delivery.attempt(notification)
            // A server that is restarted later gets the repetitions; one that never was there would get none.
            guard number > 0 || !(result == .socketIssue || result == .noResponse) else {
                StandardError.say("\(forwardTo): nothing listens there: start the server first")
                throw ExitCode.unverified
            }
            if result == .success { continue }
            if try await !delivery.sendAgain(notification, { _ in }) { refused += 1 }
        }
        guard refused > 0 else { return }
        StandardError.say("\(refused) of \(notifications.count) notifications were not accepted")
        throw ExitCode.unverified
    }

    /// The scenario's notifications, with the faults. The scenario runs to its end before the first one is sent, so a
    /// scenario that cannot run sends nothing.
    ///
    /// - Throws: an exit status, after a message.
    private func notifications() throws -> [TestNotification] {
        let scenario = try Scenario.named(scenario)
        // Without --seed, one seed of this run: the store, the populations and the faults must share it.
        let seed = options.effectiveSeed
        let configuration = try options.configuration()
        let start = scenario.start(endingAt: Date(), configuration)
        let store = try options.open(configuration, at: start, seed: seed)
        var faults = Faults(faults, seed: seed)
        var output: [SignedOutput] = []
        try Scenario.reportingErrors(of: scenario.name) {
            try ScenarioRun(scenario, in: store, seed: seed, notificationsOnly: true).run {
                output += faults.apply(to: $0)
            }
        }
        let notifications = (output + faults.rest()).compactMap { item in
            if case .notification(let notification) = item { notification } else { nil }
        }
        return lastOnly ? Array(notifications.suffix(1)) : notifications
    }
}
