package import SignedPayloads
package import StoreKitVerify
internal import WireFormats

extension TypedWriter {
    /// Appends a verified payload by its StoreKit names.
    ///
    /// - Parameter verdict: becomes the failure, if the payload lacks a member that the type requires.
    /// - Returns: whether the payload was written. A payload without one of StoreKit's types is written as it was signed.
    package mutating func append(
        _ verdict: inout LineVerdict, _ results: borrowing BatchResults, line: Int, _ writer: VerdictWriter,
        to output: inout [UInt8]
    ) -> Bool {
        let start = output.count
        do throws(VerificationError) {
            var isWritten = false
            switch verdict {
            case .batched(let payload):
                writer.appendBeginning(line: line, typed: payload.kind, to: &output)
                isWritten = try results.withJSON(of: payload) { (json) throws(VerificationError) in
                    try append(json, of: payload.kind, to: &output) { path, body in
                        results.withJSON(inside: payload, at: path, body)
                    }
                }
            case .verified(let payload):
                writer.appendBeginning(line: line, typed: payload.kind, to: &output)
                isWritten = try append(payload, to: &output)
            case .failed, .refused: return false
            }
            if isWritten {
                output.append(contentsOf: "}\n".utf8)
            } else {
                output.removeLast(output.count - start)
            }
            return isWritten
        } catch {
            output.removeLast(output.count - start)
            verdict = .failed(error)
            return false
        }
    }

    private mutating func append(
        _ payload: VerifiedPayload, to output: inout [UInt8]
    ) throws(VerificationError) -> Bool {
        if let receipt = AppReceipt(payload) {
            output.append(contentsOf: TypedObject(receipt).json.utf8)
            return true
        }
        return try append(payload.json.span, of: payload.kind, to: &output) { path, body in
            if let inner = payload.nested.first(where: { $0.member == path }) {
                body(inner.payload.json.span)
            }
        }
    }
}
