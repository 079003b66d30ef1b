#if Service
    internal import RequestSigning
    internal import SignedPayloads
    internal import WireFormats

    /// The rules of an app's `retentionMessages`.
    extension RetentionRules {
        /// Reads an app's rules.
        ///
        /// - Parameters:
        ///   - policy: the app's.
        ///   - signs: whether the service has a key that signs for the app.
        /// - Throws: if a rule is wrong, or the app lacks a setting that its rules need.
        init(
            _ value: JSONTree, _ policy: VerificationPolicy, signs: Bool
        ) throws(OptionsError) {
            do throws(RequestSigningError) {
                try self.init(value)
            } catch {
                throw OptionsError("\(error)")
            }
            // A request names no bundle identifier: without this, requests about other developers' apps would be answered.
            guard policy.appAppleIdentifier != nil else {
                throw OptionsError(
                    "\"retentionMessages\" needs the app's \"appAppleId\": a request has no other name of the app"
                )
            }
            // Every request would be refused: a payload without a device fails the check.
            guard policy.deviceIdentifier == nil else {
                throw OptionsError(
                    "\"retentionMessages\" and \"deviceId\" exclude each other: a request for a message names no device"
                )
            }
            guard !needsKey || signs else {
                throw OptionsError(
                    "an offer in \"retentionMessages\" is signed: it needs \"signingKeyFile\", \"signingKeyId\" and \"signingIssuerId\""
                )
            }
            // The signature names the app, and a request does not say which of several it is.
            guard !needsKey || policy.bundleIdentifiers.count == 1 else {
                throw OptionsError(
                    "an offer in \"retentionMessages\" is for one app: give one of \"bundleIds\"")
            }
        }
    }
#endif
