// The service alone uses rules: in the released command, which has no service, they would be forty kilobytes.
#if Service
    package import WireFormats
    package import Essentials

    /// Decides which retention message a customer sees who is about to cancel: the first rule that fits the request.
    ///
    /// A rule has the form
    ///
    ///     {"productIds": ["com.example.plus"], "locales": ["de"], "messageIdentifier": "…", "offerIdentifier": "spring"}
    ///
    /// `productIds` and `locales` say which requests it fits; without them it fits all. With `offerIdentifier` the message has a
    /// promotional offer, and with `alternateProductId` another product, perhaps on a `billingPlanType`.
    package struct RetentionRules: Sendable {
        /// The customer, product and language of the App Store's request.
        package struct Question: Sendable {
            let productID: String
            /// As the request has it, such as `de-DE`.
            let locale: String
            /// The first transaction of the subscription. An offer that is signed for it is of no use to another customer.
            let transactionID: String

            /// - Parameters:
            ///   - productID: the product that the customer is subscribed to.
            ///   - locale: the customer's language, and perhaps a region.
            ///   - transactionID: the first transaction of the subscription.
            package init(productID: String, locale: String, transactionID: String) {
                (self.productID, self.locale, self.transactionID) = (productID, locale, transactionID)
            }
        }

        /// The kind of content in an answer's body. The raw values are Apple's names, except `default`.
        package enum Choice: String, CaseIterable, Sendable {
            case message, alternateProduct, promotionalOffer
            /// No rule fits: the App Store shows the default message.
            case `default`
        }

        private let rules: [RetentionRule]

        /// Whether a rule has an offer, which must be signed.
        package var needsKey: Bool {
            rules.contains { rule in
                if case .offer = rule.content { true } else { false }
            }
        }

        /// Reads rules.
        ///
        /// - Throws: `RequestSigningError.request`, with the number of the rule and its fault.
        package init(_ value: JSONTree) throws(RequestSigningError) {
            guard let elements = value.elements, !elements.isEmpty else {
                throw .request("the retention messages must be an array of one rule or more")
            }
            var rules: [RetentionRule] = []
            for (place, element) in elements.enumerated() {
                do throws(RequestSigningError) {
                    rules.append(try RetentionRule(element))
                } catch {
                    throw .request("rule \(place + 1) of the retention messages: \(error)")
                }
            }
            self.rules = rules
        }

        /// The body of the answer, in JSON, and its kind of content. Without a rule that fits, it is an empty object.
        ///
        /// - Parameters:
        ///   - key: signs an offer.
        ///   - bundleID: the app.
        ///   - date: the present time.
        /// - Throws: `RequestSigningError` if an offer cannot be signed.
        package func answer(
            to question: Question, by key: NamedKey?, bundleID: String, at date: Date
        ) throws(RequestSigningError) -> (body: Data, choice: Choice) {
            guard let rule = rules.first(where: { $0.fits(question) }) else {
                return (RealtimeResponse.defaultMessage, .default)
            }
            switch rule.content {
            case .message: return (RealtimeResponse.message(rule.message), .message)
            case .product(let id, let plan):
                let body = RealtimeResponse.alternateProduct(id, message: rule.message, billingPlanType: plan)
                return (body, .alternateProduct)
            case .offer(let id, let form):
                guard let key else { throw .failed("no key signs for the app") }
                let body: Data
                switch form {
                case .first:
                    let offer = try key.firstFormOffer(
                        id, productID: question.productID, bundleID: bundleID, at: date)
                    body = RealtimeResponse.promotionalOffer(offer, message: rule.message)
                case .second:
                    let jws = try key.promotionalOffer(
                        id, productID: question.productID, transactionID: question.transactionID,
                        bundleID: bundleID, at: date)
                    body = RealtimeResponse.promotionalOffer(compactJWS: jws, message: rule.message)
                }
                return (body, .promotionalOffer)
            }
        }
    }
#endif
