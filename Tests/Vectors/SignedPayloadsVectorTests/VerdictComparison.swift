import SignedPayloads

/// Compares verdicts in everything that a caller can see of them.
enum VerdictComparison {
    typealias Verdict = Result<VerifiedPayload, PayloadError>

    static func areSame(_ left: Verdict, _ right: Verdict) -> Bool {
        switch (left, right) {
        case (.success(let left), .success(let right)): areSame(left, right)
        case (.failure(let left), .failure(let right)):
            // Equal causes could still be put into different words: sets have no order of their own.
            left == right && left.code == right.code && left.check == right.check
                && left.message == right.message && left.description == right.description
                && left.detail == right.detail && left.member == right.member
        default: false
        }
    }

    private static func areSame(_ left: VerifiedPayload, _ right: VerifiedPayload) -> Bool {
        left.kind == right.kind && left.json == right.json
            && left.effectiveDateMilliseconds == right.effectiveDateMilliseconds
            && left.certificates == right.certificates && left.revocation.isEmpty && right.revocation.isEmpty
            && left.receipt?.json == right.receipt?.json
            && left.nested.map(\.member) == right.nested.map(\.member)
            && zip(left.nested, right.nested).allSatisfy { areSame($0.payload, $1.payload) }
    }

    /// A verdict in a few words.
    static func summary(_ verdict: Verdict) -> String {
        switch verdict {
        case .success(let payload):
            "\(payload.kind) \(payload.effectiveDateMilliseconds) \(payload.json.count) bytes "
                + "\(payload.certificates.count) certificates \(payload.nested.map(\.member))"
        case .failure(let error): "\(error)"
        }
    }
}
