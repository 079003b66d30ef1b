import ArgumentParser
import SignedPayloads
import StrictJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `storekit-verify inspect [TOKEN | FILE | -]`: one payload, laid out for a person.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Lay out one signed payload for a person: header, chain, dates, payload, every check.",
        discussion: """
            Shows a payload that is not verified too, and says so. Exit status: 0 verified, 1 not verified, \
            64 usage, 66 a file can't be read, 74 output can't be written.
            """)

    @OptionGroup var policy: PolicyOptions

    @Flag(help: "Write one JSON object, for machines.")
    var json = false

    @Argument(
        help: ArgumentHelp("A token, a file that holds one, or - for standard input.", valueName: "input"))
    var input = "-"

    func run() throws {
        let verifier = try policy.makeVerifier()
        let line = try line(limit: verifier.policy.maximumTokenBytes)
        let inspection = verifier.inspect(line: line.span)
        if json {
            try StandardOutput.write(InspectionJSON.text(for: inspection) + "\n")
        } else {
            let style = TerminalStyle(
                isColored: FileDescriptor.isTerminal(FileDescriptor.standardOutput),
                environment: ProcessInfo.processInfo.environment)
            try StandardOutput.write(InspectionText(style: style).text(for: inspection))
        }
        guard case .success = inspection.verdict else { throw ExitCode.unverified }
    }

    /// The first line of the input that is not empty.
    private func line(limit: Int) throws(ExitCode) -> [UInt8] {
        if isToken { return Array(input.utf8) }
        let content: [UInt8]
        do throws(SystemError) {
            // Room for an object around the largest token; more than that is not one payload.
            content = try readFile(input, maximumBytes: limit < 1 << 40 ? limit * 2 + (1 << 20) : .max)
        } catch {
            StandardError.say(unreadable: input, error)
            throw .unreadableInput
        }
        // An object may stand on several lines, as a webhook's body is often kept.
        let object = Array(content.drop { $0 <= 0x20 })
        if object.first == UInt8(ascii: "{"), (try? JSONObject(object.span, wanted: [])) != nil {
            return object
        }
        let lines = content.split(separator: UInt8(ascii: "\n")).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }.filter { !$0.isEmpty }
        guard let first = lines.first else {
            StandardError.say("\(input == "-" ? "standard input" : visible(input)): no payload to inspect")
            throw .usage
        }
        if lines.count > 1 { StandardError.say("the first of \(lines.count) lines is shown") }
        return Array(first)
    }

    /// Whether the argument is the payload itself and not the name of a file.
    private var isToken: Bool {
        guard input != "-" else { return false }
        if input.hasPrefix("{") { return true }
        return input.utf8.count { $0 == UInt8(ascii: ".") } == 2 && input.hasPrefix("eyJ")
    }
}
