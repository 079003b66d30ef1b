import CommandProcesses
import Foundation
import Testing

/// JSON that has its tokens inside: answers of the App Store Server API, and objects of a back end.
@Suite struct AnyJSONTests {
    private func lines(_ name: String) throws -> [String] {
        try String(contentsOf: CommandProcess.vectors.appending(path: name), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    private func run(_ json: String, _ arguments: [String] = []) throws -> CommandProcess {
        try CommandProcess(
            ["--any-json"] + CommandProcess.root + arguments, input: Array(json.utf8))
    }

    /// The verdicts on lines, with the paths that the tokens should be found at.
    private func expected(_ tokens: [(path: String, token: String)]) throws -> [Verdict] {
        let input = Array(tokens.map(\.token).joined(separator: "\n").utf8)
        var verdicts = try CommandProcess(CommandProcess.root, input: input).verdicts()
        for (index, token) in tokens.enumerated() {
            verdicts[index].at = verdicts[index].at.map { "\(token.path).\($0)" } ?? token.path
        }
        return verdicts
    }

    /// Compares everything but the numbers of the lines.
    private func expect(_ run: CommandProcess, _ expected: [Verdict]) throws {
        var verdicts = try run.verdicts()
        for index in verdicts.indices { verdicts[index].line = index + 1 }
        #expect(verdicts == expected)
    }

    @Test func `each token of an answer gets its verdict, and the member that held it`() throws {
        let tokens = try lines("valid/transactions.jws")
        let notification = try #require(try lines("valid/notifications.jws").first)
        let bad = try #require(try lines("invalid/11-inner.jws").first)
        let answers: [(json: String, tokens: [(String, String)])] = [
            (
                "{\"signedTransactions\":[\"\(tokens[0])\",\"\(tokens[1])x\",\"damaged\"],\"hasMore\":false}",
                [
                    ("signedTransactions[0]", tokens[0]), ("signedTransactions[1]", tokens[1] + "x"),
                    ("signedTransactions[2]", "damaged"),
                ]
            ),
            (
                """
                {"environment": "Sandbox", "data": [{"lastTransactions": [
                  {"status": 1, "signedTransactionInfo": "\(tokens[0])", "signedRenewalInfo": null},
                  {"status": 2, "signedTransactionInfo": "\(tokens[1].replacing(".", with: "\\u002e"))"}]}]}
                """,
                [
                    ("data[0].lastTransactions[0].signedTransactionInfo", tokens[0]),
                    ("data[0].lastTransactions[1].signedTransactionInfo", tokens[1]),
                ]
            ),
            (
                "{\"notificationHistory\":[{\"signedPayload\":\"\(notification)\"},{\"signedPayload\":\"\(bad)\"}]}",
                [
                    ("notificationHistory[0].signedPayload", notification),
                    ("notificationHistory[1].signedPayload", bad),
                ]
            ),
            (
                "{\"signedTransactionInfo\":\"\(tokens[0])\",\"signedRenewalInfo\":\"\(tokens[1])\"}",
                [("signedTransactionInfo", tokens[0]), ("signedRenewalInfo", tokens[1])]
            ),
            ("[[\"\(tokens[0])\"]]", [("[0][0]", tokens[0])]),
        ]
        for (json, tokens) in answers {
            let verdicts = try expected(tokens)
            #expect(verdicts.count == tokens.count)
            try expect(try run(json), verdicts)
            let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
            let pretty = try JSONSerialization.data(
                withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .fragmentsAllowed])
            let found = try run(String(decoding: pretty, as: UTF8.self)).verdicts()
            #expect(Set(found.map(\.at)) == Set(verdicts.map(\.at)))
            #expect(Set(found.map(\.line)).count == found.count, "each token has its line")
        }
        let all = answers.map(\.json).joined(separator: "\n")
        try expect(try run(all), try expected(answers.flatMap(\.tokens)))
        let typed = try run(answers[0].json, ["--output", "typed"])
        #expect(
            typed.text.hasPrefix(
                #"{"line":1,"at":"signedTransactions[0]","verified":true,"type":"transaction","value":{"#))
    }

    @Test func `a document without a token says what it is, and a text that is not JSON ends the file`()
        throws
    {
        let token = try #require(try lines("valid/transactions.jws").first)
        let verdicts = try run(#"{"errorCode":4040010,"errorMessage":"x"} {"a":[1]} 7"#).verdicts()
        #expect(verdicts.map(\.detail) == ["serverAPIError", "envelope", "segmentCount"])
        #expect(verdicts.allSatisfy { $0.at == nil && !$0.verified })
        for rest in ["{\"a\":", "token", "[1 2]", "{\"a\":\"\u{1}\"}"] {
            let run = try run("[\"\(token)\"]\n\(rest)")
            #expect(run.status == 66, "\(rest)")
            #expect(try run.verdicts().map(\.verified) == [true], "\(rest)")
            #expect(run.diagnostics.hasPrefix("storekit-verify: standard input: it is not JSON: "))
        }
        let empty = try run(" \n ")
        #expect(empty.status == 0 && empty.output.isEmpty)
    }
}
