import Foundation
import RepositoryFiles
import SeededRandom
import SignedPayloads
import Testing

/// The payloads that are taken out of a pasted text, and the notes for the person.
@Suite struct PastedTextTests {
    private let token: String
    private let other: String
    private let receipt: String

    init() throws {
        func lines(_ name: String) throws -> [String] {
            try Repository.text("TestVectors/valid/\(name)").split(separator: "\n").map(String.init)
        }
        (token, other) = (try lines("transactions.jws")[0], try lines("renewal-info.jws")[0])
        receipt = try lines("receipts.b64")[0]
    }

    private func pasted(_ text: String) throws -> PastedText {
        try #require(PastedText(Array(text.utf8)))
    }

    private func texts(_ pasted: PastedText) -> [String] {
        pasted.payloads.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// A text in lines of so many characters.
    private func wrapped(_ text: String, _ width: Int, _ before: String = "", _ after: String = "") -> String
    {
        var (lines, rest) = ([String](), text[...])
        while !rest.isEmpty {
            lines.append(before + rest.prefix(width))
            rest = rest.dropFirst(width)
        }
        return lines.joined(separator: after + "\n")
    }

    @Test func `a payload by itself, or one on each line, is taken without a word`() throws {
        for (text, expected) in [
            (token, [token]), ("\r\n\(token)\r\n", [token]), ("\(token)\n\(other)\n", [token, other]),
            (receipt, [receipt]), ("{\"signedPayload\":\"\(token)\"}", ["{\"signedPayload\":\"\(token)\"}"]),
            ("\(receipt)\n\(token)", [receipt, token]),
        ] {
            let found = try pasted(text)
            #expect(texts(found) == expected && found.notes.isEmpty && found.payloadCount == expected.count)
        }
    }

    @Test func `what was left out is said`() throws {
        for (text, surroundings, note) in [
            (" \(token)\u{a0}", PastedText.Surroundings.space, "white space"),
            ("\"\(token)\",", .quotationMarks, "quotation marks"),
            ("„\(token)“", .quotationMarks, "quotation marks"),
            ("bearer \(token)", .bearer, "Bearer"), ("Authorization: Bearer \(token)\n", .bearer, "Bearer"),
            ("12:00 INFO token=\(token) user=7", .text, "log line"), ("\(token) is it", .text, "log line"),
            ("[\"\(token)\"]", .document, "JSON document"),
        ] {
            let found = try pasted(text)
            #expect(texts(found) == [token], "\(text.prefix(30))")
            #expect(found.surroundings == surroundings, "\(text.prefix(30))")
            #expect(found.notes.count == 1 && found.notes[0].contains(note), "\(found.notes)")
        }
    }

    @Test(
        "a mail's lines are joined, whatever stands before and after",
        arguments: [20, 60, 76, 78, 998], ["", "> ", ">> ", "\t"])
    func joins(width: Int, mark: String) throws {
        for (text, rest) in [
            (wrapped(token, width, mark), nil), (wrapped(token, width, mark, "\r"), nil),
            ("Hello,\n\n" + wrapped(token, width, mark) + "\nThanks\n", PastedText.Surroundings.text),
        ] {
            let found = try pasted(text)
            #expect(texts(found) == [token] && found.isJoined)
            #expect(found.surroundings == rest || rest == nil)
            #expect(found.notes.first == "Joined the lines in which it was broken.")
        }
        let joined = try pasted("Look:\n" + wrapped(receipt, width, mark) + "\nThanks\n")
        #expect(texts(joined) == [receipt] && joined.first.kind == .receipt)
    }

    @Test func `quoted-printable lines are joined`() throws {
        #expect(texts(try pasted("x\n" + wrapped(token, 75, "", "=\r") + "\r\n")) == [token])
    }

    @Test func `two tokens in a mail stay two, and one that is cut off takes nothing of the next`() throws {
        let mail = wrapped(token, 76, "> ") + "\n" + wrapped(other, 76, "> ")
        #expect(texts(try pasted(mail)) == [token, other])
        let cut = try pasted("\(token.dropLast(40))\n\(other) x")
        #expect(texts(cut) == [String(token.dropLast(40)), other])
    }

    @Test func `an answer of the App Store Server API gives its tokens, and escapes are read`() throws {
        let text = "{\"signedTransactions\":[\"\(token)\",\"\(other)\"],\"hasMore\":false}"
        let found = try pasted(text)
        #expect(texts(found) == [token, other] && found.surroundings == .document)
        #expect(
            found.notes == [
                "Took 2 payloads out of a JSON document. The rest of the document is not verified."
            ])
        let escaped = receipt.replacing("/", with: "\\/")
        #expect(texts(try pasted("{\"receipt-data\":\"\(escaped)\"}")) == [receipt])
    }

    @Test func `lines without a payload are counted among several`() throws {
        let found = try pasted("x\nGET /?t=\(token)&a\n\nPOST \(other)\nend\n")
        #expect(texts(found) == [token, other] && found.otherLines == 2)
        #expect(found.notes.last == "Left out the other lines (2): no payload is in them.")
    }

    @Test func `damage is not repaired`() throws {
        for text in ["\(token)=", "\(token).x", "x\(token)", "\(token)%2B", token.replacing(".", with: " ")] {
            let found = try pasted(text)
            #expect(texts(found) == [text] && found.notes.isEmpty)
        }
        // A receipt whose plus signs became spaces has a message of its own.
        let spaced = receipt.replacing("+", with: " ")
        #expect(texts(try pasted(spaced)) == [spaced])
    }

    @Test func `a text without payloads stands for itself`() throws {
        for (text, kind, payload, count) in [
            ("hello\nworld", PastedInput.Kind.token, "hello", 2), ("{\"a\":1}", .object, "{\"a\":1}", 1),
            ("{\"a\":\n1", .object, "{\"a\":", 2), ("\"MII", .receipt, "\"MII", 1),
            (" \t\r\n", .token, " \t", 1),
        ] {
            let found = try pasted(text)
            #expect(
                found.first.kind == kind && texts(found) == [payload] && found.payloadCount == count,
                "\(text)")
        }
        #expect(PastedText(Array("\r\n\n".utf8)) == nil && PastedText([]) == nil)
    }

    @Test func `no more than a thousand payloads are kept, and all are counted`() throws {
        let found = try pasted(String(repeating: "x eyJ.a.b\n", count: 1_500))
        #expect(found.payloads.count == 1_000 && found.payloadCount == 1_500)
    }

    @Test func `any text ends in payloads that stand in it, in time that is linear`() throws {
        var random = SplitMix64(seed: 35)
        let pieces = [
            "eyJ", ".", "\n", "\r", "> ", "MII", "MIIC", "a", "%22", "\\n", "=", " ", "\"", "{", "}", "[",
            ":", "\u{a0}",
            token, receipt,
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 1...30, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            guard let found = PastedText(Array(text.utf8)) else { continue }
            #expect(!found.payloads.isEmpty && found.payloadCount >= found.payloads.count)
        }
        // Each would take an hour if every beginning read on to the end of the text.
        for piece in ["eyJ\n", "MIIa\n", "eyJa.b\n", "eyJ.", "MIIA+"] {
            let start = ContinuousClock.now
            _ = PastedText(Array(String(repeating: piece, count: 400_000).utf8))
            #expect(start.duration(to: .now) < .seconds(30), "\(piece)")
        }
    }
}
