import ArgumentParser
import CommandSupport
import StoreKitTestSession

/// `storekit-test scenarios`: lists what comes with the command.
///
/// It prints a scenario in a file's form, so `storekit-test scenarios refund > mine.txt` begins a new one.
struct ScenariosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenarios", abstract: "List the scenarios, or print one, to begin your own with.")

    @Argument(help: "The scenario to print.", transform: parseText)
    var name: String?

    func run() throws {
        guard let name else {
            // Two spaces between the longest name and the summaries.
            let width = (Scenario.builtIns.map(\.name.count).max() ?? 0) + 2
            let lines = Scenario.builtIns.map {
                $0.name + String(repeating: " ", count: width - $0.name.count) + $0.summary
            }
            return try StandardOutput.write(lines.joined(separator: "\n") + "\n")
        }
        guard let scenario = Scenario.builtIn(name) else {
            StandardError.say("there is no scenario \"\(name)\": storekit-test scenarios lists them")
            throw ExitCode.unreadableInput
        }
        try StandardOutput.write("# \(scenario.summary)\n\(scenario.text)\n")
    }
}
