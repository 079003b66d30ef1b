import SignedPayloads
import WireFormats

/// How results are written to standard output.
enum OutputFormat: String, CaseIterable {
    /// One JSON object a line, for every line of input that is not empty.
    case ndjson
    /// As `ndjson`, but with StoreKit's names and types in place of the payload.
    case typed
    /// Only the verified payloads; failures go to standard error.
    case payload
    /// Nothing: the exit status gives the result.
    case none
}

/// Writes verdicts as bytes.
struct VerdictWriter: Sendable {
    let format: OutputFormat
    /// The file's name, if there are several files.
    let file: FileName?
    /// The member that gives the file's name.
    private let fileMember: [UInt8]

    init(format: OutputFormat, file: FileName?) {
        self.format = format
        self.file = file
        var member: [UInt8] = []
        if let file {
            member += "\"file\":".utf8
            appendJSON(message: file.text, to: &member)
            member.append(UInt8(ascii: ","))
        }
        fileMember = member
    }

    /// Appends the texts for standard output and standard error about a line.
    ///
    /// - Parameter json: the JSON of a plain payload, which is already on one line.
    @inline(__always)
    func append(
        _ verdict: LineVerdict, json: Span<UInt8>, line: Int, to output: inout [UInt8],
        diagnostics: inout [UInt8]
    ) {
        switch (format, verdict) {
        case (.none, _): break
        case (.payload, .plain): output.append(json)
        case (.payload, .verified(let payload)): appendOnOneLine(payload.json, to: &output)
        case (.payload, .failed(let error)):
            let place = file.map { "\($0.text):\(line)" } ?? "line \(line)"
            let text = "storekit-verify: \(visible("\(place): \(error)"))\n"
            diagnostics.append(contentsOf: text.utf8)
            return
        case (.ndjson, .plain(let plain)), (.typed, .plain(let plain)):
            appendBeginning(line: line, kind: plain.kind, to: &output)
            output.append(json)
            output.append(UInt8(ascii: "}"))
        case (.ndjson, .verified(let payload)), (.typed, .verified(let payload)):
            appendBeginning(line: line, kind: payload.kind, to: &output)
            appendOnOneLine(payload.json, to: &output)
            output.append(UInt8(ascii: "}"))
        case (.ndjson, .failed(let error)), (.typed, .failed(let error)):
            append(error, line: line, to: &output)
        }
        if format != .none { output.append(UInt8(ascii: "\n")) }
    }

    /// Appends a verified payload by its StoreKit names.
    func append(typed json: String, kind: SignedPayloadKind, line: Int, to output: inout [UInt8]) {
        appendBeginning(line: line, to: &output)
        output.append(contentsOf: "\"verified\":true,\"type\":\"\(kind.rawValue)\",\"value\":\(json)}\n".utf8)
    }

    /// Appends why a payload is not verified.
    ///
    /// - Parameter line: the line's number; `nil` for a file that holds one payload.
    func append(_ error: VerificationError, line: Int?, to output: inout [UInt8]) {
        appendBeginning(line: line, to: &output)
        output.append(contentsOf: "\"verified\":false,\"error\":\"\(error.code.rawValue)\",".utf8)
        output.append(contentsOf: "\"detail\":\"\(error.detail)\",".utf8)
        if error.isRetryable { output.append(contentsOf: "\"retryable\":true,".utf8) }
        if let member = error.member { output.append(contentsOf: "\"at\":\"\(member)\",".utf8) }
        output.append(contentsOf: "\"message\":".utf8)
        appendJSON(message: error.message, to: &output)
        output.append(UInt8(ascii: "}"))
    }

    /// Appends the text before a verified payload.
    @inline(__always)
    func appendBeginning(line: Int?, kind: SignedPayloadKind, to output: inout [UInt8]) {
        appendBeginning(line: line, to: &output)
        output.append(Self.verified.span)
        output.append(contentsOf: kind.rawValue.utf8)
        output.append(Self.payload.span)
    }

    // The parts of nearly every line, as arrays: the bytes of a string would be copied one by one.
    private static let lineName = Array("\"line\":".utf8)
    private static let verified = Array("\"verified\":true,\"type\":\"".utf8)
    private static let payload = Array("\",\"payload\":".utf8)

    private func appendBeginning(line: Int?, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        output.append(fileMember.span)
        guard let line else { return }
        output.append(Self.lineName.span)
        appendDecimal(line, to: &output)
        output.append(UInt8(ascii: ","))
    }
}

/// Appends a verified JSON text without its line breaks. In strict JSON they stand only between tokens and
/// mean nothing (RFC 8259, section 2). All other bytes stay as they were signed.
func appendOnOneLine(_ json: [UInt8], to output: inout [UInt8]) {
    let text = json.span
    if ByteScanning.firstIndex(of: UInt8(ascii: "\n"), in: text, from: 0) != nil
        || ByteScanning.firstIndex(of: UInt8(ascii: "\r"), in: text, from: 0) != nil
    {
        output.append(contentsOf: json.lazy.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
    } else {
        output.append(contentsOf: json)
    }
}
