#if ServerAPI
    internal import Libcurl
    internal import RequestSigning
    internal import WireFormats
    internal import Essentials

    extension AppStoreServerAPIError {
        /// The error of an answer whose status is not 2xx.
        ///
        /// - Parameter now: the time by this computer's clock.
        init(
            _ answer: HTTPAnswer, _ call: APICall, _ issuer: RequestIssuer, _ token: TokenSource.Token,
            now: Date
        ) {
            let members = (try? JSONTree.members(of: answer.body.span)).map { JSONTree.object($0) }
            let reportErrors = (members?["errors"]?.elements ?? []).compactMap { ReportError($0) }
            let code = members?["errorCode"]?.wholeNumber.map { APIErrorCode(rawValue: $0) }
            let sentence = members?["errorMessage"]?.stringValue ?? reportErrors.first?.message
            let kind: Kind =
                switch answer.status {
                case 401: .unauthorized
                case 429: .rateLimited
                default: .refused
                }
            self.init(
                kind, call.endpoint,
                sentence.map { ShownText.text($0) } ?? "the answer has the status \(answer.status).")
            (status, self.code, self.reportErrors) = (
                answer.status, code ?? reportErrors.first?.code, reportErrors
            )
            mayHaveBeenExecuted = answer.status >= 500
            let date = answer.field("Date").flatMap { CalendarTime.seconds(http: $0) }
                .map { Date(timeIntervalSince1970: Double($0)) }
            if kind == .rateLimited { readRetryAfter(answer, date ?? now) }
            if kind == .unauthorized {
                // The App Store refuses a token outside of its time by its own clock. The five seconds are for the way of the
                // answer, and for its date, which has whole seconds.
                let isOutside = date.map { $0 < token.start - 5 || $0 >= token.end }
                suspectNames(
                    issuer, clockAheadBy: isOutside == true ? date.map { now.timeIntervalSince($0) } : nil)
            }
        }

        /// Reads `Retry-After`, which Apple writes in milliseconds since 1970.
        ///
        /// Source: Apple's page
        /// [RateLimitExceededError](https://developer.apple.com/documentation/appstoreserverapi/ratelimitexceedederror).
        private mutating func readRetryAfter(_ answer: HTTPAnswer, _ now: Date) {
            guard let number = answer.field("Retry-After").flatMap({ Double($0) }), number.isFinite,
                number >= 0
            else { return }
            // A proxy on the way may mean seconds from now (RFC 9110, section 10.2.3): a day is the bound between the forms.
            let rest = number <= 86_400 ? number : number / 1000 - now.timeIntervalSince1970
            // Apple enforces limits by the hour. A time after more than a day comes from a wrong clock.
            let seconds = min(max(rest, 0), 86_400)
            wait(.seconds(seconds), from: now)
        }

        /// Notes the pause before the next request.
        mutating func wait(_ pause: Duration, from now: Date) {
            retryWait = pause
            retryAfter = now + pause / .seconds(1)
        }

        /// Finds the suspect after the App Store refused a token: the clock, or one of the names.
        ///
        /// - Parameter difference: by how many seconds this clock is ahead of the App Store's; `nil` if the token's time is
        ///   not the reason.
        private mutating func suspectNames(_ issuer: RequestIssuer, clockAheadBy difference: Double?) {
            if let difference {
                // Some 95 years: every difference of real clocks is within, and it fits the type.
                let seconds = Int(min(max(difference, -3e9), 3e9))
                suspect = .clock(seconds: seconds)
                let side = seconds > 0 ? "ahead of" : "behind"
                tokenAdvice =
                    "Set this computer's clock: it is \(abs(seconds)) seconds \(side) the App Store's, and the token is not valid there."
            } else if !issuer.keyID.hasKeyIDForm {
                suspect = .keyID
                tokenAdvice =
                    "Look at the key identifier: \"\(visible(issuer.keyID))\" is not ten capital letters and digits, as App Store Connect has them."
            } else if UUID(canonicalForm: issuer.issuerID) == nil {
                suspect = .issuerID
                tokenAdvice =
                    "Look at the issuer identifier: \"\(visible(issuer.issuerID))\" is not a UUID; App Store Connect shows it above the keys."
            } else if !issuer.bundleID.hasBundleIDForm {
                suspect = .bundleID
                tokenAdvice =
                    "Look at the bundle identifier: \"\(visible(issuer.bundleID))\" does not have a form like com.example.app."
            } else {
                suspect = .revokedKeyOrOtherIssuer
                tokenAdvice =
                    "Look at the key \(visible(issuer.keyID)) in App Store Connect, under In-App Purchase: it may be revoked, belong to another issuer than \(visible(issuer.issuerID)), or not be for \(visible(issuer.bundleID))."
            }
        }
    }

    extension AppStoreServerAPIError.ReportError {
        /// An element of `errors`; `nil` if it has no code.
        fileprivate init?(_ tree: JSONTree) {
            guard let code = tree["errorCode"]?.wholeNumber else { return nil }
            self.code = APIErrorCode(rawValue: code)
            message = ShownText.text(tree["errorMessage"]?.stringValue ?? "")
            fieldName = tree["fieldName"]?.stringValue
            lineItemID = tree["lineItemId"]?.stringValue
        }
    }

    extension String {
        /// Ten capital letters and digits.
        fileprivate var hasKeyIDForm: Bool {
            utf8.count == 10
                && utf8.allSatisfy { isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        }

        /// Two or more parts of letters, digits and hyphens, with full stops between them.
        fileprivate var hasBundleIDForm: Bool {
            let parts = split(separator: ".", omittingEmptySubsequences: false)
            return parts.count > 1
                && parts.allSatisfy { part in
                    !part.isEmpty
                        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
                }
        }
    }
#endif
