import Foundation
import SeededRandom
import Testing
import WireFormats

/// Strict base64 and base64url (RFC 4648).
@Suite struct Base64Tests {
    @Test(
        "the vectors of RFC 4648, section 10, decode",
        arguments: [
            ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ])
    func decodesVectors(encoded: String, data: String) throws {
        #expect(try decode(encoded, .standard) == Array(data.utf8))
        #expect(try decode(encoded.filter { $0 != "=" }, .url) == Array(data.utf8))
    }

    @Test func `every byte string decodes from its encoding, and from nothing else of that length`() throws {
        var generator = SplitMix64(seed: 4648)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(try decode(urlEncoded(bytes), .url) == bytes)
            #expect(try decode(Data(bytes).base64EncodedString(), .standard) == bytes)
        }
    }

    private static let alphabets: [Base64.Alphabet] = [.url, .standard]
    /// The widths of vectors, in bits. Without vectors, every character is read by the tables.
    private static let widths: [UInt32] = [0, 256, 512]

    @Test("the decoder by tables gives what was encoded, at every length", arguments: alphabets, widths)
    func decodesByTables(alphabet: Base64.Alphabet, widestVectors: UInt32) throws {
        let decoder = Base64Decoder(alphabet: alphabet, widestVectors: widestVectors)
        var generator = SplitMix64(seed: 6920)
        for length in 0...200 {
            for _ in 0..<10 {
                let bytes = randomBytes(length, using: &generator)
                let text = Array(encoded(bytes, alphabet).utf8)
                #expect(decoder.byteCount(of: text.span) == length)
                #expect(decoded(text, by: decoder) == bytes)
                try expectAgreement(on: text, decoder, alphabet)
            }
        }
    }

    @Test(
        "one changed, added or lost character is judged as by the other, at every length",
        arguments: alphabets, widths)
    func judgesChanges(alphabet: Base64.Alphabet, widestVectors: UInt32) throws {
        let decoder = Base64Decoder(alphabet: alphabet, widestVectors: widestVectors)
        var generator = SplitMix64(seed: 32)
        let suspects = Array("+/-_=A \n".utf8)
        for length in 1...200 {
            let text = Array(encoded(randomBytes(length, using: &generator), alphabet).utf8)
            for _ in 0..<100 {
                let place = Int.random(in: 0..<text.count, using: &generator)
                var changed = text
                changed[place] = UInt8.random(in: .min ... .max, using: &generator)
                try expectAgreement(on: changed, decoder, alphabet)
            }
            for suspect in suspects {
                var changed = text
                changed[Int.random(in: 0..<text.count, using: &generator)] = suspect
                try expectAgreement(on: changed, decoder, alphabet)
                changed = text
                changed.insert(suspect, at: Int.random(in: 0...text.count, using: &generator))
                try expectAgreement(on: changed, decoder, alphabet)
            }
            var changed = text
            changed.remove(at: Int.random(in: 0..<text.count, using: &generator))
            try expectAgreement(on: changed, decoder, alphabet)
        }
    }

    @Test("every byte in every place of a long text is judged as by the other", arguments: alphabets, widths)
    func judgesEveryByte(alphabet: Base64.Alphabet, widestVectors: UInt32) throws {
        let decoder = Base64Decoder(alphabet: alphabet, widestVectors: widestVectors)
        var generator = SplitMix64(seed: 32)
        for length in [24, 48, 72, 95, 96, 97, 130] {
            let text = Array(encoded(randomBytes(length, using: &generator), alphabet).utf8)
            for place in text.indices {
                for byte in UInt8.min...UInt8.max {
                    var changed = text
                    changed[place] = byte
                    try expectAgreement(on: changed, decoder, alphabet)
                }
            }
        }
    }

    @Test("of all paddings, only the one that fits is right", arguments: alphabets, widths)
    func judgesPadding(alphabet: Base64.Alphabet, widestVectors: UInt32) throws {
        let decoder = Base64Decoder(alphabet: alphabet, widestVectors: widestVectors)
        var generator = SplitMix64(seed: 4)
        for length in 0...200 {
            let bytes = randomBytes(length, using: &generator)
            let unpadded = encoded(bytes, .standard).filter { $0 != "=" }
            for padding in 0...8 {
                let standard = Array((unpadded + String(repeating: "=", count: padding)).utf8)
                let text = alphabet == .standard ? standard : standard.map(inURLAlphabet)
                let fits = padding == (alphabet == .standard ? (3 - length % 3) % 3 : 0)
                #expect((decoded(text, by: decoder) != nil) == fits)
                try expectAgreement(on: text, decoder, alphabet)
            }
        }
        // Padding without data, after one character, or in between.
        let misplaced = "= == === ==== ===== A= A== A=== =AAA ==AA A=A= AA=A".split(separator: " ")
        for text in misplaced {
            #expect(decoded(Array(text.utf8), by: decoder) == nil)
            try expectAgreement(on: Array(text.utf8), decoder, alphabet)
        }
    }

    @Test func `a short standard text is right if Foundation reads it and writes it again`() {
        let decoder = Base64Decoder(alphabet: .standard)
        let characters = Array("AQgw+/=-_ ".utf8)
        for first in characters {
            for second in characters {
                for third in characters {
                    for fourth in characters {
                        let text = [first, second, third, fourth]
                        let foundation = Data(base64Encoded: Data(text))
                        // Foundation accepts trailing bits that should be zero, so they are compared
                        // separately.
                        let isCanonical = foundation?.base64EncodedData() == Data(text)
                        let expected = isCanonical ? foundation.map(Array.init) : nil
                        #expect(decoded(text, by: decoder) == expected)
                    }
                }
            }
        }
    }

    @Test("an output without room is refused and left alone", arguments: alphabets, widths)
    func refusesSmallOutput(alphabet: Base64.Alphabet, widestVectors: UInt32) {
        let decoder = Base64Decoder(alphabet: alphabet, widestVectors: widestVectors)
        for length in 1...100 {
            let text = Array(encoded([UInt8](repeating: 1, count: length), alphabet).utf8)
            for (room, start) in [(length - 1, 0), (length, 1), (length + 2, 3), (length, -1), (0, 0)] {
                var output = [UInt8](repeating: 0xee, count: room)
                let isRight = decoder.decode(text.span, into: &output, at: start)
                #expect(!isRight && output == [UInt8](repeating: 0xee, count: room))
            }
        }
    }

    @Test func `whatever decodes encodes to the same text again`() throws {
        var generator = SplitMix64(seed: 7515)
        let alphabet = Array("ABQRZaqz0189-_+/=".utf8)
        var decodedCount = 0
        for _ in 0..<20_000 {
            let text = String(
                decoding: (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? 0
                }, as: UTF8.self)
            if let bytes = try? decode(text, .url) {
                decodedCount += 1
                #expect(urlEncoded(bytes) == text)
            }
            if let bytes = try? decode(text, .standard) {
                decodedCount += 1
                #expect(Data(bytes).base64EncodedString() == text)
            }
        }
        #expect(decodedCount > 2_000, "the test's own texts must often decode")
    }

    @Test func `exactly the 64 characters of each alphabet are accepted`() throws {
        for byte in UInt8.min...UInt8.max {
            let text = [byte, UInt8(ascii: "A"), UInt8(ascii: "A"), UInt8(ascii: "A")]
            let character = Character(UnicodeScalar(byte))
            let isAlphanumeric = byte < 0x80 && (character.isLetter || character.isNumber)
            let isURL = (try? Base64.decode(text.span, in: 0..<4, alphabet: .url)) != nil
            let isStandard = (try? Base64.decode(text.span, in: 0..<4, alphabet: .standard)) != nil
            #expect(isURL == (isAlphanumeric || "-_".contains(character)))
            #expect(isStandard == (isAlphanumeric || "+/".contains(character)))
        }
    }

    private static let refused: [(String, Base64.Alphabet, Base64Error)] = [
        ("A", .url, .invalidLength(1)), ("AAAAA", .url, .invalidLength(5)),
        ("Zg==", .url, .invalidCharacter(0x3d, offset: 2)),
        ("Zm 9", .url, .invalidCharacter(0x20, offset: 2)),
        ("Zm9v\n", .url, .invalidCharacter(0x0a, offset: 4)),
        ("Zm+v", .url, .invalidCharacter(0x2b, offset: 2)),
        ("Zh", .url, .nonCanonicalTrailingBits(offset: 1)),
        ("Zm9", .url, .nonCanonicalTrailingBits(offset: 2)),
        ("Zg", .standard, .invalidLength(2)), ("Zg=", .standard, .invalidLength(3)),
        ("Zh==", .standard, .nonCanonicalTrailingBits(offset: 1)), ("Z===", .standard, .invalidLength(4)),
        ("Zm9v====", .standard, .invalidPadding(offset: 4)),
        ("Zg==Zg==", .standard, .invalidCharacter(0x3d, offset: 2)),
        ("Zm-v", .standard, .invalidCharacter(0x2d, offset: 2)),
        ("====", .standard, .invalidPadding(offset: 0)),
    ]

    @Test("what no encoder writes is refused, with its place", arguments: refused)
    func refusesOthers(text: String, alphabet: Base64.Alphabet, expected: Base64Error) throws {
        #expect(throws: expected) { try decode(text, alphabet) }
    }

    /// Expects that the table decoder accepts the same texts as the other decoder, and gives the same bytes.
    /// For accepted texts, Foundation must give the same bytes too.
    private func expectAgreement(
        on text: [UInt8], _ decoder: Base64Decoder, _ alphabet: Base64.Alphabet
    ) throws {
        let expected = try? Base64.decode(text.span, in: 0..<text.count, alphabet: alphabet)
        #expect(decoded(text, by: decoder) == expected, "\(String(decoding: text, as: UTF8.self))")
        guard let expected else { return }
        #expect(decoder.byteCount(of: text.span) == expected.count)
        #expect(Array(encoded(expected, alphabet).utf8) == text)
    }

    /// The table decoder's result for the text. The decoder must not write outside its output.
    private func decoded(_ text: [UInt8], by decoder: Base64Decoder) -> [UInt8]? {
        guard let count = decoder.byteCount(of: text.span) else {
            var output = [UInt8](repeating: 0, count: text.count)
            let isRight = decoder.decode(text.span, into: &output, at: 0)
            #expect(!isRight, "a text of a wrong length is wrong")
            return nil
        }
        var output = [UInt8](repeating: 0xee, count: 3 + count + 40)
        let isRight = decoder.decode(text.span, into: &output, at: 3)
        #expect(output[..<3].allSatisfy { $0 == 0xee } && output[(3 + count)...].allSatisfy { $0 == 0xee })
        // The output has exactly the size that it needs.
        var exact = [UInt8](repeating: 0xee, count: count)
        let isRightAgain = decoder.decode(text.span, into: &exact, at: 0)
        #expect(isRight == isRightAgain)
        guard isRight else { return nil }
        #expect(Array(output[3..<3 + count]) == exact)
        return exact
    }

    private func randomBytes(_ count: Int, using generator: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    private func encoded(_ bytes: [UInt8], _ alphabet: Base64.Alphabet) -> String {
        alphabet == .url ? urlEncoded(bytes) : Data(bytes).base64EncodedString()
    }

    private func urlEncoded(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString().utf8.filter { $0 != UInt8(ascii: "=") }
        return String(decoding: text.map(inURLAlphabet), as: UTF8.self)
    }

    private func inURLAlphabet(_ character: UInt8) -> UInt8 {
        switch character {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: character
        }
    }

    private func decode(_ text: String, _ alphabet: Base64.Alphabet) throws -> [UInt8] {
        let bytes = Array(text.utf8)
        return try Base64.decode(bytes.span, in: 0..<bytes.count, alphabet: alphabet)
    }
}
