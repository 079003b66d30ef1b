import ArgumentParser
import Foundation
import StoreKitTestSession

extension Scenario {
    /// A scenario that comes with the command, or one in a file.
    ///
    /// - Throws: an exit status, after a message.
    static func named(_ name: String) throws -> Scenario {
        do {
            if let builtIn = Scenario.builtIn(name) { return try builtIn.scenario() }
            return try Scenario(text(of: name), name: name)
        } catch let error as ScenarioError {
            Output.say("\(name): \(error)")
            throw ExitCode.badData
        }
    }

    private static func text(of file: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: file) else {
            Output.say(
                "there is no scenario and no file \"\(file)\": storekit-test scenarios lists what there is")
            throw ExitCode.unreadableInput
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            Output.say("\(file): it is not a text in UTF-8")
            throw ExitCode.badData
        }
        return text
    }
}
