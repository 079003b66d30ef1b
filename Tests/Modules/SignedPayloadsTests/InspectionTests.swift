import Minting
import SignedPayloads
import Testing

/// Inspecting tokens, good and bad.
@Suite struct InspectionTests {
    @Test func `an inspection's verdict is the verifier's, and its checks tell the same story`() throws {
        let token = Array(
            try Minted.token(#"{"transactionId":"1","environment":"Sandbox","signedDate":1760000000000}"#)
                .utf8)
        let inspection = try Minted.verifier { $0.environments = [.sandbox] }.inspect(token.span)
        #expect((try? inspection.verdict.get()) != nil)
        #expect(inspection.checks.map(\.check) == VerificationCheck.allCases)
        let outcomes = Dictionary(uniqueKeysWithValues: inspection.checks.map { ($0.check, $0.outcome) })
        #expect(outcomes[.signature] == .passed)
        #expect(outcomes[.identity] == .passed)
        #expect(outcomes[.revocation] == .notAsked)
        #expect(outcomes[.deviceVerification] == .notAsked)
        #expect(outcomes[.nestedPayloads] == .notAsked)
        #expect(inspection.certificates.map(\.position) == [.leaf, .intermediate, .root])
        #expect(inspection.dates.map(\.iso8601) == ["2025-10-09T08:53:20.000Z"])
    }

    @Test func `checks after the one that failed are not reached`() throws {
        let token = Array(try Minted.token(#"{"transactionId":"1"}"#).utf8)
        let inspection = try Minted.verifier().inspect(token.span)
        for result in inspection.checks {
            switch result.check {
            case ..<VerificationCheck.effectiveDate: #expect(result.outcome == .passed)
            case .effectiveDate: #expect(result.outcome == .failed)
            default: #expect(result.outcome == .notReached)
            }
        }
        #expect(inspection.payload == Array(#"{"transactionId":"1"}"#.utf8))
        #expect(inspection.kind == .transaction)
    }

    @Test func `payloads inside are looked into, also where the outer one is not verified`() throws {
        let inner = try Minted.token(#"{"transactionId":"1","signedDate":1760000000000}"#)
        let outer = try Minted.token(
            #"{"notificationType":"T","data":{"signedTransactionInfo":"\#(inner)"}}"#)
        let inspection = try Minted.verifier().inspect(Array(outer.utf8).span)
        #expect(inspection.verdict.error?.code == .missingRequiredProperties)
        #expect(inspection.nested.map(\.member) == ["data.signedTransactionInfo"])
        #expect(inspection.nested.allSatisfy { (try? $0.inspection.verdict.get()) != nil })
    }

    @Test(
        "anything can be looked into",
        arguments: [
            "", ".", "..", "a.b.c", "....", "{", "{}", "e30.bnVsbA.AA", "\u{0}", "eyJ4NWMiOltdfQ..", "é.é.é",
        ])
    func survives(text: String) throws {
        let inspection = try Minted.verifier().inspect(line: Array(text.utf8).span)
        #expect(inspection.verdict.error?.code == .invalidEncoding)
        #expect(inspection.checks.count { $0.outcome == .failed } == 1)
    }

    @Test func `a token over the limit is not taken apart`() throws {
        let inspection = try Minted.verifier { $0.maximumTokenBytes = 10 }.inspect(
            Array("aaaaaaaa.bbbb.cccc".utf8).span)
        #expect(inspection.verdict.error?.code == .tooLarge)
        #expect(inspection.payload == nil)
    }
}
