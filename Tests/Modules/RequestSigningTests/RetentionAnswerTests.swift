#if Service
    import Foundation
    import RequestSigning
    import StoreKitTestSession
    import TestServerAPI
    import Testing
    import WireFormats

    /// The answers of rules, judged by the test App Store.
    @Suite struct RetentionAnswerTests {
        private let scene: SigningScene
        private let api: TestAppStoreAPI
        /// The subscriptions of two customers.
        private let originals: [UInt64]

        init() throws {
            scene = try SigningScene()
            let store = try scene.session().appStore
            api = TestAppStoreAPI(store, keys: [scene.apiKey])
            let bought = api.respond(
                to: ServerAPIRequest(
                    "POST", "/test/events",
                    body: Array("anna: buy $subscription\nben: buy $subscription".utf8)),
                at: SigningScene.start)
            originals =
                try JSONTree(bought.body.span)["transactions"]?.elements?.compactMap {
                    $0["originalTransactionId"]?.stringValue.flatMap { UInt64($0) }
                } ?? []
        }

        private func answer(_ version: Int, for original: UInt64, keyID: String? = nil) throws -> Data {
            let text =
                #"[{"messageIdentifier":"2b6d3c4e-4f3a-4d8b-9b1a-6f1d3a0c9e11","offerIdentifier":"spring","#
                + #""offerSignatureVersion":\#(version)}]"#
            let rules = try RetentionRules(JSONTree(Array(text.utf8).span))
            let key = try NamedKey(
                scene.key, keyID: keyID ?? scene.apiKey.keyID, issuerID: scene.apiKey.issuerID)
            return try rules.answer(
                to: .init(productID: SigningScene.monthly, locale: "de", transactionID: String(original)),
                by: key,
                bundleID: SigningScene.bundleID, at: SigningScene.start
            ).body
        }

        @Test(arguments: [1, 2])
        func `the App Store takes a signed offer, for a day`(_ version: Int) throws {
            let question = try api.realtimeQuestion(about: originals[0])
            let body = try answer(version, for: originals[0])
            #expect(api.mistake(inAnswer: body, to: question, at: SigningScene.start) == nil)
            let (later, earlier) = (SigningScene.start + 86_401, SigningScene.start - 61)
            #expect(api.mistake(inAnswer: body, to: question, at: later) != nil)
            #expect(api.mistake(inAnswer: body, to: question, at: earlier) != nil)
            let other = try answer(version, for: originals[0], keyID: "K2")
            #expect(api.mistake(inAnswer: other, to: question, at: SigningScene.start) != nil)
        }

        @Test func `an offer in the second form is of no use to another customer`() throws {
            let question = try api.realtimeQuestion(about: originals[1])
            for (version, isTaken) in [(1, true), (2, false)] {
                let body = try answer(version, for: originals[0])
                #expect((api.mistake(inAnswer: body, to: question, at: SigningScene.start) == nil) == isTaken)
            }
        }
    }
#endif
