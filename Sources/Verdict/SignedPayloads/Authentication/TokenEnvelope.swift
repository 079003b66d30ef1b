internal import AppReceipts
package import WireFormats

/// A line that holds a signed payload: the token itself, or the JSON object around it that a webhook logs.
package enum TokenEnvelope {
    /// The members that hold a token. They occur in a notification's request body, in answers of the App
    /// Store Server API, in a notification's data, and in the request for a retention message.
    package static let members = [
        "signedPayload", "signedTransactionInfo", "signedTransaction", "signedRenewalInfo",
        "signedAppTransactionInfo",
    ]

    /// The members that hold an app receipt. They occur in requests to `verifyReceipt`, in its answers, and
    /// in notifications of version 1.
    package static let receiptMembers = ["receipt-data", "latest_receipt", "unified_receipt"]

    private static let tokens = MemberNames(members + receiptMembers)

    /// Appends the members of a line that is an object, but those that hold a token or receipt, as an object on one line.
    /// They are not signed. Hidden characters in them are escaped.
    ///
    /// - Parameter isVerified: whether the token in the line was verified, so that the line is known to be one object.
    /// - Returns: whether the line has such members. Otherwise the output is as it was.
    package static func appendOtherMembers(
        of line: Span<UInt8>, isVerified: Bool, to output: inout [UInt8]
    ) -> Bool {
        guard JSONObject.isBegun(by: line) else { return false }
        let isAppended = try? appendJSON(
            membersOf: line, without: tokens, isChecked: isVerified, to: &output)
        return isAppended ?? false
    }

    /// The token inside an object; `nil` if the line is not an object, so that the line itself is the token.
    package static func token(in line: Span<UInt8>) throws(PayloadError) -> [UInt8]? {
        guard JSONObject.isBegun(by: line) else { return nil }
        var reader = EnvelopeReader()
        return try reader.token(in: line).bytes(in: line)
    }

}

/// Finds the tokens in lines that are JSON objects. It can read one line after the other; then it allocates nothing.
struct EnvelopeReader {
    private static let wanted = MemberNames(TokenEnvelope.members + TokenEnvelope.receiptMembers)
    private var object = JSONObject(wanted: EnvelopeReader.wanted)

    /// The token, as the line's object holds it.
    mutating func token(in line: Span<UInt8>) throws(PayloadError) -> JSONString {
        do throws(JSONError) {
            try object.read(line)
        } catch {
            throw PayloadError(.envelope(.malformed(error)))
        }
        let members = TokenEnvelope.members
        if let duplicate = object.duplicates.first(where: members.contains) {
            throw PayloadError(.envelope(.severalTokens([duplicate, duplicate])))
        }
        var token: JSONValue?
        for index in members.indices {
            guard let value = object[index], value != .null else { continue }
            // With several tokens, verifying only one would leave the others unverified without any report.
            guard token == nil else { throw PayloadError(.envelope(.severalTokens(present))) }
            token = value
        }
        if case .string(let string)? = token { return string }
        if let token {
            throw PayloadError(.envelope(.notAString(member: present[0], found: token.kind)))
        }
        let mistaken = MistakenInput(object: line)
        if mistaken != .notificationV1,
            let member = TokenEnvelope.receiptMembers.first(where: { object[$0] != nil })
        {
            throw PayloadError(.envelope(.receipt(member: member)))
        }
        if let mistaken { throw PayloadError(.mistakenInput(mistaken)) }
        throw PayloadError(.envelope(.noToken))
    }

    /// The members that hold tokens, or something else than null.
    private var present: [String] { TokenEnvelope.members.filter { object[$0].map { $0 != .null } ?? false } }
}

/// Why a line that is a JSON object does not hold exactly one token.
package enum EnvelopeViolation: Hashable, Sendable {
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
    /// The fault of the text, in a sentence. The text may be a line, or the body of a request.
    package var description: String {
        switch self {
        case .malformed(let error): "the text begins with '{' but is not one JSON object: \(error)"
        case .noToken:
            "the JSON object has no token, which would be in "
                + TokenEnvelope.members.joined(separator: ", ")
        case .receipt(let member):
            "the JSON object has no token, but an app receipt in \(member); give the "
                + "receipt itself, in base64"
        case .severalTokens(let members):
            "the JSON object holds several tokens (\(members.joined(separator: ", "))); give them one by one"
        case .notAString(let member, let found): "the JSON object's \(member) is \(found), not a string"
        }
    }
}

extension SignedPayloadVerifier {
    /// Verifies a line of a log; see `verify(line:)` over bytes.
    ///
    /// - Throws: `PayloadError`, with the failed check and both sides of its comparison.
    public func verify(line: String) throws(PayloadError) -> VerifiedPayload {
        try verify(line: Array(line.utf8).span)
    }

    /// Verifies a line of a log. The line is a token, or a JSON object with the token in `signedPayload`,
    /// `signedTransactionInfo`, `signedTransaction`, `signedRenewalInfo` or `signedAppTransactionInfo`.
    ///
    /// - Parameter line: the line without its line ending. It is as strict as a line of a batch: a line break that is left
    ///   belongs to the token.
    /// - Throws: `PayloadError`, as `verify(_:)` does, and also if the object does not hold exactly one
    ///   token.
    public func verify(line: Span<UInt8>) throws(PayloadError) -> VerifiedPayload {
        try verify(line: line, receipts: nil)
    }

    /// Verifies a line of a log. With a receipt verifier, the line may hold an app receipt instead of a
    /// token.
    package func verify(
        line: Span<UInt8>, receipts: ReceiptVerifier?
    ) throws(PayloadError) -> VerifiedPayload {
        guard let token = try TokenEnvelope.token(in: line) else {
            return try verify(line, receipts: receipts, nil)
        }
        return try verify(token.span, receipts: receipts, nil)
    }

    /// Verifies a token or, with a receipt verifier, an app receipt in base64.
    func verify(
        _ token: Span<UInt8>, receipts: ReceiptVerifier?, _ context: BatchContext?
    ) throws(PayloadError) -> VerifiedPayload {
        // A receipt's first bytes cannot begin a base64url header: they decode to an object that begins with
        // a digit.
        if let receipts, ReceiptText.isLikely(token) { return VerifiedPayload(try receipts.verify(token)) }
        return try verify(token, context)
    }
}
