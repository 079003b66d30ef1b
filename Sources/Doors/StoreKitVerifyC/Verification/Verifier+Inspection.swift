internal import InspectionReports
internal import SignedPayloads

extension Verifier {
    /// What the command's `inspect` would write about a token, an object around one, or a receipt; of several lines, about
    /// the first. An empty input is an empty token.
    func inspection(of content: [UInt8], isJSON: Bool) -> (TextBox, isVerified: Bool) {
        let input = PastedInput(pasted: content)
        let text = TextBox()
        let layout = InspectionText(style: TerminalStyle(isColored: false, environment: [:]))
        let (written, isVerified): (String, Bool)
        if let input, input.kind == .receipt {
            let inspection = receipts.inspect(file: input.bytes)
            written = isJSON ? InspectionJSON.text(for: inspection) + "\n" : layout.text(for: inspection)
            isVerified = (try? inspection.verdict.get()) != nil
        } else {
            let line = input?.bytes ?? []
            let inspection = payloads.inspect(line: line.span)
            written = isJSON ? InspectionJSON.text(for: inspection) + "\n" : layout.text(for: inspection)
            isVerified = (try? inspection.verdict.get()) != nil
        }
        let bytes = Array(written.utf8)
        text.text.append(bytes.span)
        return (text, isVerified)
    }
}
