package import SignedPayloads
internal import WireFormats

/// The inspection of a payload that a person gave, in the forms that every door answers with.
package struct PastedInspection {
    private enum Content {
        case payload(Inspection)
        case receipt(ReceiptInspection)
    }

    private let content: Content
    /// Why the payload is not verified; `nil` if it is.
    package let failure: PayloadError?

    /// - Parameters:
    ///   - payload: a token, an object around one, or a receipt.
    ///   - payloads: inspects the first two.
    ///   - receipts: called only for a receipt.
    package init<Failure: Error>(
        of payload: PastedInput, _ payloads: SignedPayloadVerifier,
        receipts: () throws(Failure) -> ReceiptVerifier
    ) throws(Failure) {
        guard payload.kind == .receipt else {
            let inspection = payloads.inspect(line: payload.bytes.span)
            (content, failure) = (.payload(inspection), inspection.verdict.failureOrNil)
            return
        }
        let inspection = try receipts().inspect(file: payload.bytes)
        (content, failure) = (.receipt(inspection), inspection.verdict.failureOrNil)
    }

    /// The lines for a terminal, with a line break at the end.
    package func text(_ style: TerminalStyle) -> String {
        let layout = InspectionText(style: style)
        switch content {
        case .payload(let inspection): return layout.text(for: inspection)
        case .receipt(let inspection): return layout.text(for: inspection)
        }
    }

    /// One JSON object on one line, with a line break at the end.
    ///
    /// - Parameter notes: how the payload was taken out of the pasted text.
    package func json(_ notes: [String]) -> String { object(notes).json + "\n" }

    fileprivate func object(_ notes: [String]) -> ObjectText {
        switch content {
        case .payload(let inspection): InspectionJSON.object(for: inspection, notes)
        case .receipt(let inspection): InspectionJSON.object(for: inspection, notes)
        }
    }
}

/// The inspections of all payloads in a pasted text.
package struct PastedInspections {
    private let text: PastedText
    private let inspections: [PastedInspection]
    package var failures: [PayloadError?] { inspections.map(\.failure) }

    /// - Parameters:
    ///   - text: the text. No more than its first hundred payloads are inspected, because each object has its certificates.
    ///   - payloads: inspects tokens.
    ///   - receipts: inspects receipts.
    package init(of text: PastedText, _ payloads: SignedPayloadVerifier, _ receipts: ReceiptVerifier) {
        self.text = text
        inspections = text.payloads.prefix(Self.most).map { payload in
            PastedInspection(of: payload, payloads) { receipts }
        }
    }

    private static let most = 100

    /// One JSON object on one line, with a line break at the end: the number of payloads, and the inspections.
    package var json: String {
        var object = ObjectText()
        object.add("notes", text.notes)
        object.add("payloads", text.payloadCount)
        object.add("inspections", all: inspections.map { $0.object([]) })
        return object.json + "\n"
    }
}

extension Result where Failure == PayloadError {
    /// The failure; `nil` for a success.
    fileprivate var failureOrNil: PayloadError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
