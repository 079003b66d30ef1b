internal import SignedPayloads

/// Reads the signed payloads inside a notification.
struct InnerPayloads {
    /// The notification that holds the payloads.
    let notification: SignedContent
    /// Verifies the payloads that were not verified with the notification.
    let verifier: StoreKitVerifier

    /// Returns the payload in a member of one of the notification's parts.
    ///
    /// If the notification is verified, this payload is verified too: that was one of the checks. Otherwise
    /// this payload is verified by itself. It has its own signature, and may be good in a notification that
    /// failed another check.
    fileprivate func value<Value: SignedValue>(
        at path: String, _ jws: String?, in environment: AppStore.Environment?
    ) -> InnerPayload<Value> {
        do throws(PayloadError) {
            guard let jws else {
                throw PayloadError(
                    .memberType(path, found: "no string", expected: "a signed payload"))
            }
            if let payload = notification.nested.first(where: { $0.member == path })?.payload {
                return .readable(.verified(try verifier.value(of: payload, in: environment)))
            }
            return .readable(try verifier.verify(jws))
        } catch {
            return .unreadable(PayloadError(error.cause, member: path))
        }
    }
}

/// A signed payload inside a notification.
enum InnerPayload<Value: SignedValue> {
    /// The payload has a value, verified or not.
    case readable(VerificationResult<Value>)
    /// The payload has no value, and the error says why.
    case unreadable(PayloadError)

    /// The value, if there is one.
    var result: VerificationResult<Value>? {
        if case .readable(let result) = self { result } else { nil }
    }

    /// Why the value cannot be read; `nil` if it can be.
    var error: PayloadError? {
        if case .unreadable(let error) = self { error } else { nil }
    }
}

extension PayloadProperties {
    /// The signed payload in a member of one of a notification's parts; `nil` if the part has no payload there.
    ///
    /// - Parameter environment: that of the notification.
    mutating func payload<Value: SignedValue>(
        _ member: String, in part: String, _ inner: InnerPayloads?,
        of environment: AppStore.Environment? = nil
    ) -> InnerPayload<Value>? {
        let jws = optional(nil, .text, member)
        guard has(member) else { return nil }
        return inner?.value(at: "\(part).\(member)", jws, in: environment)
    }
}
