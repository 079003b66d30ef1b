internal import AppReceipts
public import WireFormats

/// A line that holds a signed payload: the token itself, or the JSON object around it that a webhook logs.
package enum TokenEnvelope {
    /// The members that hold a token. They occur in a notification's request body, in answers of the App
    /// Store Server API, in a notification's data, and in the request for a retention message.
    static let members = [
        "signedPayload", "signedTransactionInfo", "signedTransaction", "signedRenewalInfo",
        "signedAppTransactionInfo",
    ]

    /// The members that hold an app receipt. They occur in requests to `verifyReceipt`, in its answers, and
    /// in notifications of version 1.
    static let receiptMembers = ["receipt-data", "latest_receipt", "unified_receipt"]

    /// The token inside an object; `nil` if the line is not an object, so that the line itself is the token.
    package static func token(in line: Span<UInt8>) throws(VerificationError) -> [UInt8]? {
        guard line.count > 0, line[0] == UInt8(ascii: "{") else { return nil }
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONObject(line, wanted: members + receiptMembers)
        } catch {
            throw VerificationError(.envelope(.malformed(error)))
        }
        if let duplicate = object.duplicates.first(where: members.contains) {
            throw VerificationError(.envelope(.severalTokens([duplicate, duplicate])))
        }
        let present = members.filter { object[$0].map { $0 != .null } ?? false }
        // With several tokens, verifying only one would leave the others unverified without any report.
        guard present.count < 2 else { throw VerificationError(.envelope(.severalTokens(present))) }
        guard let member = present.first, let value = object[member] else {
            if let member = receiptMembers.first(where: { object[$0] != nil }) {
                throw VerificationError(.envelope(.receipt(member: member)))
            }
            throw VerificationError(.envelope(.noToken))
        }
        guard case .string(let string) = value else {
            throw VerificationError(.envelope(.notAString(member: member, found: value.kind)))
        }
        return string.bytes(in: line)
    }
}

/// Why a line that is a JSON object does not hold exactly one token.
public enum EnvelopeViolation: Hashable, Sendable {
    /// The line begins like a JSON object, but is not one.
    case malformed(JSONError)
    /// No member holds a token.
    case noToken
    /// No member holds a token, but this one holds an app receipt.
    case receipt(member: String)
    /// More than one member holds a token.
    case severalTokens([String])
    /// The member that should hold the token is not a string.
    case notAString(member: String, found: String)
}

extension EnvelopeViolation: CustomStringConvertible {
    /// What is wrong with the line, in a sentence.
    public var description: String {
        switch self {
        case .malformed(let error): "the line begins with '{' but is not one JSON object: \(error)"
        case .noToken:
            "the line is a JSON object without a token, which would be in "
                + TokenEnvelope.members.joined(separator: ", ")
        case .receipt(let member):
            "the line is a JSON object without a token, but with an app receipt in \(member); give the "
                + "receipt itself, in base64"
        case .severalTokens(let members):
            "the line's JSON object holds several tokens (\(members.joined(separator: ", "))); "
                + "give each a line of its own"
        case .notAString(let member, let found): "the line's \(member) is \(found), not a string"
        }
    }
}

extension SignedPayloadVerifier {
    /// Verifies a line of a log; see `verify(line:)` over bytes.
    ///
    /// - Throws: `VerificationError`, saying which check failed and on what.
    public func verify(line: String) throws(VerificationError) -> VerifiedPayload {
        try verify(line: Array(line.utf8).span)
    }

    /// Verifies a line of a log. The line is a token, or a JSON object with the token in `signedPayload`,
    /// `signedTransactionInfo`, `signedTransaction`, `signedRenewalInfo` or `signedAppTransactionInfo`.
    ///
    /// - Parameter line: the line without its line ending.
    /// - Throws: `VerificationError`, as `verify(_:)` does, and also if the object does not hold exactly one
    ///   token.
    public func verify(line: Span<UInt8>) throws(VerificationError) -> VerifiedPayload {
        try verify(line: line, receipts: nil)
    }

    /// Verifies a line of a log. With a receipt verifier, the line may hold an app receipt instead of a
    /// token.
    package func verify(
        line: Span<UInt8>, receipts: ReceiptVerifier?
    ) throws(VerificationError) -> VerifiedPayload {
        guard let token = try TokenEnvelope.token(in: line) else {
            return try verify(line, receipts: receipts, nil)
        }
        return try verify(token.span, receipts: receipts, nil)
    }

    /// Verifies a token or, with a receipt verifier, an app receipt in base64.
    func verify(
        _ token: Span<UInt8>, receipts: ReceiptVerifier?, _ context: BatchContext?
    ) throws(VerificationError) -> VerifiedPayload {
        // A receipt's first bytes cannot begin a base64url header: they decode to an object that begins with
        // a digit.
        if let receipts, ReceiptText.isLikely(token) { return VerifiedPayload(try receipts.verify(token)) }
        return try verify(token, context)
    }
}
