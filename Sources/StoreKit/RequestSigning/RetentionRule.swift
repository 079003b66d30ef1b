#if Service
    internal import WireFormats
    internal import Essentials

    /// One rule of `RetentionRules`: the requests that it fits, and the content that it shows.
    struct RetentionRule: Sendable {
        /// The content of an answer apart from the message.
        enum Content: Sendable {
            case message
            /// Another product for the customer to change to, on a plan if one is named.
            case product(id: String, billingPlanType: String?)
            /// An offer, by its identifier in App Store Connect.
            case offer(String, OfferForm)
        }

        /// The two forms of an offer's signature. The raw values are the numbers of Apple's names.
        enum OfferForm: Int, Sendable {
            /// `promotionalOfferSignatureV1`: for any customer, but only for purchases without an `appAccountToken`.
            case first = 1
            /// `promotionalOfferSignatureV2`: for one customer.
            case second
        }

        /// Empty for all.
        private let productIDs: [String]
        /// Languages, perhaps with a region, in lower case; empty for all.
        private let locales: [String]
        /// The message's identifier, which the app chose when it uploaded the message.
        let message: UUID
        let content: Content

        private static let names = [
            "productIds", "locales", "messageIdentifier", "offerIdentifier", "offerSignatureVersion",
            "alternateProductId", "billingPlanType",
        ]

        /// Reads a rule.
        ///
        /// - Throws: `RequestSigningError.request`, with the fault.
        init(_ value: JSONTree) throws(RequestSigningError) {
            guard let members = value.members else { throw .request("it must be an object") }
            if let unknown = members.first(where: { !Self.names.contains($0.name) })?.name {
                let name = HiddenCharacters.escaped(in: String(unknown.prefix(64)))
                throw .request(
                    "there is no member \"\(name)\"; there are \(Self.names.joined(separator: ", "))")
            }
            productIDs = try value.ruleTexts("productIds")
            let locales = try value.ruleTexts("locales")
            if let wrong = locales.first(where: { !Self.isLocale($0) }) {
                let text = HiddenCharacters.escaped(in: String(wrong.prefix(64)))
                throw .request(
                    "\"\(text)\" is not a locale: a language, and perhaps a script and a region, such as pt-BR"
                )
            }
            self.locales = locales.map(Self.comparable)
            guard let message = try value.ruleText("messageIdentifier").flatMap({ UUID(canonicalForm: $0) })
            else {
                throw .request("\"messageIdentifier\" must be a UUID, that of a message that Apple approved")
            }
            self.message = message
            content = try Self.content(of: value)
        }

        /// The content that the rule shows apart from the message. Members that would have no effect are refused.
        private static func content(of value: JSONTree) throws(RequestSigningError) -> Content {
            let (offer, product) = (
                try value.ruleText("offerIdentifier"), try value.ruleText("alternateProductId")
            )
            guard offer == nil || product == nil else {
                throw .request(
                    "it has an \"offerIdentifier\" and an \"alternateProductId\": a message has one of them")
            }
            let plan = try value.ruleText("billingPlanType")
            guard plan.map({ ["BILLED_UPFRONT", "MONTHLY"].contains($0) }) ?? true else {
                throw .request("\"billingPlanType\" must be BILLED_UPFRONT or MONTHLY")
            }
            guard plan == nil || product != nil else {
                throw .request("\"billingPlanType\" needs an \"alternateProductId\"")
            }
            var form = OfferForm.second
            if let version = value["offerSignatureVersion"] {
                guard offer != nil else {
                    throw .request("\"offerSignatureVersion\" needs an \"offerIdentifier\"")
                }
                guard let known = version.wholeNumber.flatMap(OfferForm.init(rawValue:)) else {
                    throw .request("\"offerSignatureVersion\" must be 1 or 2")
                }
                form = known
            }
            if let offer { return .offer(offer, form) }
            return product.map { .product(id: $0, billingPlanType: plan) } ?? .message
        }

        /// Whether the rule answers a request.
        ///
        /// A rule with another product does not fit customers who have that product already, unless it names a plan.
        func fits(_ question: RetentionRules.Question) -> Bool {
            if case .product(question.productID, nil) = content { return false }
            let locale = Self.comparable(question.locale)
            return (productIDs.isEmpty || productIDs.contains(question.productID))
                && (locales.isEmpty || locales.contains { locale == $0 || locale.hasPrefix($0 + "-") })
        }

        /// Whether a text has the form of a locale: a language of two or three letters, and parts of two to eight characters
        /// (RFC 5646, section 2.1). A rule with another text would never fit a request.
        private static func isLocale(_ text: String) -> Bool {
            let parts = comparable(text).split(separator: "-", omittingEmptySubsequences: false)
            return (2...3).contains(parts[0].count) && parts[0].allSatisfy { $0.isASCII && $0.isLetter }
                && parts.dropFirst().allSatisfy { part in
                    (2...8).contains(part.count)
                        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
                }
        }

        /// A locale without regard to case (RFC 5646, section 2.1.1). Xcode's form has underscores.
        private static func comparable(_ locale: String) -> String {
            locale.lowercased().replacing("_", with: "-")
        }
    }

    extension JSONTree {
        /// A member of a rule; `nil` if it is absent.
        fileprivate func ruleText(_ name: String) throws(RequestSigningError) -> String? {
            guard let member = self[name] else { return nil }
            guard let text = member.stringValue, !text.isEmpty else {
                throw .request("\"\(name)\" must be a text that is not empty")
            }
            return text
        }

        /// A list of a rule; empty if it is absent. An empty array is refused, because it would mean every request.
        fileprivate func ruleTexts(_ name: String) throws(RequestSigningError) -> [String] {
            guard let member = self[name] else { return [] }
            let texts = member.elements?.compactMap { $0.stringValue.flatMap { $0.isEmpty ? nil : $0 } } ?? []
            guard !texts.isEmpty, texts.count == member.elements?.count else {
                throw .request("\"\(name)\" must be an array of one text or more, none of them empty")
            }
            return texts
        }
    }
#endif
