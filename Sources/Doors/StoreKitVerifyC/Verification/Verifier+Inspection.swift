internal import InspectionReports
internal import SignedPayloads

extension Verifier {
    /// The output of the command's `inspect` about a token, an object around one, or a receipt; of several payloads,
    /// about the first. An empty input is an empty token.
    func inspection(of content: [UInt8], isJSON: Bool) -> (TextBox, isVerified: Bool) {
        let pasted = PastedText(content)
        let inspection = PastedInspection(of: pasted?.first ?? .empty, payloads) { receipts }
        let style = TerminalStyle(isColored: false, environment: [:])
        let text = TextBox()
        let bytes = Array((isJSON ? inspection.json(pasted?.notes ?? []) : inspection.text(style)).utf8)
        text.text.append(bytes.span)
        return (text, inspection.failure == nil)
    }
}
