import Minting
import SignedPayloads
import Testing

/// The checks of environment, app and device.
@Suite struct IdentityTests {
    private let date = #""signedDate":1760000000000"#

    @Test func `the environment is read where each kind has it`() throws {
        for payload in [
            #"{"transactionId":"1","environment":"Sandbox",\#(date)}"#,
            #"{"autoRenewStatus":1,"environment":"Sandbox",\#(date)}"#,
            #"{"userLocale":"en","environment":"Sandbox",\#(date)}"#,
            #"{"receiptType":"Sandbox","environment":"Production","receiptCreationDate":1760000000000}"#,
            #"{"notificationType":"TEST","data":{"environment":"Sandbox"},\#(date)}"#,
            #"{"notificationType":"TEST","summary":{"environment":"Sandbox"},\#(date)}"#,
            #"{"notificationType":"TEST","appData":{"environment":"Sandbox"},\#(date)}"#,
            #"{"notificationType":"T","unclaimInfo":{"environment":"Sandbox"},\#(date)}"#,
            #"{"notificationType":"TEST","externalPurchaseToken":{"externalPurchaseId":"SANDBOX_1"},\#(date)}"#,
        ] {
            #expect(try Minted.verify(payload) { $0.environments = [.sandbox] }.error == nil, "\(payload)")
            #expect(try Minted.verify(payload) { $0.environments = [.sandbox, .production] }.error == nil)
            let error = try Minted.verify(payload) { $0.environments = [.production] }.error
            #expect(error?.cause == .environment(found: "Sandbox", accepted: ["Production"]), "\(payload)")
            #expect(error?.code == .wrongEnvironment)
            #expect(error?.storeKitCase == nil)
        }
    }

    @Test func `an absent environment is the wrong one, if one is asked for`() throws {
        for payload in [
            #"{"transactionId":"1",\#(date)}"#, #"{"notificationType":"TEST",\#(date)}"#,
            #"{"notificationType":"TEST","environment":"Sandbox","data":{},\#(date)}"#,
            #"{"transactionId":"1","environment":7,\#(date)}"#,
            #"{"transactionId":"1","environment":"sandbox",\#(date)}"#,
        ] {
            #expect(try Minted.verify(payload).error == nil)
            #expect(
                try Minted.verify(payload) { $0.environments = [.sandbox] }.error?.code == .wrongEnvironment)
        }
    }

    @Test func `external purchase tokens are of production unless their identifier says SANDBOX`() throws {
        let payload =
            #"{"notificationType":"T","externalPurchaseToken":{"externalPurchaseId":"x-SANDBOX"},\#(date)}"#
        #expect(try Minted.verify(payload) { $0.environments = [.production] }.error == nil)
        #expect(try Minted.verify(payload) { $0.environments = [.sandbox] }.error?.code == .wrongEnvironment)
    }

    @Test func `bundle identifiers are compared byte for byte, in the kinds that have one`() throws {
        let payload = #"{"transactionId":"1","bundleId":"com.example.caf\u00e9",\#(date)}"#
        #expect(
            try Minted.verify(payload) { $0.bundleIdentifiers = ["com.example.caf\u{e9}", "b"] }.error == nil)
        let decomposed = try Minted.verify(payload) { $0.bundleIdentifiers = ["com.example.cafe\u{301}"] }
        #expect(decomposed.error?.code == .wrongBundleIdentifier)
        for payload in [
            #"{"transactionId":"1",\#(date)}"#, #"{"transactionId":"1","bundleId":null,\#(date)}"#,
            #"{"receiptCreationDate":1760000000000,"bundleId":"A"}"#,
            #"{"notificationType":"T","bundleId":"a","data":{"bundleId":"b"},\#(date)}"#,
            #"{"bundleId":"b",\#(date)}"#,
        ] {
            #expect(
                try Minted.verify(payload) { $0.bundleIdentifiers = ["a"] }.error?.code
                    == .wrongBundleIdentifier)
        }
        for payload in [#"{"autoRenewStatus":1,\#(date)}"#, #"{"userLocale":"en",\#(date)}"#] {
            #expect(try Minted.verify(payload) { $0.bundleIdentifiers = ["a"] }.error == nil)
        }
    }

    @Test func `the app of unclaimed seats is compared, and one that is not named is the wrong one`() throws {
        func code(_ part: String, _ member: String = "unclaimInfo") throws -> PayloadError.Code? {
            try Minted.verify(#"{"notificationType":"UNCLAIM_SEATS","\#(member)":\#(part),\#(date)}"#) {
                $0.bundleIdentifiers = ["a"]
                $0.appAppleIdentifier = 42
            }.error?.code
        }
        let app = #""environment":"Production","bundleId":"a""#
        #expect(try code(#"{\#(app),"appAppleId":42}"#) == nil)
        #expect(try code(#"{\#(app),"appAppleId":43}"#) == .wrongAppAppleIdentifier)
        #expect(
            try code(#"{"environment":"Production","bundleId":"b","appAppleId":42}"#)
                == .wrongBundleIdentifier)
        #expect(try code("{}") == .wrongBundleIdentifier)
        #expect(try code("null") == .wrongBundleIdentifier)
        #expect(try code("[]") == .invalidEncoding)
        #expect(try code(#"{\#(app),"appAppleId":42,"bundleId":"a"}"#) == .invalidEncoding)
        #expect(try code(#"{\#(app),"appAppleId":42}"#, "unclaimedInfo") == .wrongBundleIdentifier)
    }

    @Test(
        "the app's number is compared exactly, and may be absent outside production only",
        arguments: [
            (#"{"receiptType":"Production","appAppleId":42,"receiptCreationDate":1760000000000}"#, true),
            (#"{"receiptType":"Production","appAppleId":4.2e1,"receiptCreationDate":1760000000000}"#, true),
            (#"{"receiptType":"Production","appAppleId":42.5,"receiptCreationDate":1760000000000}"#, false),
            (#"{"receiptType":"Production","appAppleId":0,"receiptCreationDate":1760000000000}"#, false),
            (#"{"receiptType":"Production","receiptCreationDate":1760000000000}"#, false),
            (#"{"receiptType":"Production","appAppleId":"42","receiptCreationDate":1760000000000}"#, false),
            (#"{"receiptType":"Sandbox","appAppleId":0,"receiptCreationDate":1760000000000}"#, true),
            (#"{"receiptType":"Sandbox","receiptCreationDate":1760000000000}"#, true),
            (#"{"receiptType":"Sandbox","appAppleId":43,"receiptCreationDate":1760000000000}"#, false),
            (#"{"receiptCreationDate":1760000000000}"#, false),
            (
                #"{"notificationType":"T","data":{"environment":"Production","appAppleId":42},"signedDate":1760000000000}"#,
                true
            ),
            (
                #"{"notificationType":"T","data":{"environment":"Production"},"signedDate":1760000000000}"#,
                false
            ),
            (#"{"notificationType":"T","data":{"environment":"Sandbox"},"signedDate":1760000000000}"#, true),
            (
                #"{"userLocale":"en","environment":"Production","appAppleId":43,"signedDate":1760000000000}"#,
                false
            ),
            (#"{"transactionId":"1","environment":"Production","signedDate":1760000000000}"#, true),
            (#"{"autoRenewStatus":1,"environment":"Production","signedDate":1760000000000}"#, true),
        ])
    func comparesAppAppleIdentifiers(payload: String, isAccepted: Bool) throws {
        let error = try Minted.verify(payload) { $0.appAppleIdentifier = 42 }.error
        #expect(error?.code == (isAccepted ? nil : .wrongAppAppleIdentifier), "\(payload)")
    }

    @Test func `members that a check reads must not come twice, others may`() throws {
        for payload in [
            #"{"signedDate":1760000000000,"signedDate":1760000000000}"#, #"{"\u0073ignedDate":1,\#(date)}"#,
            #"{"transactionId":"1","bundleId":"a","bundleId":"a",\#(date)}"#,
            #"{"notificationType":"T","data":{},"data":{},\#(date)}"#,
            #"{"notificationType":"T","data":{"bundleId":"a","bundleId":"a"},\#(date)}"#,
            #"{"deviceVerification":"","deviceVerification":"",\#(date)}"#,
        ] {
            let error = try Minted.verify(payload).error
            #expect(error?.code == .invalidEncoding, "\(payload)")
            #expect(error?.detail == "duplicateMember")
        }
        #expect(
            try Minted.verify(#"{"quantity":1,"quantity":2,"nested":{"signedDate":1},\#(date)}"#).error == nil
        )
    }
}
