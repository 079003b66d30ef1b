internal import SignedPayloads
internal import WireFormats

/// Writes verdicts as JSON, and failures where they are written apart.
struct VerdictWriter: Sendable {
    let format: OutputFormat
    /// The file's name, if verdicts give it.
    let file: String?
    /// The path of the member that held the next verified token; failures have their own.
    var member: String?
    /// The beginning of each object, with the file's name if verdicts give it, and the same as far as the line's number.
    private let beginning: [UInt8]
    private let lineBeginning: [UInt8]

    /// - Parameters:
    ///   - format: how verdicts are written.
    ///   - file: the file's name as text, if verdicts give it.
    init(format: OutputFormat, file: String?) {
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
    ///   - results: the batch that the verdict refers to.
    ///   - line: the line's number; `nil` for an input that is one payload.
    func append(
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
    func append(
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

    /// Appends why a payload is not verified.
    ///
    /// - Parameter line: the line's number; `nil` for a file that holds one payload.
    func append(_ error: PayloadError, line: Int?, to output: inout [UInt8]) {
        appendBeginning(line: line, to: &output)
        FailureTexts.appendText(of: error, to: &output)
    }

    /// Appends the text before a verified payload.
    ///
    /// - Parameter isTyped: whether the payload follows by its StoreKit names.
    @inline(__always)
    func appendBeginning(
        line: Int?, kind: SignedPayloadKind, isTyped: Bool = false, to output: inout [UInt8]
    ) {
        appendBeginning(line: line, to: &output)
        output.append(Self.verified.span)
        output.append(contentsOf: kind.rawValue.utf8)
        if isTyped { output.append(Self.value.span) } else { output.append(Self.payload.span) }
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
        guard let member else { return }
        output.append(contentsOf: "\"at\":".utf8)
        appendJSON(message: member, to: &output)
        output.append(UInt8(ascii: ","))
    }
}
