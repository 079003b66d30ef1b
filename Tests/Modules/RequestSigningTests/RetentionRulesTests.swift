#if Service
    import Foundation
    import RequestSigning
    import Testing
    import WireFormats

    /// Which retention message a customer sees. `Proofs/Service` tries the rules in a running service.
    @Suite struct RetentionRulesTests {
        private static let message = "2b6d3c4e-4f3a-4d8b-9b1a-6f1d3a0c9e11"

        private func rules(_ json: String) throws -> RetentionRules {
            let text = json.replacing("ID", with: Self.message)
            return try RetentionRules(JSONTree(Array(text.utf8).span))
        }

        private func answer(
            _ rules: RetentionRules, product: String = "plus", locale: String = "de-DE"
        ) throws -> String {
            let question = RetentionRules.Question(productID: product, locale: locale, transactionID: "20")
            let scene = try SigningScene()
            let key = try NamedKey(scene.key, keyID: "K1", issuerID: "I1")
            let answer = try rules.answer(
                to: question, by: key, bundleID: SigningScene.bundleID, at: SigningScene.start)
            let body = String(decoding: answer.body, as: UTF8.self)
            #expect(
                body == "{}" ? answer.choice == .default : body.hasPrefix(#"{"\#(answer.choice.rawValue)":"#))
            return body
        }

        @Test func `the first rule that fits product and locale answers`() throws {
            let rules = try rules(
                """
                [{"productIds":["plus"],"locales":["de","pt_BR"],"messageIdentifier":"ID"},
                 {"productIds":["pro"],"messageIdentifier":"ID","alternateProductId":"plus"}]
                """)
            let plain = #"{"message":{"messageIdentifier":"\#(Self.message)"}}"#
            for locale in ["de", "de-DE", "DE_AT", "pt-BR", "pt_BR"] {
                #expect(try answer(rules, locale: locale) == plain, "\(locale)")
            }
            for locale in ["", "d", "den", "den-DE", "en-DE", "pt", "pt-PT"] {
                #expect(try answer(rules, locale: locale) == "{}", "\(locale)")
            }
            #expect(try answer(rules, product: "pro", locale: "fr").contains(#""productId":"plus""#))
            #expect(try answer(rules, product: "plus ") == "{}")
        }

        @Test func `another product is for customers who do not have it, unless the rule names its plan`()
            throws
        {
            let other = try rules(#"[{"messageIdentifier":"ID","alternateProductId":"plus"}]"#)
            #expect(try answer(other) == "{}")
            #expect(
                try answer(other, product: "pro")
                    == #"{"alternateProduct":{"productId":"plus","messageIdentifier":"\#(Self.message)"}}"#)
            let plan = try rules(
                #"[{"messageIdentifier":"ID","alternateProductId":"plus","billingPlanType":"BILLED_UPFRONT"}]"#
            )
            #expect(try answer(plan).contains(#""billingPlanType":"BILLED_UPFRONT""#))
        }

        @Test func `an offer is signed for the customer who is about to cancel`() throws {
            let rules = try rules(#"[{"messageIdentifier":"ID","offerIdentifier":"spring"}]"#)
            #expect(rules.needsKey)
            let body = try JSONTree(Array(answer(rules).utf8).span)
            let jws = try #require(body["promotionalOffer"]?["promotionalOfferSignatureV2"]?.stringValue)
            let parts = try SigningScene().parts(jws)
            let claims = try JSONTree(Array(parts.payload.utf8).span)
            #expect(parts.isSigned)
            #expect(claims["transactionId"] == .string("20") && claims["productId"] == .string("plus"))
            #expect(claims["offerIdentifier"] == .string("spring"))
        }

        @Test func `an offer is signed in its first form where a rule says so`() throws {
            let rules = try rules(
                #"[{"messageIdentifier":"ID","offerIdentifier":"spring","offerSignatureVersion":1}]"#)
            let body = try JSONTree(Array(answer(rules).utf8).span)
            let offer = try #require(body["promotionalOffer"]?["promotionalOfferSignatureV1"])
            let parts = ["nonce", "timestamp"].map { name in
                offer[name]?.stringValue ?? offer[name]?.wholeNumber.map { String($0) } ?? ""
            }
            let text = ([SigningScene.bundleID, "K1", "plus", "spring", ""] + parts).joined(
                separator: "\u{2063}")
            let signature = try #require(
                offer["encodedSignature"]?.stringValue.flatMap { Data(base64Encoded: $0) })
            #expect(try SigningScene().verifies(text, der: Array(signature)))
            #expect(offer["productId"] == .string("plus") && offer["keyId"] == .string("K1"))
            #expect(offer["offerIdentifier"] == .string("spring") && offer["appAccountToken"] == nil)
        }

        @Test func `an offer needs a key`() throws {
            let rules = try rules(#"[{"messageIdentifier":"ID","offerIdentifier":"spring"}]"#)
            let question = RetentionRules.Question(productID: "plus", locale: "", transactionID: "20")
            #expect(throws: RequestSigningError.failed("no key signs for the app")) {
                try rules.answer(to: question, by: nil, bundleID: "b", at: SigningScene.start)
            }
            #expect(try !self.rules(#"[{"messageIdentifier":"ID"}]"#).needsKey)
        }

        @Test(arguments: [
            "[]", "{}", "[1]", "[{}]", #"[{"messageIdentifier":"1"}]"#, #"[{"messageIdentifier":1}]"#,
            #"[{"messageIdentifier":"ID","locale":"de"}]"#, #"[{"messageIdentifier":"ID","locales":[]}]"#,
            #"[{"messageIdentifier":"ID","locales":[""]}]"#,
            #"[{"messageIdentifier":"ID","locales":["german"]}]"#,
            #"[{"messageIdentifier":"ID","locales":["de","de-"]}]"#,
            #"[{"messageIdentifier":"ID","locales":["-"]}]"#,
            #"[{"messageIdentifier":"ID","productIds":"p"}]"#,
            #"[{"messageIdentifier":"ID","offerIdentifier":""}]"#,
            #"[{"messageIdentifier":"ID","billingPlanType":"MONTHLY"}]"#,
            #"[{"messageIdentifier":"ID","alternateProductId":"p","billingPlanType":"YEARLY"}]"#,
            #"[{"messageIdentifier":"ID","alternateProductId":"p","offerIdentifier":"o"}]"#,
            #"[{"messageIdentifier":"ID","offerIdentifier":"o","billingPlanType":"MONTHLY"}]"#,
            #"[{"messageIdentifier":"ID","offerIdentifier":"o","offerSignatureVersion":0}]"#,
            #"[{"messageIdentifier":"ID","offerIdentifier":"o","offerSignatureVersion":"2"}]"#,
            #"[{"messageIdentifier":"ID","offerSignatureVersion":2}]"#,
        ])
        func `a mistake in a rule is refused with a sentence`(_ json: String) throws {
            let error = #expect(throws: RequestSigningError.self) { try rules(json) }
            #expect("\(try #require(error))".contains("retention messages"))
        }
    }
#endif
