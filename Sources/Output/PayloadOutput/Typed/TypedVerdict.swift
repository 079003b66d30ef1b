package import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

extension TypedWriter {
    /// Appends a verified payload by its StoreKit names.
    ///
    /// - Parameter verdict: becomes the failure, if the payload lacks a member that the type requires.
    /// - Returns: whether the payload was written. A payload without one of StoreKit's types is written as it was signed.
    mutating func append(
        _ verdict: inout LineVerdict, _ results: borrowing BatchResults, line: Int?, _ writer: VerdictWriter,
        to output: inout [UInt8]
    ) -> Bool {
        guard let kind = verdict.kind else { return false }
        let start = output.count
        writer.appendBeginning(line: line, kind: kind, isTyped: true, to: &output)
        guard appendValue(of: &verdict, results, to: &output) else {
            output.removeLast(output.count - start)
            return false
        }
        output.append(contentsOf: "}\n".utf8)
        return true
    }

    /// Appends a verified payload by its StoreKit names, and nothing around it; otherwise as above.
    package mutating func appendValue(
        of verdict: inout LineVerdict, _ results: borrowing BatchResults, to output: inout [UInt8]
    ) -> Bool {
        let start = output.count
        do throws(PayloadError) {
            switch verdict {
            case .batched(let payload):
                return try results.withJSON(of: payload) { (json) throws(PayloadError) in
                    try append(json, of: payload.kind, to: &output) { path, body in
                        results.withJSON(inside: payload, at: path, body)
                    }
                }
            case .verified(let payload): return try append(payload, to: &output)
            case .failed, .refused: return false
            }
        } catch {
            output.removeLast(output.count - start)
            verdict = .failed(error)
            return false
        }
    }

    private mutating func append(
        _ payload: VerifiedPayload, to output: inout [UInt8]
    ) throws(PayloadError) -> Bool {
        if let receipt = AppReceipt(payload) {
            output.append(contentsOf: ObjectText(receipt).json.utf8)
            return true
        }
        return try append(payload.json.span, of: payload.kind, to: &output) { path, body in
            if let inner = payload.nested.first(where: { $0.member == path }) {
                body(inner.payload.json.span)
            }
        }
    }
}
