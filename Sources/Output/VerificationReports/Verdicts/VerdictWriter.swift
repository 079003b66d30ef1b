package import SignedPayloads
internal import WireFormats

/// How results are written to standard output.
package enum OutputFormat: String, CaseIterable {
    /// One JSON object a line, for every line of input that is not empty.
    case ndjson
    /// As `ndjson`, but with StoreKit's names and types in place of the payload.
    case typed
    /// One row a line, with every column always, for analysts.
    case rows
    /// Only the verified payloads; failures go to standard error.
    case payload
    /// Nothing: the exit status gives the result.
    case none
}

/// Writes verdicts as bytes.
package struct VerdictWriter: Sendable {
    package let format: OutputFormat
    /// The file's name, if verdicts give it.
    package let file: String?
    /// The beginning of each object, with the file's name if verdicts give it, and the same as far as the line's number.
    private let beginning: [UInt8]
    private let lineBeginning: [UInt8]

    /// - Parameters:
    ///   - format: how verdicts are written.
    ///   - file: the file's name as text, if verdicts give it.
    package init(format: OutputFormat, file: String?) {
        self.format = format
        self.file = file
        var beginning = Array("{".utf8)
        if let file {
            beginning += "\"file\":".utf8
            appendJSON(message: file, to: &beginning)
            beginning.append(UInt8(ascii: ","))
        }
        self.beginning = beginning
        lineBeginning = beginning + "\"line\":".utf8
    }

    /// Appends the texts for standard output and standard error about a line.
    ///
    /// - Parameters:
    ///   - results: what the verdict refers to.
    ///   - line: the line's number; `nil` for an input that is one payload.
    package func append(
        _ verdict: LineVerdict, _ results: borrowing BatchResults, line: Int?, to output: inout [UInt8],
        diagnostics: inout [UInt8], _ failures: inout FailureTexts
    ) {
        if format == .none { return }
        switch verdict {
        case .batched(let payload):
            results.withJSON(of: payload) { append($0, kind: payload.kind, line: line, to: &output) }
        case .verified(let payload): append(payload.json.span, kind: payload.kind, line: line, to: &output)
        case .failed(let error): append(error, line: line, to: &output, diagnostics: &diagnostics, &failures)
        case .refused(let chain):
            append(chain.error, line: line, to: &output, diagnostics: &diagnostics, &failures)
        }
    }

    /// Appends a verified payload.
    @inline(__always)
    private func append(_ json: Span<UInt8>, kind: SignedPayloadKind, line: Int?, to output: inout [UInt8]) {
        if format != .payload { appendBeginning(line: line, kind: kind, to: &output) }
        appendJSON(onOneLine: json, to: &output)
        if format == .payload { output.append(UInt8(ascii: "\n")) } else { output.append(Self.end.span) }
    }

    /// Appends why a line is not verified.
    package func append(
        _ error: PayloadError, line: Int?, to output: inout [UInt8], diagnostics: inout [UInt8],
        _ failures: inout FailureTexts
    ) {
        guard format == .payload else {
            appendBeginning(line: line, to: &output)
            failures.append(error, to: &output)
            return output.append(UInt8(ascii: "\n"))
        }
        let number = line.map { "line \($0)" } ?? "the input"
        let place = file.map { file in line.map { "\(file):\($0)" } ?? file } ?? number
        let text = "storekit-verify: \(visible("\(place): \(error)"))\n"
        diagnostics.append(contentsOf: text.utf8)
    }

    /// Appends the text before a verified payload by its StoreKit names.
    package func appendBeginning(line: Int?, typed kind: SignedPayloadKind, to output: inout [UInt8]) {
        appendBeginning(line: line, to: &output)
        output.append(Self.verified.span)
        output.append(contentsOf: kind.rawValue.utf8)
        output.append(Self.value.span)
    }

    /// Appends why a payload is not verified.
    ///
    /// - Parameter line: the line's number; `nil` for a file that holds one payload.
    package func append(_ error: PayloadError, line: Int?, to output: inout [UInt8]) {
        appendBeginning(line: line, to: &output)
        FailureTexts.appendText(of: error, to: &output)
    }

    /// Appends the text before a verified payload.
    @inline(__always)
    package func appendBeginning(line: Int?, kind: SignedPayloadKind, to output: inout [UInt8]) {
        appendBeginning(line: line, to: &output)
        output.append(Self.verified.span)
        output.append(contentsOf: kind.rawValue.utf8)
        output.append(Self.payload.span)
    }

    // The parts of nearly every line, as arrays: the bytes of a string would be copied one by one.
    private static let verified = Array("\"verified\":true,\"type\":\"".utf8)
    private static let payload = Array("\",\"payload\":".utf8)
    private static let value = Array("\",\"value\":".utf8)
    private static let end = Array("}\n".utf8)

    private func appendBeginning(line: Int?, to output: inout [UInt8]) {
        guard let line else { return output.append(beginning.span) }
        output.append(lineBeginning.span)
        appendDecimal(line, to: &output)
        output.append(UInt8(ascii: ","))
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
        output.append(contentsOf: "\"verified\":false,\"error\":\"\(error.code.rawValue)\",".utf8)
        output.append(contentsOf: "\"detail\":\"\(error.detail)\",".utf8)
        if error.isRetryable { output.append(contentsOf: "\"retryable\":true,".utf8) }
        if let member = error.member { output.append(contentsOf: "\"at\":\"\(member)\",".utf8) }
        output.append(contentsOf: "\"message\":".utf8)
        appendJSON(message: error.message, to: &output)
        output.append(UInt8(ascii: "}"))
    }
}
