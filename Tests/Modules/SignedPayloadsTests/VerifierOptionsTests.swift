import Essentials
import SignedPayloads
import Testing

/// The options that come as JSON, from a program or a file.
@Suite struct VerifierOptionsTests {
    private func options(_ text: String) throws(OptionsError) -> VerifierOptions {
        try VerifierOptions(json: Array(text.utf8).span)
    }

    @Test func `each option is read`() throws {
        let options = try options(
            """
            {"bundleIds":["a","b"],"environments":["Sandbox"],"appAppleId":-1,"maxTokenBytes":7,"revocation":"hard",
             "deviceId":"00000000-0000-0000-0000-0000000000aB","effectiveDate":"1970-01-01T00:00:01.5Z",
             "engine":"portable","jobs":900,"debug":true}
            """)
        #expect(options.policy.bundleIdentifiers == ["a", "b"])
        #expect(options.policy.environments == [.sandbox])
        #expect(options.policy.appAppleIdentifier == -1)
        #expect(options.policy.maximumTokenBytes == 7)
        #expect(options.policy.deviceIdentifier?.uuidString == "00000000-0000-0000-0000-0000000000AB")
        #expect(options.policy.effectiveDate?.timeIntervalSince1970 == 1.5)
        #expect((options.revocation, options.engine) == (.hard, .portable))
        #expect((options.jobs, options.isDebugging) == (64, true))
    }

    @Test(arguments: [
        (#"[]"#, "the options: '[' instead of an object at byte 0"),
        (#"{"jobs":1,"jobs":2}"#, #"the options: a second member named "jobs" at byte 10"#),
        (#"{"bundleIds":"a"}"#, #"the option "bundleIds" must be an array of strings"#),
        (#"{"bundleIds":["a",1]}"#, #"the option "bundleIds" must be an array of strings"#),
        (
            #"{"environments":["sandbox"]}"#,
            #"the option "environments" must be an array of Production, Sandbox, Xcode, LocalTesting"#
        ),
        (#"{"appAppleId":1.0}"#, #"the option "appAppleId" must be an integer"#),
        (#"{"maxTokenBytes":0}"#, #"the option "maxTokenBytes" must be an integer from 1"#),
        (#"{"deviceId":"0"}"#, #"the option "deviceId" must be a UUID"#),
        (
            #"{"effectiveDate":"2025-02-30"}"#,
            #"the option "effectiveDate" must be a date of ISO 8601, such as 2025-10-11T19:51:52Z"#
        ),
        (#"{"revocation":"on"}"#, #"the option "revocation" must be one of off, soft, hard"#),
        (#"{"debug":1}"#, #"the option "debug" must be true or false"#),
    ]) func `a wrong value is named with what it must be`(_ text: String, _ message: String) {
        #expect(throws: OptionsError(message)) { try options(text) }
    }

    /// A template makes them of variables that are not set.
    @Test(arguments: ["bundleIds", "environments"], ["[]", #"[""]"#, #"["Sandbox",""]"#])
    func `an empty list or identifier is refused by its name, and never accepts all`(
        _ name: String, _ list: String
    ) {
        #expect(throws: VerifierOptions.failure(name, "an array of one string or more, none of them empty")) {
            try options(#"{"\#(name)":\#(list)}"#)
        }
    }

    @Test func `an unknown option is refused, the first one by its name`() {
        let error = #expect(throws: OptionsError.self) { try options(#"{"jobs":"x","b":1,"a":1}"#) }
        #expect(error?.description.hasPrefix(#"there is no option "b"; there are bundleIds, "#) == true)
        #expect(throws: OptionsError.self) { try options(#"{"roots":["x"]}"#) }
    }
}
