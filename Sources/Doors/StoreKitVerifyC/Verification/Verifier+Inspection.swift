internal import AppReceipts
internal import InspectionReports
internal import SignedPayloads

extension Verifier {
    /// What the command's `inspect` would write about a token, an object around one, or a receipt.
    func inspection(of input: [UInt8], isJSON: Bool) -> (TextBox, isVerified: Bool) {
        let text = TextBox()
        let layout = InspectionText(style: TerminalStyle(isColored: false, environment: [:]))
        let (written, isVerified): (String, Bool)
        if ReceiptText.isLikely(file: input) {
            let inspection = receipts.inspect(file: input)
            written = isJSON ? InspectionJSON.text(for: inspection) + "\n" : layout.text(for: inspection)
            isVerified = (try? inspection.verdict.get()) != nil
        } else {
            let inspection = payloads.inspect(line: input.span)
            written = isJSON ? InspectionJSON.text(for: inspection) + "\n" : layout.text(for: inspection)
            isVerified = (try? inspection.verdict.get()) != nil
        }
        let bytes = Array(written.utf8)
        text.text.append(bytes.span)
        return (text, isVerified)
    }
}
