import ArgumentParser
import CommandSupport
import Platform

/// The command: an App Store for tests.
@main
struct StorekitTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storekit-test",
        abstract: "Simulate an App Store: purchases, renewals and refunds of test customers, signed.",
        discussion: """
            Everything is signed by keys that only tests trust: give their root certificate to your verifier. \
            Products come from a .storekit file, or are examples if none is named. Time is virtual: a year \
            takes no longer than its events.

              storekit-test run --scenario refund --keys keys > payloads
              storekit-verify --root keys/root.pem payloads
            """,
        version: BuildFacts.version,
        subcommands: [RunCommand.self, TriggerCommand.self, ServeCommand.self, ScenariosCommand.self])

    static func main() async { await runToEnd() }
}
