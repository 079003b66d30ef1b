import ArgumentParser
import CommandSupport
import Platform
import StoreKitTestSession

extension Scenario {
    /// A scenario that comes with the command, or one in a file.
    ///
    /// A name that comes with the command wins over a file of the same name: `./refund` names the file.
    ///
    /// - Parameter name: a built-in name, a path, or `-` for standard input.
    ///
    /// - Throws: an exit status, after a message.
    static func named(_ name: FileName) throws -> Scenario {
        try reportingErrors(of: name.text) {
            if let builtIn = Scenario.builtIn(name.text) { return try builtIn.scenario() }
            let hint = " (no scenario has this name: storekit-test scenarios lists them)"
            return try Scenario(name.textContent(maximumBytes: 1 << 30, hint: hint), name: name.text)
        }
    }

    /// Does what a scenario's mistake can end.
    ///
    /// - Throws: an exit status, after a message.
    static func reportingErrors<Success>(
        of name: String, _ body: () throws -> Success
    ) throws -> Success {
        do {
            return try body()
        } catch let error as ScenarioError {
            StandardError.say("\(name): \(error)")
            throw ExitCode.usage
        }
    }
}
