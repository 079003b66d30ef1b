internal import SignedPayloads

/// The signed payloads inside a notification.
struct InnerPayloads {
    /// The notification around them.
    let notification: SignedContent
    /// Verifies those that were not verified with the notification.
    let verifier: StoreKitVerifier

    /// The payload in a member of one of the notification's parts; `nil` where there is none.
    ///
    /// Where the notification is verified, so was this payload, as one of its checks. Otherwise it stands for
    /// itself: it is signed, and may be good although something else about the notification is not.
    func value<Value: SignedValue>(
        _ member: String, in part: String, _ fields: PayloadFields
    ) -> InnerPayload<Value>? {
        guard fields.has(member) else { return nil }
        let path = "\(part).\(member)"
        do throws(SignedPayloads.VerificationError) {
            guard let jws = fields.string(member) else {
                throw SignedPayloads.VerificationError(
                    .memberType(path, found: "no string", expected: "a signed payload"))
            }
            if let payload = notification.nested.first(where: { $0.member == path })?.payload {
                return .readable(.verified(try verifier.value(of: payload, jws)))
            }
            return .readable(try verifier.verify(jws))
        } catch {
            return .unreadable(SignedPayloads.VerificationError(error.cause, member: path))
        }
    }
}

/// A signed payload inside a notification.
enum InnerPayload<Value: SignedValue> {
    /// Its value, verified or not.
    case readable(VerificationResult<Value>)
    /// There is no value to give.
    case unreadable(SignedPayloads.VerificationError)

    /// The value, if there is one.
    var result: VerificationResult<Value>? {
        if case .readable(let result) = self { result } else { nil }
    }

    /// Why there is no value, if there is none.
    var error: SignedPayloads.VerificationError? {
        if case .unreadable(let error) = self { error } else { nil }
    }
}
