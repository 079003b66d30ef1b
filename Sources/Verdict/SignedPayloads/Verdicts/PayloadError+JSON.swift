internal import WireFormats

/// A failure as JSON. All writers of verdicts and inspections use these members.
extension PayloadError {
    /// The members, in their order: the name, and the value as it is written.
    package var jsonMembers: [(name: String, value: [UInt8])] {
        func text(_ text: String) -> [UInt8] {
            var output: [UInt8] = []
            appendJSON(message: text, to: &output)
            return output
        }
        var members = [("error", text(code.rawValue)), ("detail", text(detail))]
        if isRetryable { members.append(("retryable", Array("true".utf8))) }
        if let member { members.append(("at", text(member))) }
        return members + [("message", text(message))]
    }
}

/// The texts of the last failures. The same failure often comes again, for instance with every line under the
/// wrong root.
package struct FailureTexts: Sendable {
    private static let capacity = 8
    private var texts: [(error: PayloadError, text: [UInt8])] = []
    private var next = 0

    package init() {}

    /// Appends why a payload is not verified, behind the beginning of its object.
    package mutating func append(_ error: PayloadError, to output: inout [UInt8]) {
        for index in texts.indices where texts[index].error == error {
            output.append(contentsOf: texts[index].text)
            return
        }
        let start = output.count
        Self.appendText(of: error, to: &output)
        let text = (error, Array(output[start...]))
        if texts.count < Self.capacity { texts.append(text) } else { texts[next] = text }
        next = (next + 1) % Self.capacity
    }

    /// Appends why a payload is not verified, behind the beginning of its object.
    package static func appendText(of error: PayloadError, to output: inout [UInt8]) {
        output.append(contentsOf: "\"verified\":false".utf8)
        for (name, value) in error.jsonMembers {
            output.append(contentsOf: ",\"\(name)\":".utf8)
            output.append(value.span)
        }
        output.append(UInt8(ascii: "}"))
    }
}
