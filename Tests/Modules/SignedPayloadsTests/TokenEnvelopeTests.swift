import Minting
import SignedPayloads
import Testing

/// Lines of a log: tokens, and JSON objects around them.
@Suite struct TokenEnvelopeTests {
    @Test(
        "a token is found under each of its names",
        arguments: [
            "signedPayload", "signedTransactionInfo", "signedTransaction", "signedRenewalInfo",
            "signedAppTransactionInfo",
        ])
    func findsToken(name: String) throws {
        let token = try Minted.token(#"{"signedDate":1760000000000}"#)
        #expect(try verify(#"{"\#(name)":"\#(token)"}"#) == nil)
        #expect(try verify(#"{"at":"2025","more":{"signedPayload":"x"},"\#(name)" : "\#(token)" } "#) == nil)
        let escaped = token.split(separator: ".").joined(separator: #"\u002e"#)
        #expect(try verify(#"{"\#(name)":"\#(escaped)","signedX":null}"#) == nil)
        #expect(try verify(token) == nil)
    }

    @Test func `an object that does not hold one token is refused with the reason`() throws {
        let cases: [(String, EnvelopeViolation)] = [
            ("{}", .noToken), (#"{"token":"x"}"#, .noToken), (#"{"signedPayload":null}"#, .noToken),
            (#"{"signedPayload":7}"#, .notAString(member: "signedPayload", found: "a number")),
            (
                #"{"signedPayload":"x","signedRenewalInfo":"y"}"#,
                .severalTokens(["signedPayload", "signedRenewalInfo"])
            ),
            (
                #"{"signedPayload":"x","signedPayload":"x"}"#,
                .severalTokens(["signedPayload", "signedPayload"])
            ),
        ]
        for (line, violation) in cases {
            let error = try verify(line)
            #expect(error?.cause == .envelope(violation))
            #expect(error?.code == .invalidEncoding)
        }
        #expect(try verify(#"{"signedPayload":"x""#)?.detail == "envelope")
        #expect(try verify(#"{"signedPayload":"x"}"#)?.detail == "segmentCount")
    }

    @Test func `the size limit is on the token, not on what is around it`() throws {
        let token = try Minted.token(#"{"signedDate":1760000000000}"#)
        let verifier = try Minted.verifier { $0.maximumTokenBytes = token.utf8.count }
        let line = Array(
            #"{"more":"\#(String(repeating: "x", count: 100))","signedPayload":"\#(token)"}"#.utf8)
        #expect(throws: Never.self) { try verifier.verify(line: line.span) }
    }

    private func verify(_ line: String) throws -> PayloadError? {
        let verifier = try Minted.verifier()
        let bytes = Array(line.utf8)
        do throws(PayloadError) {
            _ = try verifier.verify(line: bytes.span)
            return nil
        } catch {
            return error
        }
    }
}
